#include "worker/Protocol.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>

namespace hone::worker {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 9> kStatus{"ok",      "build-failed", "launch-failed", "wrong",  "nan",
                                                  "faulted", "timed-out",    "given-up",      "invalid"};
constexpr std::array<std::string_view, 5> kFills{"values", "range", "permutation", "offsets", "poison"};

constexpr size_t kLongestLine = size_t(1)
                                << 28;  // bytes; machine code in hexadecimal is the longest there is
constexpr size_t kDeepest = 64;
constexpr double kLongestTimeout = 24 * 3600;  // seconds

template <size_t N> size_t indexOf(const std::array<std::string_view, N>& names, const std::string& text) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == text) return i;
  throw ProtocolError("unknown word '" + text + "'");
}

json fillJson(const Fill& fill) {
  json out{{"kind", kFills[static_cast<size_t>(fill.kind)]}, {"seed", fill.seed}};
  if (fill.range) out["range"] = fill.range;
  if (fill.positive) out["positive"] = true;
  if (fill.fraction) out["fraction"] = true;
  if (fill.nonZero) out["non_zero"] = true;
  if (fill.whole) out["whole"] = true;
  if (fill.bits) out["bits"] = true;
  return out;
}

Fill fillFrom(const json& in) {
  Fill out;
  out.kind = static_cast<FillKind>(indexOf(kFills, in.at("kind").get<std::string>()));
  out.seed = in.value("seed", uint64_t(1));
  out.range = in.value("range", int64_t(0));
  out.positive = in.value("positive", false);
  out.fraction = in.value("fraction", false);
  out.nonZero = in.value("non_zero", false);
  out.whole = in.value("whole", false);
  out.bits = in.value("bits", false);
  return out;
}

json arrayJson(const ArraySpec& array) {
  json leaves = json::array();
  for (const Leaf& leaf : array.leaves) leaves.push_back({name(leaf.type), leaf.offset});
  json out{{"name", array.name}, {"elements", array.elements},   {"element_bytes", array.elementBytes},
           {"leaves", leaves},   {"fill", fillJson(array.fill)}, {"written", array.isWritten}};
  if (array.isZero) out["zero"] = true;
  if (!array.file.empty()) out["file"] = array.file;
  if (!array.contents.empty()) out["contents"] = hexOf(array.contents.data(), array.contents.size());
  if (!array.isCompared) out["compared"] = false;
  if (array.isUnordered) out["unordered"] = true;
  if (array.isSummed) out["summed"] = true;
  return out;
}

ArraySpec arrayFrom(const json& in) {
  ArraySpec out;
  out.name = in.at("name").get<std::string>();
  out.elements = in.at("elements").get<uint64_t>();
  out.elementBytes = in.at("element_bytes").get<uint64_t>();
  if (out.elementBytes == 0) throw ProtocolError("array '" + out.name + "' has elements of no bytes");
  if (out.elements > (uint64_t(1) << 48) / out.elementBytes)
    throw ProtocolError("array '" + out.name + "' is too long");
  for (const json& leaf : in.at("leaves")) {
    auto type = scalarNamed(leaf.at(0).get<std::string>());
    if (!type) throw ProtocolError("array '" + out.name + "': unknown type " + leaf.at(0).dump());
    out.leaves.push_back({*type, leaf.at(1).get<uint32_t>()});
    if (out.leaves.back().offset + sizeOf(*type) > out.elementBytes)
      throw ProtocolError("array '" + out.name + "': a number outside of its element");
  }
  out.fill = fillFrom(in.at("fill"));
  out.isWritten = in.value("written", true);
  out.isZero = in.value("zero", false);
  out.file = in.value("file", std::string());
  if (in.contains("contents")) {
    out.contents = bytesFromHex(in.at("contents").get_ref<const std::string&>());
    if (out.contents.size() != out.bytes())
      throw ProtocolError("array '" + out.name + "' has other contents than bytes");
  }
  out.isCompared = in.value("compared", true);
  out.isUnordered = in.value("unordered", false);
  out.isSummed = in.value("summed", false);
  return out;
}

json launchJson(const LaunchSpec& launch) {
  json arguments = json::array();
  for (const ArgumentSpec& argument : launch.arguments) {
    if (argument.localBytes)
      arguments.push_back({{"local", argument.localBytes}});
    else if (argument.array.empty())
      arguments.push_back({{"bytes", hexOf(argument.bytes.data(), argument.bytes.size())}});
    else if (argument.offset)
      arguments.push_back({{"array", argument.array}, {"offset", argument.offset}});
    else
      arguments.push_back({{"array", argument.array}});
  }
  json out{
      {"kernel", launch.kernel}, {"grid", launch.grid}, {"block", launch.block}, {"arguments", arguments}};
  if (launch.sharedBytes) out["shared"] = launch.sharedBytes;
  if (launch.cooperative) out["cooperative"] = true;
  return out;
}

LaunchSpec launchFrom(const json& in) {
  LaunchSpec out;
  out.kernel = in.at("kernel").get<std::string>();
  out.grid = in.at("grid").get<std::array<uint32_t, 3>>();
  out.block = in.at("block").get<std::array<uint32_t, 3>>();
  for (const json& argument : in.at("arguments")) {
    ArgumentSpec one;
    one.array = argument.value("array", std::string());
    one.offset = argument.value("offset", uint64_t(0));
    one.localBytes = argument.value("local", uint64_t(0));
    if (argument.contains("bytes")) one.bytes = bytesFromHex(argument.at("bytes").get<std::string>());
    out.arguments.push_back(std::move(one));
  }
  out.sharedBytes = in.value("shared", uint64_t(0));
  out.cooperative = in.value("cooperative", false);
  return out;
}

// Whatever the JSON library finds wrong becomes our error.
template <class F> auto reading(const char* what, F read) {
  try {
    return read();
  } catch (const json::exception& error) {
    throw ProtocolError(std::string("this is no ") + what + ": " + error.what());
  }
}

}  // namespace

std::string textOf(const json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

double numberOf(const json& object, const char* key) {
  if (!object.is_object()) return 0;
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

bool flagOf(const json& object, const char* key) {
  if (!object.is_object()) return false;
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

bool readLine(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& from = *in.rdbuf();
  using Traits = std::char_traits<char>;
  for (int next = from.sbumpc();; next = from.sbumpc()) {
    if (Traits::eq_int_type(next, Traits::eof())) {
      in.setstate(std::ios::eofbit);
      return !line.empty();
    }
    if (next == '\n') return true;
    if (line.size() < kLongestLine) line += Traits::to_char_type(next);
  }
}

json parseLine(const std::string& line) {
  size_t depth = 0;
  bool isInText = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (isInText && c == '\\') {
      ++i;
    } else if (c == '"') {
      isInText = !isInText;
    } else if (!isInText && (c == '[' || c == '{')) {
      if (++depth > kDeepest) return {json::value_t::discarded};
    } else if (!isInText && (c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return json::parse(line, nullptr, false);
}

std::vector<uint8_t> bytesFromHex(const std::string& hex) {
  if (auto bytes = bytesOfHex(hex)) return std::move(*bytes);
  throw ProtocolError("'" + hex.substr(0, 40) + "' " +
                      (hex.size() % 2 ? "has half a byte" : "is not hexadecimal"));
}

std::string_view name(Status status) { return kStatus[static_cast<size_t>(status)]; }

void to_json(json& out, const CaseSpec& spec) {
  out = {{"do", "case"},
         {"id", spec.id},
         {"device", spec.device},
         {"operations", spec.operations},
         {"arrays", json::array()}};
  for (const ArraySpec& array : spec.arrays) out["arrays"].push_back(arrayJson(array));
}

void to_json(json& out, const VariantSpec& spec) {
  out = {{"do", "measure"},
         {"id", spec.id},
         {"case", spec.caseId},
         {"language", spec.language},
         {"source", spec.source},
         {"flags", spec.flags},
         {"timeout_s", spec.timeoutSeconds},
         {"wanted_error", spec.wantedError},
         {"seconds_at_most", spec.secondsAtMost},
         {"buffers", json::array()},
         {"launches", json::array()}};
  for (const BufferSpec& buffer : spec.buffers)
    out["buffers"].push_back({{"name", buffer.name}, {"bytes", buffer.bytes}});
  for (const LaunchSpec& launch : spec.launches) out["launches"].push_back(launchJson(launch));
  if (spec.isReference) out["reference"] = true;
  if (spec.isExact) out["exact"] = true;
  if (spec.giveUpAbove > 0) out["give_up_above_us"] = spec.giveUpAbove;
  if (!spec.timeIt) out["time"] = false;
  if (spec.image.empty()) return;
  out["image"] = hexOf(spec.image.data(), spec.image.size());
  out["symbols"] = spec.symbols;
  out["image_ms"] = spec.imageMs;
}

void to_json(json& out, const Result& result) {
  out = {{"id", result.id}, {"status", name(result.status)}};
  if (!result.message.empty()) out["message"] = result.message;
  if (result.timing.samples > 0)
    out["time"] = {{"median_us", result.timing.median},
                   {"low_us", result.timing.low},
                   {"high_us", result.timing.high},
                   {"samples", result.timing.samples},
                   {"launches_per_sample", result.timing.launchesPerSample},
                   {"sets", result.timing.sets}};
  out["max_error"] = result.maxError;
  out["build_ms"] = result.buildMs;
  out["kernels"] = json::array();
  for (const KernelFigures& k : result.kernels)
    out["kernels"].push_back({{"name", k.kernel},
                              {"registers", k.registers},
                              {"shared_bytes", k.sharedBytes},
                              {"local_bytes", k.localBytes},
                              {"constant_bytes", k.constantBytes},
                              {"blocks_per_sm", k.blocksPerMultiprocessor}});
  const Conditions& c = result.conditions;
  if (c.clockMHz)
    out["conditions"] = {
        {"clock_mhz", c.clockMHz}, {"memory_clock_mhz", c.memoryClockMHz}, {"temperature_c", c.temperature}};
}

void to_json(json& out, const DeviceInfo& info) {
  out = {{"id", info.id},
         {"kind", info.kind},
         {"name", info.name},
         {"driver", info.driver},
         {"compute", info.compute},
         {"memory_bytes", info.memoryBytes},
         {"cache_bytes", info.cacheBytes},
         {"shared_per_block", info.sharedPerBlock},
         {"multiprocessors", info.multiprocessors},
         {"clock_mhz", info.clockMHz}};
}

void to_json(json& out, const Ceilings& ceilings) {
  out = {{"copy_gbs", ceilings.copyGBs},
         {"fp32_gflops", ceilings.fp32GFlops},
         {"fp64_gflops", ceilings.fp64GFlops}};
}

CaseSpec caseFrom(const json& in) {
  return reading("case", [&] {
    CaseSpec out;
    out.id = in.at("id").get<std::string>();
    out.device = in.at("device").get<std::string>();
    out.operations = in.value("operations", 1.0);
    for (const json& array : in.at("arrays")) out.arrays.push_back(arrayFrom(array));
    return out;
  });
}

VariantSpec variantFrom(const json& in) {
  return reading("variant", [&] {
    VariantSpec out;
    out.id = in.at("id").get<std::string>();
    out.caseId = in.at("case").get<std::string>();
    out.language = in.value("language", std::string("cuda"));
    if (out.language != "cuda" && out.language != "opencl")
      throw ProtocolError("unknown language '" + out.language + "'");
    out.source = in.at("source").get<std::string>();
    out.flags = in.value("flags", std::vector<std::string>());
    for (const json& buffer : in.value("buffers", json::array()))
      out.buffers.push_back({buffer.at("name").get<std::string>(), buffer.at("bytes").get<uint64_t>()});
    for (const json& launch : in.at("launches")) out.launches.push_back(launchFrom(launch));
    out.isReference = in.value("reference", false);
    out.isExact = in.value("exact", false);
    out.giveUpAbove = in.value("give_up_above_us", 0.0);
    // A negative one would wait for ever.
    out.timeoutSeconds = std::clamp(in.value("timeout_s", out.timeoutSeconds), 0.0, kLongestTimeout);
    out.wantedError = in.value("wanted_error", out.wantedError);
    out.secondsAtMost = in.value("seconds_at_most", out.secondsAtMost);
    out.timeIt = in.value("time", true);
    if (!in.contains("image")) return out;
    out.image = bytesFromHex(in.at("image").get<std::string>());
    out.symbols = in.at("symbols").get<std::map<std::string, std::string>>();
    out.imageMs = in.value("image_ms", 0.0);
    return out;
  });
}

Result resultFrom(const json& in) {
  return reading("result", [&] {
    Result out;
    out.id = in.at("id").get<std::string>();
    out.status = static_cast<Status>(indexOf(kStatus, in.at("status").get<std::string>()));
    out.message = in.value("message", std::string());
    if (in.contains("time")) {
      const json& time = in.at("time");
      out.timing = {time.at("median_us"),
                    time.at("low_us"),
                    time.at("high_us"),
                    time.at("samples"),
                    time.value("launches_per_sample", 1u),
                    time.value("sets", 1u)};
    }
    out.maxError =
        in.contains("max_error") && in["max_error"].is_number() ? in["max_error"].get<double>() : 0;
    out.buildMs = in.value("build_ms", 0.0);
    for (const json& k : in.value("kernels", json::array()))
      out.kernels.push_back({k.at("name"), k.value("registers", 0), k.value("shared_bytes", 0),
                             k.value("local_bytes", 0), k.value("constant_bytes", 0),
                             k.value("blocks_per_sm", 0)});
    if (in.contains("conditions")) {
      const json& c = in.at("conditions");
      out.conditions = {c.value("clock_mhz", 0), c.value("memory_clock_mhz", 0), c.value("temperature_c", 0)};
    }
    return out;
  });
}

DeviceInfo deviceFrom(const json& in) {
  return reading("device", [&] {
    DeviceInfo out;
    out.id = in.at("id").get<std::string>();
    out.kind = in.value("kind", std::string());
    out.name = in.value("name", std::string());
    out.driver = in.value("driver", std::string());
    out.compute = in.value("compute", std::string());
    out.memoryBytes = in.value("memory_bytes", uint64_t(0));
    out.cacheBytes = in.value("cache_bytes", uint64_t(0));
    out.sharedPerBlock = in.value("shared_per_block", uint64_t(0));
    out.multiprocessors = in.value("multiprocessors", 0);
    out.clockMHz = in.value("clock_mhz", 0);
    return out;
  });
}

Ceilings ceilingsFrom(const json& in) {
  return reading("ceilings", [&] {
    return Ceilings{in.at("copy_gbs"), in.value("fp32_gflops", 0.0), in.value("fp64_gflops", 0.0)};
  });
}

}  // namespace hone::worker
