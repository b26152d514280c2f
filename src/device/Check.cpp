#include <fmt/core.h>

#include <algorithm>

#include "device/ChooseCase.h"
#include "device/Judge.h"
#include "ir/Error.h"

namespace hone::device {

using namespace ir;

std::string sizesText(const std::map<std::string, int64_t>& sizes) {
  std::string out;
  for (const auto& [name, value] : sizes) out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, value);
  return out;
}

bool Judgement::ranFast() const {
  return std::any_of(runs.begin(), runs.end(),
                     [](const JudgedRun& run) { return run.equal && !run.fellBack; });
}

size_t Judgement::errors() const {
  return static_cast<size_t>(std::count_if(findings.begin(), findings.end(), [](const JudgedFinding& f) {
    return !f.inOriginal && f.finding.cls != sim::FindingClass::SameValue;
  }));
}

size_t Judgement::warnings() const {
  return static_cast<size_t>(std::count_if(findings.begin(), findings.end(), [](const JudgedFinding& f) {
    return !f.inOriginal && f.finding.cls == sim::FindingClass::SameValue;
  }));
}

JudgedFinding judged(const sim::Finding& finding, const Case& c) {
  return {sim::str(finding.kind), sim::str(finding.cls), finding, sizesText(c.sizes()), false};
}

JudgedRun recordOf(const Case& c) {
  JudgedRun run;
  run.sizes = c.sizes();
  run.grid = c.grid;
  run.block = c.block;
  return run;
}

size_t errorsIn(const PlanResult& result) {
  return static_cast<size_t>(
      std::count_if(result.findings.begin(), result.findings.end(),
                    [](const sim::Finding& f) { return f.cls != sim::FindingClass::SameValue; }));
}

namespace {

constexpr uint64_t fewestSteps = 10'000;  // of a warp in a look at how long that is
// Warp instructions of a grid of few blocks, and what stays of it where each of them runs for long.
constexpr uint64_t mostInstructionsOfFew = 6'000'000, leastBlocks = 2;

// Arrays together, where sizes are guessed: smaller guesses are tried before.
constexpr uint64_t mostBytesOfGuess = 16 << 20;

bool hasLargeSizes(const Case& c) {
  auto sizes = c.sizes();
  return std::any_of(sizes.begin(), sizes.end(), [](const auto& s) { return s.second > 1000; });
}

uint64_t blocks(const std::array<uint32_t, 3>& g) { return uint64_t(g[0]) * g[1] * g[2]; }

void halve(std::array<uint32_t, 3>& g) {
  uint32_t& most = *std::max_element(g.begin(), g.end());
  most = (most + 1) / 2;
}

bool mayLeaveOutBlocks(const Case& c, const DataOptions& options) {
  return c.gridOrigin != Origin::Given || options.givenGridIsLaunch;
}

// Of a grid each of whose blocks takes so many instructions; 0: too many.
void leaveOutBlocks(Case& c, uint64_t each, const DataOptions& options) {
  const std::array<uint32_t, 3> before = c.grid;
  if (each > 0)
    while (blocks(c.grid) > options.fewestBlocks && blocks(c.grid) * each > options.mostInstructions)
      halve(c.grid);
  while (blocks(c.grid) > leastBlocks && (each == 0 || blocks(c.grid) * each > mostInstructionsOfFew))
    halve(c.grid);
  if (c.grid != before && c.fullGrid[0] == 0) c.fullGrid = before;
}

// Blocks are left out of a grid that would take too long; what they would do is tried on fewer first. False:
// even few blocks take too long.
bool limitGrid(Case& c, const Plan& original, Programs& programs, const DataOptions& options) {
  if (!mayLeaveOutBlocks(c, options)) return true;
  Case probe = c;
  while (blocks(probe.grid) > options.fewestBlocks) halve(probe.grid);
  uint64_t threads = blocks(c.block);
  bool isSmall = blocks(c.grid) <= 16 && c.sizes().empty();
  if (isSmall || c.cooperative || (!hasLargeSizes(c) && blocks(c.grid) * threads <= 8192)) return true;
  DataOptions quick = options;
  const uint64_t warps = blocks(probe.grid) * ((threads + 31) / 32);
  quick.probeSteps = std::max<uint64_t>(fewestSteps, 2 * options.mostInstructions / warps);
  quick.onlyLengths = true;
  CaseData data = prepareData(probe, original, programs, quick);
  if (data.isCutShort) {
    leaveOutBlocks(c, 0, options);
    return false;
  }
  uint64_t each = std::max<uint64_t>(1, data.warpInstructions / blocks(probe.grid));
  leaveOutBlocks(c, each, options);
  return blocks(c.grid) * each <= 2 * options.mostInstructions;
}

// Few blocks were not looked at before; where they turn out to run for long, fewer are enough.
CaseData prepareFew(Case& c, const Plan& original, Programs& programs, const DataOptions& options,
                    bool anySize) {
  const bool mayBeFewer =
      mayLeaveOutBlocks(c, options) && !anySize && !c.cooperative && blocks(c.grid) > leastBlocks;
  try {
    CaseData data = prepareData(c, original, programs, options);
    if (!mayBeFewer || data.isCutShort || data.warpInstructions <= mostInstructionsOfFew) return data;
    leaveOutBlocks(c, data.warpInstructions / blocks(c.grid), options);
  } catch (const TooMuchWork&) {
    if (!mayBeFewer) throw;
    leaveOutBlocks(c, 0, options);
  }
  return prepareData(c, original, programs, options);
}

// Whether two cases are launched with the same sizes and blocks, whatever was left out of one.
bool isSameLaunch(const Case& whole, const Case& part) {
  return whole.sizes() == part.sizes() && whole.block == part.block &&
         whole.grid == (part.fullGrid[0] ? part.fullGrid : part.grid);
}

bool isSameRun(const Case& one, const Case& other) {
  return one.sizes() == other.sizes() && one.grid == other.grid && one.block == other.block &&
         one.hasPositiveData == other.hasPositiveData && one.samples.empty() == other.samples.empty();
}

// Where findings are at a guess and at another one none, in a note: "clean …; … there are 2 findings".
std::string cleanAt(const LaunchGuess& guess, const std::string& first, size_t errors) {
  const std::string findings = errors == 1 ? "is a finding" : fmt::format("are {} findings", errors);
  if (guess.recordedValues || guess.positiveData)
    return fmt::format(
        "clean with made-up contents {}; with others there {} (--input gives what arrays hold)",
        guess.recordedValues ? "like those that were recorded" : "above zero", findings);
  return fmt::format("clean at this guess; at {} there {} (give that to see {})", first, findings,
                     errors == 1 ? "it" : "them");
}

}  // namespace

ChosenCase chooseCase(const CaseMaker& maker, const PlanPtr& original, Programs& programs,
                      const DataOptions& options, CaseWish wish) {
  ChosenCase best;
  bool found = false;
  std::optional<Error> problem;
  wish.anySize |= options.run.profiling != nullptr;  // counts on a sample of the blocks
  auto penalty = [](const CaseData& data) {
    return data.unused.size() + data.belowZero + (data.isTooLarge ? 100 : 0);
  };
  DataOptions few = options;
  few.mostBytes = mostBytesOfGuess;
  for (int variant = 0; variant < maker.variants(); ++variant) {
    wish.small = variant;
    Case c = maker.make(wish);
    if (found && (!c.hasGuess() || c.sizes() == best.c.sizes())) continue;
    try {
      if (!wish.anySize && !limitGrid(c, *original, programs, options) && !wish.ignoresLaunch) {
        wish.ignoresLaunch = true;
        c = maker.make(wish);
        limitGrid(c, *original, programs, options);
      }
      CaseData data = prepareFew(c, *original, programs, few, wish.anySize);
      if (!found || penalty(data) < penalty(best.data)) best = {std::move(c), std::move(data), wish};
      found = true;
    } catch (const Error& error) {
      if (error.status == 2) throw;
      if (!problem) problem = error;
    }
    if (found && penalty(best.data) == 0) break;
  }
  if (!found) throw *problem;
  if (best.data.isTooLarge && !wish.ignoresLaunch && !wish.anySize) {
    wish.ignoresLaunch = true;
    try {
      if (!isSameLaunch(maker.make(wish), best.c))
        return chooseCase(maker, original, programs, options, wish);
    } catch (const Error& error) {
      if (error.status == 2) throw;
    }
  }
  if (best.data.isTooLarge) fillArrays(best.data);
  return best;
}

static std::string guessesOf(const ChosenCase& chosen) {
  std::string guesses = chosen.c.guessText();
  if (chosen.data.isSharedGuessed)
    guesses += fmt::format("{}--shared {}", guesses.empty() ? "" : " ", chosen.data.dynamicShared);
  return guesses;
}

std::vector<std::string> notesOf(const ChosenCase& chosen) {
  std::vector<std::string> notes;
  if (const std::string guesses = guessesOf(chosen); !guesses.empty())
    notes.push_back((chosen.c.isSmallerThanCaptured ? "smaller than captured: " : "guessed: ") + guesses);
  if (chosen.c.fullGrid[0] != 0)
    notes.push_back(fmt::format("the launch's grid of {} would take long; --grid and --set to give another",
                                extentsText(chosen.c.fullGrid)));
  std::string lengths;
  for (const ArrayData& array : chosen.data.arrays)
    if (array.leaf >= 0 && !array.isGiven && array.aliasOf.empty())
      lengths += fmt::format("{}{}={}", lengths.empty() ? "" : " ", array.name, array.length);
  if (!lengths.empty())
    notes.push_back("lengths found from its own accesses: " + lengths + " (--length to give them)");
  for (const std::string& name : chosen.data.unused)
    notes.push_back(
        fmt::format("array '{}' was not touched; give sizes with --set, or data with --input", name));
  return notes;
}

// Elements of declared outputs that the kernel left without a value.
void addUnsetOutputs(Judgement& judgement, const ChosenCase& chosen, const CaseRun& run) {
  for (size_t i = 0; i < chosen.data.arrays.size(); ++i) {
    const ArrayData& array = chosen.data.arrays[i];
    const std::vector<uint8_t>& bits = run.isSet[i];
    if (!chosen.c.outputs.contains(array.name) || !chosen.c.lengths.contains(array.name) || bits.empty())
      continue;
    uint64_t count = 0, first = 0;
    for (uint64_t e = 0; e < array.length; ++e) {
      bool isSet = true;
      for (uint64_t byte = e * array.elementBytes; byte < (e + 1) * array.elementBytes; ++byte)
        isSet &= (bits[byte / 8] >> (byte % 8)) & 1;
      if (!isSet && count++ == 0) first = e;
    }
    if (count == 0) continue;
    sim::Finding finding;
    finding.kind = sim::FindingKind::Uninitialized;
    finding.kernel = chosen.c.kernel->qualifiedName;
    finding.party.file = chosen.c.kernel->loc.valid() ? *chosen.c.kernel->loc.file : "";
    finding.party.line = chosen.c.kernel->loc.line;
    finding.space = "global";
    finding.array = array.name;
    finding.index = static_cast<int64_t>(first);
    finding.length = static_cast<int64_t>(array.length);
    finding.count = count;
    finding.message = fmt::format("output '{}' is left without a value in {} of {} elements, the first is {}",
                                  array.name, count, array.length, first);
    JudgedFinding one = judged(finding, chosen.c);
    one.kind = "unset-output";
    judgement.findings.push_back(std::move(one));
  }
}

static bool onlyGlobalRaces(const PlanResult& result) {
  return std::all_of(result.findings.begin(), result.findings.end(), [](const sim::Finding& f) {
    return f.cls == sim::FindingClass::SameValue ||
           (f.kind == sim::FindingKind::Race && f.space == "global" && f.betweenBlocks);
  });
}

// Whether arrays are as long as what threads touched until they were cut short, where the run to be made is
// not.
static bool hasLengthsOfPart(const ChosenCase& chosen, const sim::RunOptions& run, const DataOptions& how) {
  return chosen.data.isCutShort && run.stepLimit > how.probeSteps &&
         std::any_of(chosen.data.arrays.begin(), chosen.data.arrays.end(), [](const ArrayData& array) {
           return array.leaf >= 0 && !array.isGiven && array.aliasOf.empty();
         });
}

namespace {

class Checker {
 public:
  Checker(const CaseMaker& caseMaker, const KernelPtr& kernel, const JudgeOptions& judgeOptions)
      : maker(caseMaker), options(judgeOptions), programs(judgeOptions.compile), plan(originalPlan(kernel)) {
    data.run = options.run;
    data.givenGridIsLaunch = options.givenGridIsLaunch;
  }

  Judgement run(const CaseWish& wish) {
    ChosenCase chosen = firstCase(wish);
    // With guessed sizes an end that is not in sight says nothing about the kernel.
    if (chosen.data.isCutShort && chosen.c.hasGuessedSize()) {
      throw Error(
          fmt::format("no end in sight after {} instructions of a warp with {}{}",
                      std::min(options.run.stepLimit, data.probeSteps), chosen.c.guessText(),
                      maker.settings().input.empty()
                          ? " and contents of its arrays that are made up: give what was guessed, or --input"
                          : ": give what was guessed"),
          1);
    }
    if (hasLengthsOfPart(chosen, options.run, data))
      throw Error(
          fmt::format(
              "no end in sight after {} instructions of a warp, so that the lengths of arrays are not "
              "known{}",
              data.probeSteps, chosen.c.howToShorten()),
          1);
    CaseRun run = runCase(chosen.c, chosen.data, *plan, programs, options.run);
    if (run.result.isOverWork) throw TooMuchWork(chosen.c);
    if (errorsIn(run.result) > 0 && chosen.c.hasGuess()) tryOthers(chosen, run, wish);
    judgement.runs.push_back(recordOf(chosen.c));
    for (const sim::Finding& finding : run.result.findings)
      judgement.findings.push_back(judged(finding, chosen.c));
    addUnsetOutputs(judgement, chosen, run);
    const bool isAtEdges =
        chosen.c.isSmallerThanCaptured && judgement.findings.empty() && isFoundAtEdges(wish);
    if (!isAtEdges) judgement.guesses = guessesOf(chosen);
    judgement.isOfCapture = chosen.c.isSmallerThanCaptured;
    std::vector<std::string> notes = notesOf(chosen);
    judgement.notes.insert(judgement.notes.begin(), notes.begin(), notes.end());
    saveArrays(maker.settings(), chosen.data, run);
    return std::move(judgement);
  }

 private:
  // Where a captured launch, made smaller, cannot be run to its end, all of its numbers with part of its
  // blocks may be: what arrays held is known then. Or less of everything: blocks that are left out of a loop
  // over the grid leave more to the others. Loops that made-up contents keep from ending may end with others.
  ChosenCase firstCase(const CaseWish& wish) {
    std::optional<ChosenCase> first;
    std::optional<Error> problem;
    try {
      first = chooseCase(maker, plan, programs, data, wish);
      if (!first->data.isCutShort || !first->c.hasGuess()) return std::move(*first);
    } catch (const Error& error) {
      if (error.status == 2 || !(maker.captured() || maker.decidesByData())) throw;
      problem = error;
    }
    constexpr int64_t little = 48, least = 12;
    std::vector<LaunchGuess> others{{.positiveData = true}};
    if (maker.captured())
      others = {{.partOfGrid = true},   {.mostOfSize = little}, {.recordedValues = true},
                {.positiveData = true}, {.mostOfSize = least},  {.positiveData = true, .mostOfSize = least}};
    for (const LaunchGuess& other : others) try {
        CaseWish with = wish;
        with.ignoresLaunch |= maker.captured() && !other.partOfGrid;
        ChosenCase now = chooseCase(maker.withGuess(other), plan, programs, data, with);
        if (now.data.isCutShort) continue;
        judgement.guess = other;
        return now;
      } catch (const Error&) {
        continue;  // the first one, or its problem, must do
      }
    if (!first) throw *problem;
    return std::move(*first);
  }

  // A kernel without bounds on its threads is meant for sizes that fit its blocks, and so may be one whose
  // threads beyond a row write into the next. Others are meant for a block or a size that was not guessed.
  // Whoever gives lengths asks about bounds.
  void tryOthers(ChosenCase& chosen, CaseRun& run, const CaseWish& wish) {
    if (!chosen.c.lengths.empty() &&
        std::any_of(run.result.findings.begin(), run.result.findings.end(),
                    [](const sim::Finding& f) { return f.kind == sim::FindingKind::OutOfBounds; }))
      return;
    const size_t errors = errorsIn(run.result);
    const std::string first = chosen.c.guessText(), sizes = sizesText(chosen.c.sizes());
    const auto isFound = [&](const CaseMaker& other, const CaseWish& with) {
      try {
        DataOptions few = data;
        few.mostInstructions = mostOfGuess;
        few.fewestBlocks = 2;
        ChosenCase now = chooseCase(other, plan, programs, few, with);
        if (now.data.isCutShort || isSameRun(now.c, chosen.c)) return false;
        ++judgement.guessesTried;
        sim::RunOptions brief = options.run;
        brief.stopAtFirst = true;
        CaseRun second = runCase(now.c, now.data, *plan, programs, brief);
        spent += now.data.warpInstructions + second.result.warpInstructions;
        if (errorsIn(second.result) > 0 || !second.result.completed) return false;
        chosen = std::move(now), run = std::move(second);
        return true;
      } catch (const Error&) {
        return false;  // no end in sight, or an array that cannot be set up: no launch to go on with
      }
    };
    if ((!maker.guardsAllAxes() || onlyGlobalRaces(run.result)) && isFound(maker, {.multiples = true})) {
      judgement.notes.push_back(
          fmt::format("clean at sizes that are multiples of the block; at {} there are {} findings (give "
                      "--set to see them)",
                      sizes, errors));
      return;
    }
    for (const LaunchGuess& guess : maker.otherGuesses()) {
      if (spent > mostSpent) break;
      if (guess.positiveData && !options.mayChooseData) continue;
      if (!isFound(maker.withGuess(guess), wish)) continue;
      judgement.guess = guess;
      judgement.notes.push_back(cleanAt(guess, first, errors));
      return;
    }
    if (judgement.guessesTried > 0)
      judgement.notes.push_back(fmt::format("findings at {} too; give what it is launched with",
                                            judgement.guessesTried == 1
                                                ? "another guess"
                                                : fmt::format("{} other guesses", judgement.guessesTried)));
  }

  // Lengths of arrays are known of a captured launch as it was. One that is too large to be run has blocks at
  // its edges, where arrays end.
  bool isFoundAtEdges(CaseWish wish) {
    constexpr uint64_t mostBytes = 256 << 20;
    wish.anySize = true;
    DataOptions edges = data;
    edges.run.edgesOnly = true;
    edges.mostBytes = mostBytes;
    sim::RunOptions brief = options.run;
    brief.edgesOnly = true;
    brief.stepLimit = std::min(brief.stepLimit, data.probeSteps);
    try {
      const Case c = maker.make(wish);
      const sim::Program& program = programs.of(c.kernel);
      if (!c.isCaptured || c.lengths.empty() || program.usesGridSync || program.ordersBlocks) return false;
      uint64_t bytes = 0;
      for (const ParameterLeaf& leaf : c.leaves)
        if (const auto length = c.lengths.find(leaf.path); length != c.lengths.end())
          bytes += length->second * sizeOf(*leaf.type->element, c.kernel->language == Language::OpenCL);
      if (bytes > mostBytes) return false;
      const CaseData filled = prepareData(c, *plan, programs, edges);
      if (filled.isTooLarge || filled.isCutShort) return false;
      const CaseRun run = runCase(c, filled, *plan, programs, brief);
      // Blocks that are left out may be those that write what these read.
      for (const sim::Finding& finding : run.result.findings)
        if (finding.kind == sim::FindingKind::OutOfBounds) judgement.findings.push_back(judged(finding, c));
      judgement.notes.push_back(
          fmt::format("blocks at the edges of the captured launch, {}, were run too", extentsText(c.grid)));
      if (!judgement.findings.empty()) judgement.runs.push_back(recordOf(c));
      return !judgement.findings.empty();
    } catch (const Error&) {
      return false;  // what can be said of it was said of less
    }
  }

  // Warp instructions on other guesses, each and all together.
  static constexpr uint64_t mostOfGuess = 500'000, mostSpent = 12'000'000;

  const CaseMaker& maker;
  const JudgeOptions& options;
  Programs programs;
  PlanPtr plan;
  DataOptions data;
  Judgement judgement;
  uint64_t spent = 0;
};

}  // namespace

Judgement check(const CaseMaker& maker, const KernelPtr& kernel, const JudgeOptions& options,
                const CaseWish& wish) {
  if (options.progress) options.progress(kernel->name);
  return Checker(maker, kernel, options).run(wish);
}

}  // namespace hone::device
