#include "worker/ComparePrograms.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <thread>

#include "worker/CaptureProgram.h"
#include "worker/CompareOutputs.h"

namespace hone::worker {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int crashed = 128;     // statuses from here on are signals
constexpr double slower = 0.97;  // what the whole interval must lie below to be called slower

struct Side {
  std::string name, program;
  bool isOff = false;  // HONE_OFF=1
  std::vector<std::string> outputs;
  std::vector<double> seconds, kernels;  // of each run; microseconds on the device
  int status = 0;
  size_t launches = 0, ours = 0;  // of a run; by kernels of hone's
  bool isEmbedded = false;        // built for the embedded device, whose times say nothing of a GPU
};

std::string readAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Ends all that the child has started.
int waitFor(pid_t child, double seconds, bool& isLate) {
  int status = 0;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child || (done < 0 && errno != EINTR)) return status;
    if (Clock::now() > end) {
      isLate = true;
      kill(-child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

class Comparison {
 public:
  explicit Comparison(const CompareRequest& what) : request(what) {
    std::string name = (fs::temp_directory_path() / "hone-compare-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("no folder for what programs print: " + std::string(std::strerror(errno)));
    folder = name;
    before.name = "original";
    before.program = request.original.empty() ? request.command[0] : request.original;
    before.isOff = request.original.empty();
    after.name = "rewritten";
    after.program = request.command[0];
  }
  ~Comparison() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  int run(std::ostream& out) {
    for (unsigned turn = 0; turn < request.runs; ++turn)
      for (Side* side : turn % 2 ? std::array{&after, &before} : std::array{&before, &after})
        once(*side, false);
    if (!injectionLibrary().empty())
      for (unsigned turn = 0; turn < std::min(request.runs, 3u); ++turn)
        for (Side* side : turn % 2 ? std::array{&after, &before} : std::array{&before, &after})
          once(*side, true);
    return report(out);
  }

 private:
  void once(Side& side, bool isCaptured) {
    const std::string printed = folder + "/printed", captured = folder + "/captured";
    std::error_code ignored;
    fs::remove(captured, ignored);
    const auto begin = Clock::now();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child == 0) start(side, isCaptured, printed, captured);
    setpgid(child, child);
    bool isLate = false;
    const int status = waitFor(child, request.secondsEach, isLate);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (isLate)
      throw std::runtime_error("'" + side.program + "' did not end within " +
                               std::to_string(int(request.secondsEach)) + " s");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && readAll(printed).empty())
      throw std::runtime_error("'" + side.program + "' cannot be started");
    // One run that fails is enough.
    const int now = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    side.status = std::max(side.status, now);
    if (isCaptured) return takeTimes(side, captured);
    side.seconds.push_back(seconds);
    side.outputs.push_back(readAll(printed));
  }

  [[noreturn]] void start(const Side& side, bool isCaptured, const std::string& printed,
                          const std::string& captured) const {
    setpgid(0, 0);
    const int file = open(printed.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, 1);
    dup2(file, 2);
    if (side.isOff)
      setenv("HONE_OFF", "1", 1);
    else
      unsetenv("HONE_OFF");
    if (isCaptured) {
      setenv("HONE_CAPTURE", captured.c_str(), 1);
      setenv("CUDA_INJECTION64_PATH", injectionLibrary().c_str(), 1);
    }
    std::vector<char*> words{const_cast<char*>(side.program.c_str())};
    words.reserve(request.command.size() + 1);
    for (size_t i = 1; i < request.command.size(); ++i)
      words.push_back(const_cast<char*>(request.command[i].c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }

  static void takeTimes(Side& side, const std::string& captured) {
    struct Launch {
      bool isOurs = false;
      size_t times = 0;
      double microseconds = 0;
    };
    std::map<std::pair<int64_t, int64_t>, Launch> launches;
    std::ifstream in(captured);
    for (std::string text; std::getline(in, text);) {
      const auto line = nlohmann::json::parse(text, nullptr, false);
      if (!line.is_object()) continue;
      const int64_t process = line.value("process", int64_t{0});
      if (line.contains("hone_capture")) side.isEmbedded = line.value("by", "") == "hone run";
      if (line.contains("launch") && line["launch"].is_number())
        launches[{process, line["launch"].get<int64_t>()}].isOurs =
            line.value("kernel", "").find("_hone") != std::string::npos;
      if (line.contains("counts"))
        for (const auto& one : line["counts"])
          if (one.is_array() && one.size() == 4) {
            Launch& launch = launches[{process, one[0].get<int64_t>()}];
            launch.times = one[1].get<size_t>() + one[2].get<size_t>();
            launch.microseconds = one[3].get<double>();
          }
    }
    if (launches.empty()) return;
    double sum = 0;
    side.launches = side.ours = 0;
    for (const auto& [key, launch] : launches) {
      sum += launch.microseconds;
      side.launches += launch.times;
      if (launch.isOurs) side.ours += launch.times;
    }
    side.kernels.push_back(sum);
  }

  struct Ratio {
    double middle = 1, low = 1, high = 1;
  };

  static double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  }

  // Original through rewritten, with the interval of 95 % by drawing again.
  static Ratio ratio(const std::vector<double>& a, const std::vector<double>& b) {
    Ratio out;
    out.middle = median(a) / median(b);
    // The same draws each time, so that the same times have the same interval.
    uint64_t state = 1;
    const auto draw = [&state] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return state >> 33;
    };
    std::vector<double> all;
    all.reserve(2000);
    const auto again = [&](const std::vector<double>& from) {
      std::vector<double> drawn;
      drawn.reserve(from.size());
      for (size_t i = 0; i < from.size(); ++i) drawn.push_back(from[draw() % from.size()]);
      return median(drawn);
    };
    for (int i = 0; i < 2000; ++i) all.push_back(again(a) / again(b));
    std::sort(all.begin(), all.end());
    out.low = all[all.size() / 40];
    out.high = all[all.size() - 1 - all.size() / 40];
    return out;
  }

  static std::string number(double value, const char* format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
  }

  static void row(std::ostream& out, const std::string& what, const std::string& a, const std::string& b,
                  const Ratio& r) {
    const auto wide = [](std::string text, size_t width) {
      text.resize(std::max(width, text.size()), ' ');
      return text;
    };
    out << "  " << wide(what, 18) << wide(a, 14) << wide(b, 14) << number(r.middle, "%.3f") << " ["
        << number(r.low, "%.3f") << ", " << number(r.high, "%.3f") << "]\n";
  }

  int report(std::ostream& out) {
    const OutputComparison printed = compareOutputs(before.outputs, after.outputs, request.tolerance);
    out << "                    original      rewritten     times as fast\n";
    Ratio kernels;
    const bool isEmbedded = before.isEmbedded || after.isEmbedded;
    const bool hasKernels =
        !isEmbedded && !before.kernels.empty() && !after.kernels.empty() && median(after.kernels) > 0;
    if (hasKernels) {
      kernels = ratio(before.kernels, after.kernels);
      row(out, "kernels", number(median(before.kernels) / 1e3, "%.3f ms"),
          number(median(after.kernels) / 1e3, "%.3f ms"), kernels);
    }
    const Ratio whole = ratio(before.seconds, after.seconds);
    row(out, "whole program", number(median(before.seconds), "%.3f s"),
        number(median(after.seconds), "%.3f s"), whole);
    if (isEmbedded)
      out << "  built for hone's embedded device: its times say nothing of a GPU\n";
    else if (!hasKernels)
      out << "  no times of kernels: "
          << (injectionLibrary().empty() ? "libhone_capture.so is not here" : "none was recorded") << "\n";
    if (after.launches) {
      out << "  " << after.ours << " of " << after.launches
          << " launches of the rewritten program ran a kernel of hone's\n";
      if (before.ours)
        out << "  note: " << before.ours
            << " launches of the original did too: give the build before hone with --original\n";
    }
    bool isRight = before.status == after.status && after.status < crashed;
    if (before.status != after.status)
      out << "  exit status " << after.status << ", was " << before.status << "\n";
    else if (after.status != 0)
      out << "  both end with status " << after.status << "\n";
    std::string said;
    if (printed.isUnsteady) {
      said = "output not compared: the original prints another number of lines from run to run";
    } else if (!printed.isSame) {
      isRight = false;
      said = "output DIFFERS: " + printed.difference;
    } else {
      said = "the same output (" + std::to_string(printed.compared) +
             (printed.compared == 1 ? " line" : " lines");
      if (printed.largest > 0) said += ", numbers within " + number(printed.largest, "%.1e");
      if (printed.withTimes) said += "; times in " + std::to_string(printed.withTimes) + " left out";
      if (printed.unsteady)
        said += "; " + std::to_string(printed.unsteady) +
                " that change between runs of the original itself left out";
      said += ")";
    }
    out << "  " << said << "\n";
    const bool isCompared = !printed.isUnsteady && printed.compared > 0;
    const Ratio& speed = hasKernels ? kernels : whole;
    const char* where = hasKernels ? " in its kernels" : "";
    const bool isSlower = speed.high < slower, isFaster = speed.low > 1;
    out << "verdict: "
        << (!isRight     ? "NOT the same"
            : isCompared ? "the same results"
                         : "results not compared");
    if (isEmbedded)
      out << "; nothing is said of speed\n";
    else
      out << ", "
          << (isSlower   ? "SLOWER"
              : isFaster ? "faster"
                         : "no faster and no slower")
          << where << " (" << number(speed.middle, "%.2f") << " times as fast)\n";
    return isRight && isCompared && (isEmbedded || !isSlower) ? 0 : 1;
  }

  const CompareRequest& request;
  std::string folder;
  Side before, after;
};

}  // namespace

int comparePrograms(const CompareRequest& request, std::ostream& out) { return Comparison(request).run(out); }

CompareRequest compareRequest(const std::vector<std::string>& words,
                              const std::vector<std::string>& command) {
  CompareRequest out;
  out.command = command;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto value = [&]() -> const std::string& {
      if (i + 1 >= words.size()) throw std::runtime_error(words[i] + " needs a value");
      return words[++i];
    };
    if (words[i] == "--original") {
      out.original = value();
    } else if (words[i] == "--runs") {
      const long runs = std::strtol(value().c_str(), nullptr, 10);
      if (runs < 2 || runs > 100) throw std::runtime_error("--runs takes a number from 2 to 100");
      out.runs = static_cast<unsigned>(runs);
    } else if (words[i] == "--tolerance") {
      char* end = nullptr;
      const std::string& text = value();
      out.tolerance = std::strtod(text.c_str(), &end);
      if (end == text.c_str() || *end || std::isnan(out.tolerance) || out.tolerance < 0 || out.tolerance >= 1)
        throw std::runtime_error("--tolerance takes a number from 0 to below 1");
    } else {
      throw std::runtime_error("unknown option '" + words[i] + "'");
    }
  }
  if (command.empty()) throw std::runtime_error("no program: give it behind `--`");
  return out;
}

}  // namespace hone::worker
