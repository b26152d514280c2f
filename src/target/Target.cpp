#include "target/Target.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "hone/Config.h"
#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::target {

namespace fs = std::filesystem;

namespace {

// What a file gives instead of a compute capability when it describes no GPU.
constexpr const char* noCapability = "cpu";

// Reads the keys of one table; each must be there with the right type, and no other may be.
class TableReader {
 public:
  TableReader(const toml::table& values, std::string tableName, const std::string& file)
      : table(values), name(std::move(tableName)), where(file) {}

  void read(const char* key, unsigned& out) {
    out = static_cast<unsigned>(number<int64_t>(key, "a whole number"));
  }
  void read(const char* key, double& out) { out = number<double>(key, "a number"); }
  void read(const char* key, std::string& out) {
    auto value = get(key).value<std::string>();
    if (!value) fail(key, "a string");
    out = *value;
  }
  void read(const char* key, std::array<uint64_t, 3>& out) {
    const toml::array* values = get(key).as_array();
    if (!values || values->size() != 3) fail(key, "three whole numbers");
    for (size_t i = 0; i < 3; ++i) {
      auto value = (*values)[i].value<int64_t>();
      if (!value || *value < 1) fail(key, "three whole numbers");
      out[i] = static_cast<uint64_t>(*value);
    }
  }
  void read(const char* key, std::vector<std::string>& out) {
    const toml::array* values = get(key).as_array();
    if (!values) fail(key, "a list of strings");
    for (const toml::node& node : *values) {
      auto value = node.value<std::string>();
      if (!value) fail(key, "a list of strings");
      out.push_back(*value);
    }
  }
  // The bytes of a cache's line: up to four sectors, by powers of two.
  void readLine(const char* key, unsigned& out) {
    read(key, out);
    if (out != 32 && out != 64 && out != 128) fail(key, "32, 64 or 128");
  }
  void read(const char* key, std::vector<unsigned>& out) {
    const toml::array* values = get(key).as_array();
    if (!values) fail(key, "a list of whole numbers");
    for (const toml::node& node : *values) {
      auto value = node.value<int64_t>();
      if (!value || *value < 0) fail(key, "a list of whole numbers");
      out.push_back(static_cast<unsigned>(*value));
    }
  }
  template <class Enum>
  void readOneOf(const char* key, Enum& out, std::initializer_list<std::pair<const char*, Enum>> choices) {
    std::string given, all;
    read(key, given);
    for (const auto& [choice, value] : choices) {
      if (given == choice) {
        out = value;
        return;
      }
      all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", choice);
    }
    fail(key, ("one of " + all).c_str());
  }
  void read(const char* key, std::optional<ComputeCapability>& out) {
    std::string given;
    read(key, given);
    if (given == noCapability) return;
    ComputeCapability read;
    const char* end = given.data() + given.size();
    auto [dot, problem] = std::from_chars(given.data(), end, read.major);
    if (problem != std::errc() || dot == end || *dot != '.') fail(key, "\"major.minor\" or \"cpu\"");
    auto [rest, minorProblem] = std::from_chars(dot + 1, end, read.minor);
    if (minorProblem != std::errc() || rest != end) fail(key, "\"major.minor\" or \"cpu\"");
    out = read;
  }
  const toml::table& section(const char* key) {
    const toml::table* found = get(key).as_table();
    if (!found) fail(key, "a table");
    return *found;
  }
  // Call after all reads: a key that was not asked for is a misspelling.
  void finish() {
    for (const auto& [key, value] : table) {
      std::string text(key.str());
      if (!asked.contains(text))
        throw Error(fmt::format("{}:{}: unknown key '{}'{}", where, value.source().begin.line, label(text),
                                didYouMean(text, {asked.begin(), asked.end()})));
    }
  }

 private:
  const toml::table& table;
  std::string name;
  const std::string& where;
  std::set<std::string> asked;

  std::string label(const std::string& key) const { return name.empty() ? key : name + "." + key; }
  toml::node_view<const toml::node> get(const char* key) {
    asked.insert(key);
    return table[key];
  }
  template <class T>
  T number(const char* key, const char* what) {
    auto value = get(key).value<T>();
    if (!value || *value < 0) fail(key, what);
    return *value;
  }
  [[noreturn]] void fail(const char* key, const char* what) {
    const toml::node* node = table.get(key);
    unsigned line = node ? node->source().begin.line : table.source().begin.line;
    throw Error(fmt::format("{}:{}: '{}' must be {}", where, line, label(key), what));
  }
};

std::pair<std::optional<ComputeCapability>, std::string> order(const Target& target) {
  return {target.computeCapability, target.name};
}

}  // namespace

std::string ComputeCapability::str() const { return fmt::format("{}.{}", major, minor); }

std::string Target::capabilityText() const {
  return computeCapability ? computeCapability->str() : noCapability;
}

Target parseTarget(const std::string& toml, const std::string& name, const std::string& where) {
  toml::parse_result parsed = toml::parse(toml, where);
  if (!parsed)
    throw Error(
        fmt::format("{}:{}: {}", where, parsed.error().source().begin.line, parsed.error().description()));
  Target t;
  t.name = name;
  TableReader top(parsed.table(), "", where);
  top.read("title", t.title);
  top.read("compute_capability", t.computeCapability);
  top.read("aliases", t.aliases);

  TableReader machine(top.section("machine"), "machine", where);
  machine.read("multiprocessors", t.multiprocessors);
  machine.read("lanes_per_multiprocessor", t.lanesPerMultiprocessor);
  machine.read("clock_ghz", t.clockGHz);
  machine.read("bandwidth_gb_s", t.bandwidthGBs);
  machine.read("l2_kib", t.l2KiB);
  machine.read("memory_gb", t.memoryGB);
  machine.finish();

  TableReader limits(top.section("limits"), "limits", where);
  limits.read("warp_size", t.warpSize);
  limits.read("threads_per_block", t.threadsPerBlock);
  limits.read("threads_per_multiprocessor", t.threadsPerMultiprocessor);
  limits.read("blocks_per_multiprocessor", t.blocksPerMultiprocessor);
  limits.read("registers_per_multiprocessor", t.registersPerMultiprocessor);
  limits.read("registers_per_block", t.registersPerBlock);
  limits.read("registers_per_thread", t.registersPerThread);
  limits.read("shared_bytes_per_block", t.sharedPerBlock);
  limits.read("shared_bytes_per_block_opt_in", t.sharedPerBlockOptIn);
  limits.read("shared_bytes_per_multiprocessor", t.sharedPerMultiprocessor);
  limits.read("register_unit", t.registerUnit);
  limits.read("shared_unit", t.sharedUnit);
  limits.read("max_block", t.maxBlock);
  limits.read("max_grid", t.maxGrid);
  limits.finish();

  TableReader memory(top.section("memory"), "memory", where);
  memory.readOneOf("coalescing", t.coalescing,
                   {{"strict16", CoalescingRule::Strict16},
                    {"segments", CoalescingRule::Segments},
                    {"lines", CoalescingRule::Lines},
                    {"sectors", CoalescingRule::Sectors}});
  memory.read("banks", t.banks);
  memory.read("bank_bytes", t.bankBytes);
  memory.read("bank_row_bytes", t.bankRowBytes);
  memory.read("shared_pass_lanes", t.sharedPassLanes);
  memory.read("partitions", t.partitions);
  memory.read("partition_bytes", t.partitionBytes);
  memory.read("l1_kib", t.l1KiB);
  memory.read("l1_carveouts_kib", t.l1CarveoutsKiB);
  memory.readLine("l1_line_bytes", t.l1LineBytes);
  memory.read("l1_sector_bytes", t.l1SectorBytes);
  memory.read("l1_ways", t.l1Ways);
  memory.readOneOf(
      "l1_global", t.l1Global,
      {{"all", CachedLoads::All}, {"read-only", CachedLoads::ReadOnly}, {"none", CachedLoads::None}});
  memory.readOneOf("l1_store", t.l1Store, {{"update", StoreHit::Update}, {"evict", StoreHit::Evict}});
  memory.readLine("l2_line_bytes", t.l2LineBytes);
  memory.read("l2_ways", t.l2Ways);
  memory.read("l2_fetch_bytes", t.l2FetchBytes);
  memory.read("l2_effective_kib", t.l2EffectiveKiB);
  memory.read("l2_dirty_kib", t.l2DirtyKiB);
  memory.read("l2_merge", t.l2Merge);
  memory.read("l2_merge_requests", t.l2MergeRequests);
  memory.read("requests_under_way", t.requestsUnderWay);
  memory.read("store_sectors", t.storeSectors);
  memory.read("atomic_bytes", t.atomicBytes);
  memory.finish();

  TableReader rates(top.section("rates"), "rates", where);
  rates.read("issue", t.issue);
  rates.read("fp64_lanes", t.fp64Lanes);
  rates.read("int_lanes", t.intLanes);
  rates.read("special_lanes", t.specialLanes);
  rates.read("load_store_lanes", t.loadStoreLanes);
  rates.read("shared_bytes_per_cycle", t.sharedBytesPerCycle);
  rates.read("l1_bytes_per_cycle", t.l1BytesPerCycle);
  rates.read("l2_gb_s", t.l2GBs);
  rates.read("reached_gb_s", t.reachedGBs);
  rates.read("l2_partial_write", t.l2PartialWrite);
  rates.read("dram_visit_bytes", t.dramVisitBytes);
  rates.finish();

  TableReader latencies(top.section("latencies"), "latencies", where);
  latencies.read("arithmetic_cycles", t.arithmeticCycles);
  latencies.read("shared_cycles", t.sharedCycles);
  latencies.read("l1_cycles", t.l1Cycles);
  latencies.read("l2_cycles", t.l2Cycles);
  latencies.read("dram_cycles", t.dramCycles);
  latencies.read("warp_start_cycles", t.warpStartCycles);
  latencies.read("atomic_ns", t.atomicNs);
  latencies.read("launch_us", t.launchUs);
  latencies.finish();

  TableReader compiler(top.section("compiler"), "compiler", where);
  compiler.read("predicated_instructions", t.compiler.predicatedInstructions);
  compiler.read("predicated_code", t.compiler.predicatedCode);
  compiler.read("unrolled_instructions", t.compiler.unrolledInstructions);
  compiler.read("unrolled_iterations", t.compiler.unrolledIterations);
  compiler.read("whole_loop_operations", t.compiler.wholeLoopOperations);
  compiler.read("whole_loop_iterations", t.compiler.wholeLoopIterations);
  compiler.read("registers_besides", t.compiler.registersBesides);
  compiler.read("register_step", t.compiler.registerStep);
  compiler.read("least_registers", t.compiler.leastRegisters);
  compiler.read("spare_registers", t.compiler.spareRegisters);
  compiler.finish();

  TableReader instructions(top.section("instructions"), "instructions", where);
  instructions.read("sum_64", t.instructions.sum64);
  instructions.read("product_64", t.instructions.product64);
  instructions.read("divide_f32", t.instructions.divideF32);
  instructions.read("divide_f64", t.instructions.divideF64);
  instructions.read("divide_32", t.instructions.divide32);
  instructions.read("divide_64", t.instructions.divide64);
  instructions.read("remainder_of_quotient", t.instructions.remainderOfQuotient);
  instructions.read("divide_by_power", t.instructions.divideByPower);
  instructions.read("divide_signed_by_power", t.instructions.divideSignedByPower);
  instructions.read("divide_by_number", t.instructions.divideByNumber);
  instructions.read("remainder_by_number", t.instructions.remainderByNumber);
  instructions.read("known_64", t.instructions.known64);
  instructions.read("function", t.instructions.function);
  instructions.finish();

  TableReader scheduling(top.section("scheduling"), "scheduling", where);
  scheduling.read("turn_instructions", t.scheduling.turnInstructions);
  scheduling.read("dependent_share", t.scheduling.dependentShare);
  scheduling.read("comparison_latencies", t.scheduling.comparisonLatencies);
  scheduling.read("whole_waves", t.scheduling.wholeWaves);
  scheduling.read("drain_warps", t.scheduling.drainWarps);
  scheduling.read("drain_share", t.scheduling.drainShare);
  scheduling.finish();

  TableReader recipes(top.section("recipes"), "recipes", where);
  recipes.read("tiles", t.measuredTiles);
  recipes.finish();
  top.finish();
  return t;
}

std::vector<Target> loadTargets(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (error)
    throw Error(fmt::format("{}: {}; set HONE_TARGETS_DIR to the folder with hone's targets", folder,
                            error.message()));

  std::vector<Target> targets;
  std::set<std::string> names;
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw Error(fmt::format("{}: cannot be read", path.string()));
    targets.push_back(parseTarget(text.str(), path.stem().string(), path.string()));
    for (const std::string& name : targets.back().aliases)
      if (!names.insert(name).second)
        throw Error(fmt::format("{}: another target has the alias '{}' too", path.string(), name));
  }
  std::sort(targets.begin(), targets.end(),
            [](const Target& a, const Target& b) { return order(a) < order(b); });
  return targets;
}

std::string targetsFolder() {
  if (const char* folder = std::getenv("HONE_TARGETS_DIR")) return folder;
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    fs::path installed = self.parent_path().parent_path() / config::installedTargetsDir;
    if (fs::is_directory(installed, error)) return installed.string();
  }
  return config::sourceTargetsDir;
}

std::string sharedLimitText(const Target& target) {
  std::string out = fmt::format("declared arrays may have {} on {}", target.sharedPerBlock, target.name);
  if (target.sharedPerBlockOptIn > target.sharedPerBlock)
    out += fmt::format(" ({} are for arrays that are sized at the launch)", target.sharedPerBlockOptIn);
  return out;
}

const Target& findTarget(const std::vector<Target>& targets, const std::string& name) {
  std::vector<std::string> names;
  for (const Target& target : targets) {
    if (target.name == name) return target;
    if (std::find(target.aliases.begin(), target.aliases.end(), name) != target.aliases.end()) return target;
    names.push_back(target.name);
    names.insert(names.end(), target.aliases.begin(), target.aliases.end());
  }
  throw Error(fmt::format("there is no target '{}'{}\n`hone targets` lists those there are", name,
                          didYouMean(name, names)));
}

bool isNamed(const std::string& device, const Target& target) {
  std::vector<std::string> words(1);
  for (const char c : device) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  // Names of targets have no spaces: "rtx4090".
  for (size_t first = 0; first < words.size(); ++first) {
    std::string joined;
    for (size_t i = first; i < words.size(); ++i) {
      joined += words[i];
      if (joined == target.name) return true;
    }
  }
  return device == target.name;
}

}  // namespace hone::target
