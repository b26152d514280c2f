#include "capture/CaptureFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "ir/Error.h"
#include "worker/Hex.h"

namespace hone::capture {

using nlohmann::json;

namespace {

constexpr size_t mostLaunches = 200'000, longestLine = 64 << 20;

std::vector<uint8_t> unhex(std::string_view text) {
  std::optional<std::vector<uint8_t>> out = worker::bytesOfHex(text);
  if (!out) throw std::runtime_error("no hex digits");
  return std::move(*out);
}

// JSON's numbers may be negative, broken or too large, which conversions do not say.
uint64_t whole(const json& number, uint64_t most = std::numeric_limits<uint64_t>::max()) {
  if (!number.is_number_unsigned() || number.get<uint64_t>() > most)
    throw std::runtime_error("no whole number");
  return number.get<uint64_t>();
}
uint32_t whole32(const json& number) { return static_cast<uint32_t>(whole(number, UINT32_MAX)); }

std::array<uint32_t, 3> extents(const json& list) {
  std::array<uint32_t, 3> out{};
  if (!list.is_array() || list.size() != 3) throw std::runtime_error("no extents");
  for (size_t i = 0; i < 3; ++i) {
    out[i] = static_cast<uint32_t>(whole(list[i], 0x7fffffff));
    if (out[i] == 0) throw std::runtime_error("no extents");
  }
  return out;
}

// More than any device has.
constexpr int64_t mostSharedBytes = 1 << 24;
constexpr uint64_t mostThreadsOfBlock = 1 << 16;
constexpr uint64_t mostTimes = uint64_t(1) << 48;

CapturedLaunch launchFrom(const json& line) {
  CapturedLaunch out;
  out.kernel = line.at("kernel").get<std::string>();
  out.grid = extents(line.at("grid"));
  out.block = extents(line.at("block"));
  const auto shared = line.value("shared", int64_t{0});
  uint64_t threads = 1;
  for (const uint32_t extent : out.block) threads *= std::min<uint64_t>(extent, mostThreadsOfBlock + 1);
  if (out.kernel.empty() || shared < 0 || shared > mostSharedBytes || threads > mostThreadsOfBlock)
    throw std::runtime_error("no device launches this");
  out.shared = static_cast<uint64_t>(shared);
  out.device = line.value("device", 0);
  out.stream = line.value("stream", 0u);
  out.isCooperative = line.value("cooperative", false);
  out.isInGraph = line.value("graph", false);
  out.bytes = unhex(line.at("bytes").get<std::string>());
  for (const json& one : line.at("parameters")) {
    out.parameters.emplace_back(whole32(one.at(0)), whole32(one.at(1)));
    if (uint64_t{out.parameters.back().first} + out.parameters.back().second > out.bytes.size())
      throw std::runtime_error("a parameter behind the arguments");
  }
  for (const json& one : line.at("pointers")) {
    RecordedPointer p;
    p.at = whole32(one.at("at"));
    p.allocation = whole(one.at("allocation"));
    p.bytes = whole(one.at("bytes"));
    p.offset = whole(one.at("offset"));
    p.isPool = one.value("pool", false);
    p.isManaged = one.value("managed", false);
    if (p.offset > p.bytes || uint64_t{p.at} + 8 > out.bytes.size())
      throw std::runtime_error("a pointer outside");
    for (const RecordedPointer& other : out.pointers)
      if (other.at == p.at) throw std::runtime_error("two pointers at one place");
    out.pointers.push_back(p);
  }
  out.launches = 1;
  return out;
}

class Reading {
 public:
  explicit Reading(CaptureFile& into) : file(into) {}

  void line(const std::string& text) {
    // Of lines without number those that are not used any more need not be understood.
    constexpr size_t head = 48;
    if (isTooLong && text.substr(0, head).find("\"launch\":") != std::string::npos) return;
    if (text.substr(0, head).find("\"contents\":") != std::string::npos) return contents(text);
    const json value = json::parse(text);
    if (!value.is_object()) throw std::runtime_error("no object");
    const int64_t process = value.value("process", int64_t{0});
    if (value.contains("hone_capture")) {
      if (value["hone_capture"] != 1)
        throw Error(file.path + ": a capture of another version of hone; record it again", 2);
      isCapture = true;
      ++processes;
      running.insert({process, true}).first->second = true;
      if (file.recordedBy.empty()) file.recordedBy = value.value("by", "");
      if (file.device.empty()) file.device = value.value("device", "");
      if (file.command.empty() && value.contains("command") && value["command"].is_array())
        for (const json& word : value["command"])
          if (word.is_string()) file.command.push_back(word.get<std::string>());
    } else if (value.contains("launch")) {
      if (file.launches.size() >= mostLaunches) {
        isTooLong = true;
        return;
      }
      CapturedLaunch made = launchFrom(value);
      places[{process, value["launch"].get<uint32_t>()}] = file.launches.size();
      made.place = file.launches.size();
      file.launches.push_back(std::move(made));
    } else if (value.contains("counts")) {
      for (const json& one : value["counts"]) {
        const auto place = places.find({process, one.at(0).get<uint32_t>()});
        if (place == places.end()) continue;
        CapturedLaunch& launch = file.launches[place->second];
        launch.launches = whole(one.at(1), mostTimes) + whole(one.at(2), mostTimes);
        launch.microseconds = std::max(0.0, one.at(3).get<double>());
      }
    } else if (value.contains("contents")) {
      contents(text);
    } else if (value.contains("variable")) {
      file.variables.push_back({value["variable"].get<std::string>(), value.value("offset", uint64_t{0}),
                                value.value("of", uint64_t{0}), unhex(value.value("bytes", "")),
                                file.launches.size()});
    } else if (value.contains("note")) {
      const std::string note = value["note"].get<std::string>();
      if (std::find(file.notes.begin(), file.notes.end(), note) == file.notes.end())
        file.notes.push_back(note);
    } else if (value.contains("ran_on")) {
      if (file.device.empty()) file.device = value["ran_on"].get<std::string>();
    } else if (value.contains("end")) {
      running[process] = false;
    }
  }

  // The bytes stand last, and are many.
  void contents(const std::string& text) {
    static const std::string key = ",\"bytes\":\"";
    const size_t at = text.find(key);
    const bool isAsWritten = at != std::string::npos && text.ends_with("\"}") &&
                             text.find('"', at + key.size()) == text.size() - 2;
    const json value = json::parse(isAsWritten ? text.substr(0, at) + "}" : text);
    const auto place = places.find({value.at("process").get<int64_t>(), whole32(value.at("contents"))});
    const uint64_t of = whole(value.at("of"));
    if (place == places.end()) return;
    if (of == 0 || of > longestPiece) throw std::runtime_error("too long");
    if (contentsBytes + of > mostContents) {
      areContentsTooLong = true;
      return;
    }
    CapturedPiece piece{
        whole(value.at("allocation")), whole(value.at("from")),
        unhex(isAsWritten ? std::string_view(text).substr(at + key.size(), text.size() - at - key.size() - 2)
                          : std::string_view(value.at("bytes").get_ref<const std::string&>()))};
    if (piece.bytes.size() == 1) piece.bytes.resize(of, piece.bytes[0]);
    if (piece.bytes.size() != of) throw std::runtime_error("cut");
    contentsBytes += of;
    file.launches[place->second].contents.push_back(std::make_shared<CapturedPiece>(std::move(piece)));
  }

  void finish(size_t damaged) {
    if (!isCapture)
      throw Error(file.path + ": no capture: its first line is not one of a capture (docs/capture.md)", 2);
    if (damaged)
      file.notes.push_back(std::to_string(damaged) + (damaged == 1 ? " line is" : " lines are") +
                           " damaged and left out; the rest is used");
    if (std::any_of(running.begin(), running.end(), [](const auto& p) { return p.second; }))
      file.notes.emplace_back(
          "the program did not come to its end: the last launches and times may be missing");
    if (isTooLong)
      file.notes.push_back("more than " + std::to_string(mostLaunches) +
                           " different launches: the first ones are used");
    if (areContentsTooLong)
      file.notes.push_back("more than " + std::to_string(mostContents >> 20) +
                           " MiB of contents: the first ones are used");
    if (file.launches.empty()) file.notes.emplace_back("the program launched no kernel");
  }

 private:
  CaptureFile& file;
  bool isCapture = false, isTooLong = false, areContentsTooLong = false;
  size_t processes = 0;
  uint64_t contentsBytes = 0;
  std::map<int64_t, bool> running;
  std::map<std::pair<int64_t, uint32_t>, size_t> places;
};

}  // namespace

double CaptureFile::microseconds() const {
  double sum = 0;
  for (const CapturedLaunch& launch : launches) sum += launch.microseconds;
  return sum;
}

std::vector<const CapturedLaunch*> CaptureFile::of(const std::string& linkageName) const {
  std::vector<const CapturedLaunch*> out;
  for (const CapturedLaunch& launch : launches)
    if (!linkageName.empty() && launch.kernel == linkageName) out.push_back(&launch);
  std::sort(out.begin(), out.end(), [](const CapturedLaunch* a, const CapturedLaunch* b) {
    if (a->microseconds != b->microseconds) return a->microseconds > b->microseconds;
    return a->launches != b->launches ? a->launches > b->launches : a < b;
  });
  return out;
}

std::string CaptureFile::whatIsShared() const {
  if (microseconds() <= 0) return "launches";
  return isCoarse() ? "time on hone run's coarse clock" : "time on the device";
}

double CaptureFile::share(const std::string& linkageName) const {
  const double all = microseconds();
  double mine = 0, total = 0;
  for (const CapturedLaunch& launch : launches) {
    const double weight = all > 0 ? launch.microseconds : static_cast<double>(launch.launches);
    total += weight;
    if (launch.kernel == linkageName) mine += weight;
  }
  return total > 0 ? mine / total : 0;
}

const CapturedLaunch* CaptureFile::withContents(const CapturedLaunch& launch) const {
  if (!launch.contents.empty()) return &launch;
  const auto isLike = [&](const CapturedLaunch& other) {
    return !other.contents.empty() && other.kernel == launch.kernel && other.grid == launch.grid &&
           other.block == launch.block && other.shared == launch.shared &&
           std::equal(other.pointers.begin(), other.pointers.end(), launch.pointers.begin(),
                      launch.pointers.end(), [](const RecordedPointer& a, const RecordedPointer& b) {
                        return a.at == b.at && a.bytes == b.bytes && a.offset == b.offset;
                      });
  };
  const auto found = std::find_if(launches.begin(), launches.end(), isLike);
  return found == launches.end() ? nullptr : &*found;
}

namespace {

// Lines of a file, each no longer than any of a capture.
class Lines {
 public:
  explicit Lines(std::istream& from) : in(from), buffer(1 << 20) {}

  // False: there is no other, or the next one is too long (isTooLong).
  bool next(std::string& line) {
    line.clear();
    while (true) {
      if (at == end) {
        in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        at = 0;
        end = static_cast<size_t>(in.gcount());
        if (end == 0) return !line.empty();
      }
      const void* found = std::memchr(buffer.data() + at, '\n', end - at);
      const size_t stop = found ? static_cast<size_t>(static_cast<const char*>(found) - buffer.data()) : end;
      line.append(buffer.data() + at, stop - at);
      at = found ? stop + 1 : stop;
      if (found) return true;
      isTooLong = line.size() > longestLine;
      if (isTooLong) return false;
    }
  }

  bool isTooLong = false;

 private:
  std::istream& in;
  std::vector<char> buffer;
  size_t at = 0, end = 0;
};

}  // namespace

CaptureFile readCapture(const std::string& path) {
  CaptureFile file;
  file.path = path;
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem))
    throw Error(path + (std::filesystem::exists(path, problem) ? ": no file that can be read"
                                                               : ": there is no such file"),
                2);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path + ": cannot be read: " + std::strerror(errno), 2);
  Reading reading(file);
  size_t damaged = 0;
  bool isFirst = true;
  Lines lines(in);
  for (std::string line; lines.next(line); isFirst = false) {
    if (line.empty()) continue;
    try {
      reading.line(line);
    } catch (const json::exception&) {
      ++damaged;
    } catch (const std::runtime_error& error) {
      if (dynamic_cast<const Error*>(&error)) throw;
      ++damaged;
    }
    if (isFirst && damaged) break;  // something else, and perhaps large
  }
  reading.finish(damaged);
  if (lines.isTooLong)
    file.notes.push_back("a line of more than " + std::to_string(longestLine >> 20) +
                         " MiB is none of a capture: nothing from there on is read");
  return file;
}

}  // namespace hone::capture
