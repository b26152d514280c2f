// compare_facts --random COUNT TARGETS: the same for as many random kernels.
// compare_facts TABLE FOLDER TARGETS [--only FILE[:KERNEL]] [--least-exact PERCENT] [--verbose]
// For every kernel of a folder, run as the table says: what the model of the kernel says about each access,
// with numbers for the sizes, against what the embedded device does. An access that the model calls exact
// must be the same requests of the same warps, lane by lane; one that it calls a superset must hold all that
// happens. On top of that the analyses: sectors, passes through banks, bytes that blocks touch and that
// neighbours share are those of the device.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "CorpusFile.h"
#include "FactChecks.h"
#include "RandomKernels.h"
#include "WatchedRun.h"
#include "ir/Error.h"

namespace hone::test {
namespace {

struct Options {
  std::string table, folder, targets, onlyFile, onlyKernel;
  bool verbose = false;
  unsigned random = 0, firstSeed = 1;
  double leastExact = 0;  // percent of the resolved accesses
};

constexpr uint64_t mostLanes = 50'000'000;

std::string describe(const Request& r) {
  std::string out = "lanes";
  for (size_t lane = 0; lane < 32; ++lane)
    if (r.mask >> lane & 1) out += " " + std::to_string(lane) + ":" + std::to_string(r.address[lane]);
  return out;
}

class Comparison {
 public:
  explicit Comparison(Options given) : options(std::move(given)) {}

  int run() {
    targets = target::loadTargets(options.targets);
    if (options.random > 0) {
      runRandom();
      return report(0);
    }
    const std::vector<RunLine> lines = readRunTable(options.table);
    for (const auto& path : corpusFiles(options.folder))
      if (options.onlyFile.empty() || path.filename() == options.onlyFile) runFile(path, lines);
    return report(options.leastExact);
  }

 private:
  int report(double wanted) const {
    const auto percent = [](unsigned part, unsigned of) { return of ? 100.0 * part / of : 100.0; };
    std::printf("%u runs, %u accesses: %u resolved (%.1f %%), %u of them exact (%.1f %%), %u a superset\n",
                runs, accesses, resolved, percent(resolved, accesses), exact, percent(exact, resolved),
                bounded);
    std::printf("%u compared lane by lane, %llu requests; %u differences\n", compared,
                static_cast<unsigned long long>(requests), differences);
    std::printf(
        "%u compared in sectors, %u in bank passes (%u known without sizes), %u in bytes of a block (%u), %u "
        "in what "
        "neighbouring blocks share\n",
        sectors, banks, perRequest, blocks, perBlock, shared);
    if (options.verbose) {
      std::vector<std::pair<unsigned, std::string>> sorted;
      for (const auto& [reason, count] : reasons) sorted.emplace_back(count, reason);
      std::ranges::sort(sorted, std::greater<>());
      for (const auto& [count, reason] : sorted) std::printf("%6u %s\n", count, reason.c_str());
    }
    const bool enough = percent(exact, resolved) >= wanted;
    if (!enough) std::printf("FAIL: fewer than %g %% of the resolved accesses are exact\n", wanted);
    return differences == 0 && enough && runs > 0 ? 0 : 1;
  }

  // Many kernels to a source, since most of the time goes into starting to read one.
  void runRandom() {
    constexpr unsigned each = 50;
    for (unsigned first = 0; first < options.random; first += each) {
      CorpusFile file;
      file.path = "/random/random.cu";
      for (unsigned i = first; i < std::min(options.random, first + each); ++i)
        file.source += randomKernel(options.firstSeed + i);
      frontend::SourceRequest request;
      request.path = file.path;
      request.contents = file.source;
      request.headers = frontend::CudaHeaders::BuiltIn;
      request.useCache = false;
      const frontend::ImportResult imported = frontend::importFile(request);
      if (!imported.parsed) differ("random kernels", imported.failure + imported.renderedDiagnostics);
      for (const frontend::ImportedKernel& kernel : imported.kernels) {
        const unsigned seed = static_cast<unsigned>(std::stoul(kernel.name.substr(6)));
        if (!kernel.kernel) {
          differ(kernel.name, kernel.reason);
          continue;
        }
        const unsigned before = differences;
        compareRun(kernel.name, kernel.kernel, randomRun(seed), 0);
        if (differences != before) std::printf("%s", randomKernel(seed).c_str());
      }
    }
  }

  void runFile(const std::filesystem::path& path, const std::vector<RunLine>& lines) {
    const CorpusFile file = readCorpusFile(path);
    const frontend::ImportResult imported = import(file);
    if (!imported.parsed) {
      if (file.needsToolkit)
        std::printf("HONE-SKIP: %s: needs the headers of a CUDA toolkit\n", path.filename().c_str());
      else
        differ(path.filename(), imported.failure);
      return;
    }
    for (const frontend::ImportedKernel& kernel : imported.kernels) {
      if (kernel.isUninstantiated || kernel.isInSystemHeader || !kernel.kernel) continue;
      const std::string name = nameOf(kernel);
      if (!options.onlyKernel.empty() && name != options.onlyKernel) continue;
      for (const RunLine& line : lines)
        if (line.file == path.filename() && (line.kernel == name || line.kernel == kernel.qualifiedName))
          for (size_t i = 0; i < line.runs(); ++i)
            compareRun(path.filename().string() + " " + name, kernel.kernel, line, i);
    }
  }

  void differ(const std::string& where, const std::string& what) {
    std::printf("FAIL %s: %s\n", where.c_str(), what.c_str());
    ++differences;
  }

  void compareRun(const std::string& where, const ir::KernelPtr& kernel, const RunLine& line, size_t index) {
    // The present rules, and one of the old ones with each size.
    const char* const old[] = {"gtx8800", "gtx280", "gtx480-48k"};
    for (const char* name : {"h200", old[index % 3]}) {
      if (options.random > 0 && name != std::string("h200")) break;
      isCounting = std::string(name) == "h200";
      try {
        const target::Target& target = findTarget(targets, name);
        const WatchedRun ran = watchedRun(kernel, line, index, target);
        runs += isCounting;
        if (!ran.problem.empty()) differ(where + ran.name, ran.problem);
        FactChecks checks(ran, target, [&](affine::AccessId access, const std::string& what) {
          differ(describeAccess(where + ran.name, ran, ran.model.accesses[access]), what);
        });
        affine::ById<affine::AccessId, bool> isExact;
        for (const affine::AccessId i : ran.model.accesses.ids())
          isExact.add(compareAccess(where + ran.name, ran, i, checks));
        if (isCounting && options.random == 0) checks.footprints(isExact, index + 1 == line.runs());
        sectors += checks.sectors, banks += checks.banks, blocks += checks.blocks, shared += checks.shared;
        perRequest += checks.perRequest, perBlock += checks.perBlock;
      } catch (const Error& error) {
        differ(where, error.what());
      }
    }
  }

  static std::string describeAccess(const std::string& where, const WatchedRun& ran,
                                    const affine::Access& access) {
    return where + ": " + access.handle + " at " + access.loc.str() + ":" +
           std::to_string(access.loc.column) + " = " + ran.model.atoms->str(access.address) + " where " +
           ran.model.atoms->str(access.guard);
  }

  // True when it is exact.
  bool compareAccess(const std::string& where, const WatchedRun& ran, affine::AccessId index,
                     FactChecks& checks) {
    const affine::Access& access = ran.model.accesses[index];
    if (access.mode == ir::AccessMode::Address || access.reason == "never reached") return false;
    // The device keeps most arrays of the thread's own in registers.
    if (access.array.isSome() && ran.model.arrays[access.array].space == ir::Space::Private) return false;
    accesses += isCounting;
    const std::string what = describeAccess(where, ran, access);
    if (!access.isResolved()) {
      note(what, "unresolved: " + access.reason);
      return false;
    }
    resolved += isCounting;
    Requests predicted;
    if (access.exactness == affine::Exactness::Exact) {
      if (!predict(ran, access, predicted)) {
        note(what, "not answered");
        return false;
      }
      exact += isCounting;
      if (compareExactly(what, access, ran.instructions[index], predicted)) checks.costs(index, predicted);
      return true;
    }
    note(what, "superset: " + access.reason);
    affine::Access wider = access;
    wider.guard = knownPart(ran.model, access.guard);
    if (!predict(ran, wider, predicted)) return false;
    bounded += isCounting;
    compareSuperset(what, ran.instructions[index], predicted);
    return false;
  }

  void note(const std::string& what, const std::string& reason) {
    if (!isCounting) return;
    ++reasons[reason];
    if (options.verbose) std::printf("%s: %s\n", what.c_str(), reason.c_str());
  }

  static affine::CondPtr knownPart(const affine::KernelModel& model, const affine::CondPtr& guard) {
    const std::vector<affine::CondPtr> one{guard};
    std::vector<affine::CondPtr> known;
    for (const affine::CondPtr& part : guard->kind == affine::CondKind::And ? guard->parts : one) {
      bool isKnown = !hasUnknown(part);
      model.atoms->forEachAtom(
          part, [&](affine::AtomId id) { isKnown &= (*model.atoms)[id].kind != affine::AtomKind::Opaque; });
      if (isKnown) known.push_back(part);
    }
    return allOf(known);
  }

  static bool predict(const WatchedRun& ran, const affine::Access& access, Requests& out) {
    const auto& grid = ran.launch.grid;
    return forEachRequest(ran.model, access, ran.launch, {}, mostLanes, [&](const affine::WarpRequest& r) {
      Request request;
      request.mask = r.mask;
      for (size_t lane = 0; lane < 32; ++lane)
        if (r.mask >> lane & 1) request.address[lane] = r.address[lane];
      const int64_t block = r.block[0] + grid[0] * (r.block[1] + grid[1] * r.block[2]);
      out[{static_cast<uint64_t>(block), r.warp}].push_back(request);
    });
  }

  bool compareExactly(const std::string& what, const affine::Access& access,
                      const std::vector<Instruction>& made, Requests predicted) {
    compared += isCounting;
    for (auto& [warp, list] : predicted) requests += isCounting ? list.size() : 0;
    if (made.empty()) {
      if (!predicted.empty()) differ(what, "the device never does it");
      return false;
    }
    const bool both = access.mode == ir::AccessMode::ReadWrite && !access.atomic;
    std::set<int64_t> covered[3];
    for (const Instruction& instruction : made) {
      const int64_t delta = deltaOf(instruction, predicted);
      for (int64_t byte = delta; byte < delta + instruction.bytes; ++byte)
        covered[static_cast<size_t>(instruction.kind)].insert(byte);
      if (!sameRequests(what, instruction, predicted, delta)) return false;
    }
    const bool isWhole = access.whole->type && !access.whole->type->is(ir::TypeKind::Struct);
    for (size_t kind = 0; kind < 3; ++kind) {
      if (covered[kind].empty()) {
        if (both && kind != static_cast<size_t>(sim::AccessKind::Atomic))
          differ(what, "read or written only");
        continue;
      }
      if (*covered[kind].begin() < 0 || *covered[kind].rbegin() >= int64_t{access.bytes} ||
          (isWhole && covered[kind].size() != access.bytes))
        differ(what, "said to move " + std::to_string(access.bytes) + " bytes, moves bytes " +
                         std::to_string(*covered[kind].begin()) + " to " +
                         std::to_string(*covered[kind].rbegin()));
    }
    return true;
  }

  // Where in the access an instruction's bytes lie, by the first request that both have.
  static int64_t deltaOf(const Instruction& instruction, const Requests& predicted) {
    for (const auto& [warp, list] : instruction.requests) {
      const auto said = predicted.find(warp);
      if (said == predicted.end()) continue;
      const Request &a = list.front(), &b = said->second.front();
      for (size_t lane = 0; lane < 32; ++lane)
        if (a.mask & b.mask & (1u << lane)) return a.address[lane] - b.address[lane];
    }
    return 0;
  }

  bool sameRequests(const std::string& what, const Instruction& instruction, const Requests& predicted,
                    int64_t delta) {
    std::set<WarpKey> warps;
    for (const auto& [warp, list] : instruction.requests) warps.insert(warp);
    for (const auto& [warp, list] : predicted) warps.insert(warp);
    for (const WarpKey& warp : warps) {
      const auto did = instruction.requests.find(warp), said = predicted.find(warp);
      std::vector<Request> have = did == instruction.requests.end() ? std::vector<Request>{} : did->second;
      std::vector<Request> want = said == predicted.end() ? std::vector<Request>{} : said->second;
      for (Request& r : have)
        for (size_t lane = 0; lane < 32; ++lane)
          if (r.mask >> lane & 1) r.address[lane] -= delta;
      if (have == want) continue;
      std::vector<Request> a = have, b = want;
      std::ranges::sort(a);
      std::ranges::sort(b);
      if (a == b) continue;
      const std::string at = "block " + std::to_string(warp.first) + " warp " + std::to_string(warp.second);
      for (size_t i = 0; i < std::max(have.size(), want.size()); ++i) {
        if (i < have.size() && i < want.size() && have[i] == want[i]) continue;
        differ(what, at + ", request " + std::to_string(i) + " of " + std::to_string(have.size()) +
                         " (said " + std::to_string(want.size()) +
                         "): " + (i < have.size() ? describe(have[i]) : "none") + ", said " +
                         (i < want.size() ? describe(want[i]) : "none"));
        return false;
      }
    }
    return true;
  }

  void compareSuperset(const std::string& what, const std::vector<Instruction>& made,
                       const Requests& predicted) {
    for (const Instruction& instruction : made)
      for (const auto& [warp, list] : instruction.requests) {
        std::map<size_t, std::set<int64_t>> said;  // by lane
        if (const auto at = predicted.find(warp); at != predicted.end())
          for (const Request& r : at->second)
            for (size_t lane = 0; lane < 32; ++lane)
              if (r.mask >> lane & 1) said[lane].insert(r.address[lane]);
        for (const Request& r : list)
          for (size_t lane = 0; lane < 32; ++lane) {
            if (!(r.mask >> lane & 1)) continue;
            // Parts of a struct lie behind its start.
            const auto after = said[lane].upper_bound(r.address[lane]);
            if (after == said[lane].begin() || r.address[lane] - *std::prev(after) > 64) {
              differ(what, "block " + std::to_string(warp.first) + " warp " + std::to_string(warp.second) +
                               ": " + describe(r) + " is not in what was said");
              return;
            }
          }
      }
  }

  Options options;
  unsigned runs = 0, accesses = 0, resolved = 0, exact = 0, bounded = 0, compared = 0, differences = 0;
  unsigned sectors = 0, banks = 0, blocks = 0, shared = 0, perRequest = 0, perBlock = 0;
  uint64_t requests = 0;
  bool isCounting = true;  // the first target of a run
  std::vector<target::Target> targets;
  std::map<std::string, unsigned> reasons;
};

Options readArguments(int argc, char** argv) {
  Options out;
  std::vector<std::string> plain;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--random" && i + 1 < argc) {
      out.random = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (word == "--seed" && i + 1 < argc) {
      out.firstSeed = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (word == "--verbose") {
      out.verbose = true;
    } else if (word == "--least-exact" && i + 1 < argc) {
      out.leastExact = std::atof(argv[++i]);
    } else if (word == "--only" && i + 1 < argc) {
      const std::string only = argv[++i];
      const size_t colon = only.find(':');
      out.onlyFile = only.substr(0, colon);
      if (colon != std::string::npos) out.onlyKernel = only.substr(colon + 1);
    } else {
      plain.push_back(word);
    }
  }
  if (out.random > 0 && plain.size() == 1) {
    out.targets = plain[0];
    return out;
  }
  if (plain.size() != 3)
    throw Error(
        "usage: compare_facts TABLE FOLDER TARGETS [--only FILE[:KERNEL]] [--least-exact PERCENT] "
        "[--verbose]");
  out.table = plain[0];
  out.folder = plain[1];
  out.targets = plain[2];
  return out;
}

}  // namespace
}  // namespace hone::test

int main(int argc, char** argv) {
  try {
    return hone::test::Comparison(hone::test::readArguments(argc, argv)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare_facts: %s\n", error.what());
    return 2;
  }
}
