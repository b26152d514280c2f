#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "device/ChooseCase.h"
#include "device/Judge.h"
#include "device/VerifyCases.h"
#include "ir/Error.h"
#include "ir/HostIteration.h"
#include "ir/Overflow.h"

namespace hone::device {

using namespace ir;

void checkSameParameters(const Kernel& a, const Kernel& b) {
  if (a.params.size() != b.params.size())
    throw Error(fmt::format("kernel '{}' has {} parameters and '{}' has {}", a.qualifiedName, a.params.size(),
                            b.qualifiedName, b.params.size()));
  for (size_t i = 0; i < a.params.size(); ++i) {
    std::vector<TypeLeaf> left = typeLeaves(a.params[i]->type, a.language == Language::OpenCL);
    std::vector<TypeLeaf> right = typeLeaves(b.params[i]->type, b.language == Language::OpenCL);
    bool same = left.size() == right.size();
    for (size_t l = 0; same && l < left.size(); ++l) {
      const Type &x = *left[l].type, &y = *right[l].type;
      same = left[l].offset == right[l].offset &&
             (x.isPointer() ? y.isPointer() && (x.space == Space::Shared) == (y.space == Space::Shared)
                            : x.kind == y.kind && x.bits == y.bits);
    }
    if (!same)
      throw Error(fmt::format("parameter {} is '{}' of type {} in '{}' and '{}' of type {} in '{}'", i + 1,
                              a.params[i]->name, str(*a.params[i]->type), a.qualifiedName, b.params[i]->name,
                              str(*b.params[i]->type), b.qualifiedName));
  }
}

namespace {

class Verifier {
 public:
  Verifier(const CaseMaker& caseMaker, PlanPtr a, PlanPtr b, const JudgeOptions& judgeOptions)
      : maker(caseMaker),
        original(std::move(a)),
        other(std::move(b)),
        options(judgeOptions),
        programs(judgeOptions.compile),
        coverage(*other, original->original, programs) {}

  Judgement run() {
    data.run = options.run;
    data.givenGridIsLaunch = options.givenGridIsLaunch;
    // Nothing of the first kernel is of interest but its results and findings.
    ChosenCase base = choose(data, {});
    CaseRun first = runFirst(base.c, base.data, options.run);
    if (errorsIn(first.result) > 0 && base.c.hasGuess() && !maker.guardsAllAxes()) {
      ChosenCase even = choose(data, {.multiples = true});
      CaseRun second = runFirst(even.c, even.data, options.run);
      if (errorsIn(second.result) == 0) base = std::move(even), first = std::move(second);
    }
    const CaseWish chosen = base.wish;
    avoidNan(base, first, [&](const DataOptions& now, bool fractions) {
      CaseWish wish = chosen;
      wish.fractions = fractions;
      return choose(now, wish);
    });
    untouched = {base.data.unused.begin(), base.data.unused.end()};
    compareAt(base, first, true);
    first = {};
    bool hasFiles = !base.c.inputs.empty();
    if (!options.exactSizes && !hasFiles) {
      for (const auto& sizes : sizeSets(maker, base.c)) atSizes(base, sizes);
      for (NumberSet values : specialValues(*other)) {
        for (const std::string& name : maker.sizeNames())
          values.emplace(name, base.c.numbers.at(name).value.asWhole());
        atSizes(base, values);
      }
      if (judgement.runs.size() == 1 && !isSpent()) otherSeed(base);
      if (!judgement.ranFast()) atFastSizes(base);
      // Whoever wrote two kernels by hand may count on sizes and launches that make sense.
      const bool isHand = other->original != original->original;
      if (judgement.equal && !isHand) atOddLaunches(base);
      if (judgement.equal) reachMore(base);
      if (judgement.equal && !isHand && !hasBuffers(*other)) atExtremes(base);
    }
    base.data.unused.assign(untouched.begin(), untouched.end());
    const std::vector<std::string> notes = notesOf(base);
    judgement.notes.insert(judgement.notes.begin(), notes.begin(), notes.end());
    addNotesOnNan();
    judgement.uncompared = whyUncompared();
    judgement.mayBeMeant = !judgement.uncompared.empty() && notNumbers.empty() &&
                           (options.exactSizes || (coverage.neverHeld() > 0 && !coverage.launched()));
    judgement.unreached = coverage.unreached();
    judgement.untouched = base.data.unused;
    judgement.heldAlways = coverage.alwaysHeld();
    return std::move(judgement);
  }

 private:
  std::string whyUncompared() const {
    if (!judgement.equal) return "";
    const size_t runs = judgement.runs.size();
    const std::string help = "; give sizes and numbers with --set, or data with --input";
    if (compared == 0 && !notNumbers.empty())
      return fmt::format("every result of the original is NaN in {} runs{}", runs, help);
    if (coverage.neverHeld() > 0 && !coverage.launched())
      return fmt::format(
          "conditions of the fast version hold at none of the {} sizes tried, so that the original ran; give "
          "sizes at which they do (--set)",
          runs);
    if (!coverage.stored() && isTooMuch) return tooMuchWork;
    if (!coverage.stored())
      return fmt::format("no statement of it that writes to memory was executed in {} runs{}", runs, help);
    if (compared == 0 && isTooMuch) return tooMuchWork;
    if (compared == 0) return fmt::format("no array was changed in {} runs{}", runs, help);
    return "";
  }

  void addNotesOnNan() {
    if (data.fraction)
      judgement.notes.emplace_back("inputs and numbers between 0 and 1: with others the original gives NaN");
    else if (data.positive)
      judgement.notes.emplace_back(
          "inputs without negative numbers and zeros: with them the original gives NaN");
    for (const auto& [array, count] : notNumbers)
      judgement.notes.push_back(fmt::format("NaN in both: {} element{} of '{}', not compared", count,
                                            count == 1 ? "" : "s", array));
  }

  // Roots and logarithms of negative numbers say nothing: where the original gives NaN other data are tried,
  // and kept where they give less of it. `make` makes the case for them.
  template <class Make> void avoidNan(ChosenCase& now, CaseRun& first, Make make) {
    uint64_t fewest = newNans(now.data, first);
    for (const bool fraction : {false, true}) {
      if (fewest == 0 || data.fraction || (data.positive && !fraction)) continue;
      DataOptions with = data;
      with.positive = true;
      with.fraction = fraction;
      ChosenCase again = make(with, fraction);
      CaseRun second = runFirst(again.c, again.data, options.run);
      const uint64_t count = newNans(again.data, second);
      if (count >= fewest) continue;
      fewest = count;
      now = std::move(again), first = std::move(second);
      data = with;
    }
  }

  ChosenCase choose(const DataOptions& with, const CaseWish& wish) {
    ChosenCase chosen = chooseCase(maker, original, programs, with, wish);
    work += chosen.data.work;
    return chosen;
  }
  CaseData prepare(const Case& c, const DataOptions& with) {
    CaseData made = prepareData(c, *original, programs, with);
    work += made.work;
    return made;
  }
  // Throws TooMuchWork.
  CaseRun runFirst(const Case& c, const CaseData& of, const sim::RunOptions& how) {
    CaseRun run = runCase(c, of, *original, programs, how);
    work += run.result.work;
    if (run.result.isOverWork) throw TooMuchWork(c);
    return run;
  }
  bool isSpent() const { return work > options.mostWorkInAll; }

  void atSizes(const ChosenCase& base, const NumberSet& sizes, bool isExtra = false) {
    if (isSpent()) {
      judgement.notes.push_back(
          fmt::format("not run at {}: runs at other sizes took long", sizesText(sizes)));
      return;
    }
    CaseWish wish = base.wish;
    wish.sizes = sizes;
    wish.fractions = data.fraction;
    try {
      // A size that is meant for one array axis may be squared.
      const uint64_t most = isExtra ? mostBytes : std::max(usualBytes, bytesOf(base.data));
      ChosenCase now{maker.make(wish), {}, wish};
      DataOptions probing = data;
      probing.run.mostBytesMade = 2 * most;
      now.data = prepare(now.c, probing);
      if ((isExtra && now.data.isCutShort) || bytesOf(now.data) > most) return;
      CaseRun first = runFirst(now.c, now.data, options.run);
      if (isExtra) spent += first.result.warpInstructions;
      avoidNan(now, first, [&](const DataOptions& with, bool fractions) {
        CaseWish again = wish;
        again.fractions = fractions;
        ChosenCase made{maker.make(again), {}, again};
        made.data = prepare(made.c, with);
        return made;
      });
      compareAt(now, first, false);
    } catch (const Error& error) {
      judgement.notes.push_back(fmt::format("not run at {}: {}", sizesText(sizes), error.what()));
    }
  }

  // Where conditions of the plan held at no sizes so far: larger ones in place of those that nobody gave,
  // then some that fill no block.
  void atFastSizes(const ChosenCase& base) {
    const std::vector<std::string> names = maker.freeSizes();
    if (names.empty()) return;
    for (const int64_t size : {64, 128, 256}) {
      NumberSet sizes;
      for (const std::string& name : maker.sizeNames()) sizes[name] = base.c.numbers.at(name).value.asWhole();
      for (const std::string& name : names) sizes[name] = size;
      atSizes(base, sizes);
      if (!judgement.ranFast()) continue;
      for (size_t i = 0; i < names.size(); ++i) sizes[names[i]] = size + 4 * int64_t(9 + 2 * i);
      atSizes(base, sizes);
      return;
    }
  }

  // Numbers as large and as small as can be, where the original stays in its arrays with them: "no limit" is
  // often said so, and tests before a launch must not overflow. Runs that are equal are not listed.
  void atExtremes(const ChosenCase& base) {
    ChosenCase even{base.c, {}, base.wish};
    even.wish.multiples = true;
    const int64_t unit = std::max({base.c.block[0], base.c.block[1], base.c.block[2]});
    for (const std::string& name : maker.freeSizes()) even.wish.sizes[name] = unit;
    try {
      even.c = maker.make(even.wish);
      const bool isOneBlock = blocksOf(even.c) == 1;
      atExtremesOf(even);
      even.c = maker.make(even.wish);
      even.c.grid = {1, 1, 1};  // which leaves room for threads that the launch does not have
      if (!isOneBlock) atExtremesOf(even);
    } catch (const Error&) {
      return;  // there is no such case
    }
  }

  void atExtremesOf(ChosenCase& even) {
    sim::RunOptions brief = options.run;
    brief.stopAtFirst = true;
    brief.stepLimit = std::min<uint64_t>(brief.stepLimit, 100'000);
    even.data = prepare(even.c, data);
    const auto ordinary = even.c.numbers;
    for (const auto& set : extremeSets(even.c)) {
      if (isSpent()) return;
      if (mayOverflowAt(*maker.facts().inlined, set)) continue;
      even.c.numbers = ordinary;
      for (const auto& [path, value] : set) even.c.numbers.at(path).value = wholeNumber(value);
      const CaseRun first = runCase(even.c, even.data, *original, programs, brief);
      work += first.result.work;
      if (!first.result.completed || errorsIn(first.result) > 0) continue;
      compareAt(even, first, false);
      dropUnlessNew();
    }
  }

  // Launches that fit the sizes less well: a block too few or too many, or but one, along x and y, half a
  // block, arrays that begin anywhere or overlap where the plan has a test for it. Tests before a launch must
  // see what a fast version cannot do.
  void atOddLaunches(const ChosenCase& base) {
    const auto odd = [&](auto change) {
      if (!judgement.equal || spent > mostSpent || isSpent()) return;
      try {
        ChosenCase now = base;
        const int64_t few = std::max<int64_t>(43, 3 * int64_t(base.c.block[0]) - 5);
        for (const std::string& name : maker.freeSizes())
          now.wish.sizes[name] = std::min(base.c.numbers.at(name).value.asWhole(), few);
        now.c = maker.make(now.wish);
        if (blocksOf(now.c) > 2 * blocksOf(base.c)) return;  // the base case has but a part of them
        change(now.c);
        now.data = prepare(now.c, data);
        const CaseRun first = runFirst(now.c, now.data, options.run);
        spent += first.result.warpInstructions;
        if (!first.result.findings.empty() || !first.result.completed || now.data.belowZero > 0) return;
        compareAt(now, first, false);
        dropUnlessNew();
      } catch (const Error&) {
        return;  // there is no such launch
      }
    };
    for (const unsigned axis : {0u, 1u}) {
      if (base.c.grid[axis] > 1) odd([&](Case& c) { c.grid[axis] = std::max(1u, c.grid[axis] - 1); });
      if (base.c.grid[axis] > 2) odd([&](Case& c) { c.grid[axis] = 1; });
      odd([&](Case& c) { ++c.grid[axis]; });
    }
    odd([](Case& c) { c.block[0] = std::max(1u, c.block[0] / 2); });
    // Threads that fill no warp, and fewer than there is work for: whoever launches others in their place
    // must not do more.
    for (const unsigned axis : {0u, 1u})
      if (base.c.block[axis] > 1)
        odd([&](Case& c) {
          --c.block[axis];
          c.grid[axis] = std::max(1u, c.grid[axis] - 1);
        });
    odd([](Case& c) { c.isSkewed = true; });
    if (!base.c.aliases.empty()) return;
    size_t tried = 0;
    const auto overlap = [&](const std::string& inner, const std::string& outer, int64_t offset) {
      if (++tried > mostOverlaps) return;
      odd([&](Case& c) { c.aliases[inner] = {outer, offset}; });
      // Threads that share what they write race; one alone does not.
      odd([&](Case& c) {
        c.aliases[inner] = {outer, offset};
        c.grid = c.block = {1, 1, 1};
      });
    };
    for (const auto& [first, second] : pairsTold(*other)) {
      overlap(first, second, 0);
      // Either may lie behind the other: one thread's element is then read by a later iteration.
      overlap(first, second, 1);
      overlap(second, first, 1);
    }
  }

  // Of the run before: one that is equal and reached nothing new of the fast version is not listed.
  void dropUnlessNew() {
    const JudgedRun& run = judgement.runs.back();
    if ((!reachedMore || run.fellBack) && run.equal.value_or(true)) judgement.runs.pop_back();
  }

  // For statements that no run came to: numbers and data that decide otherwise, then larger sizes.
  void reachMore(const ChosenCase& base) {
    const auto isWanted = [this] {
      return judgement.equal && spent < mostSpent && !isSpent() &&
             (!coverage.unreached().empty() || !untouched.empty());
    };
    const auto again = [&](const DataOptions& with, bool fractions, const NumberSet& numbers) {
      if (!isWanted()) return;
      try {
        ChosenCase now = base;
        now.wish.fractions = fractions;
        if (fractions != base.wish.fractions) now.c = maker.make(now.wish);
        for (const auto& [path, value] : numbers) now.c.numbers.at(path).value = wholeNumber(value);
        now.data = prepare(now.c, with);
        const CaseRun first = runFirst(now.c, now.data, options.run);
        spent += first.result.warpInstructions;
        if (errorsIn(first.result) > 0 || !first.result.completed) return;
        compareAt(now, first, false);
        dropUnlessNew();
      } catch (const Error&) {
        return;  // there is no such case
      }
    };
    for (const int64_t value : {0, 1}) {
      DataOptions steered = data;
      steered.steering = value;
      again(steered, data.fraction, {});
    }
    if (!data.fraction) again(data, true, {});
    for (const NumberSet& numbers : decidingSets(maker, base.c)) again(data, data.fraction, numbers);
    for (const NumberSet& sizes : largerSets(maker, base.c, specialValues(*other))) {
      if (!isWanted()) return;
      const size_t before = judgement.runs.size(), notes = judgement.notes.size();
      atSizes(base, sizes, true);
      judgement.notes.resize(notes);
      if (judgement.runs.size() > before) dropUnlessNew();
    }
  }

  // A kernel without sizes is run on other data instead.
  void otherSeed(const ChosenCase& base) {
    ChosenCase now = base;
    ++now.c.seed;
    now.data = prepare(now.c, data);
    CaseRun first = runFirst(now.c, now.data, options.run);
    compareAt(now, first, false);
  }

  void compareAt(const ChosenCase& chosen, const CaseRun& first, bool isBase) {
    if (options.progress) options.progress(sizesText(chosen.c.sizes()));
    JudgedRun record = recordOf(chosen.c);
    sim::RunOptions how = options.run;
    if (how.mostWork < UINT64_MAX / workOfVariant) how.mostWork *= workOfVariant;
    CaseRun second = runCase(chosen.c, chosen.data, *other, programs, how, coverage.begin());
    work += second.result.work;
    record.fellBack = second.result.fellBack;
    // Where the original is done in a moment the second has no end, which is a difference.
    if (second.result.isOverWork && first.result.work > how.mostWork / noEnd) {
      isTooMuch = true;
      reachedMore = false;
      record.skipped = tooMuchWork;
      judgement.runs.push_back(std::move(record));
      return;
    }
    Case checked = chosen.c;
    if (second.result.iterations > 1)
      for (const VarPtr& array : other->original->iteration->unreadByHost)
        checked.temporaries.insert(array->name);
    Comparison comparison = compareRuns(checked, chosen.data, first, second, options.compare);
    if (first.result.completed != second.result.completed && second.result.findings.empty())
      comparison.differences.push_back({"", {0, 1, "one of the two does not come to its end"}});
    addFindings(chosen, first, second);
    for (const auto& [array, count] : comparison.notNumbers) notNumbers[array] += count;
    size_t errors = errorsIn(first.result);
    if (comparison.equal() && comparison.compared == 0 && !comparison.notNumbers.empty()) {
      record.skipped = "every result is NaN";
    } else if (!isBase && errors > 0 && (!comparison.equal() || leavesArrays(first.result))) {
      // The original is wrong at these sizes; what it gives there is no measure.
      record.skipped =
          fmt::format("the original has {} finding{} at these sizes", errors, errors == 1 ? "" : "s");
    } else {
      record.equal = comparison.equal();
      judgement.maxError = std::max(judgement.maxError, comparison.maxError);
      if (!comparison.equal()) judgement.equal = false;
      addDifferences(chosen, comparison);
    }
    reachedMore = false;
    if (record.equal) {
      if (coverage.launchesNow()) compared += comparison.compared;
      reachedMore = coverage.take(second.result);
      const std::set<std::string> unused(chosen.data.unused.begin(), chosen.data.unused.end());
      std::erase_if(untouched, [&](const std::string& array) { return !unused.contains(array); });
    }
    judgement.runs.push_back(std::move(record));
    if (isBase) saveArrays(maker.settings(), chosen.data, second);
  }

  // A finding counts against the second kernel when the first has none of the kind on that array at these
  // sizes. Races are of one kind: passes change who shares a warp, and with it how a race shows.
  void addFindings(const ChosenCase& chosen, const CaseRun& first, const CaseRun& second) {
    auto key = [](const sim::Finding& f) {
      return fmt::format("{}|{}|{}", f.cls == sim::FindingClass::Race ? "" : sim::str(f.kind),
                         sim::str(f.cls), f.space == "global" ? f.array : f.space);
    };
    std::set<std::string> old;
    for (const sim::Finding& finding : first.result.findings) old.insert(key(finding));
    for (const sim::Finding& finding : second.result.findings) {
      std::string seen = fmt::format("{}|{}|{}", key(finding), finding.party.line, finding.other.line);
      if (!reported.insert(seen).second) continue;
      JudgedFinding one = judged(finding, chosen.c);
      one.inOriginal = old.contains(key(finding));
      judgement.findings.push_back(std::move(one));
    }
  }

  void addDifferences(const ChosenCase& chosen, const Comparison& comparison) {
    for (const Difference& difference : comparison.differences) {
      // One per array is enough: the first is at the base sizes or the smallest that fail.
      if (!reported.insert("difference|" + difference.array).second) continue;
      sim::Finding finding;
      finding.kernel = other->original->qualifiedName;
      finding.party.file = other->original->loc.valid() ? *other->original->loc.file : "";
      finding.party.line = other->original->loc.line;
      finding.space = difference.array.empty() ? "" : "global";
      finding.array = difference.array;
      finding.index = difference.array.empty() ? -1 : static_cast<int64_t>(difference.index);
      finding.count = difference.count;
      const ArrayData* array = chosen.data.find(difference.array);
      if (array) finding.length = static_cast<int64_t>(array->length);
      finding.message = difference.message;
      JudgedFinding one = judged(finding, chosen.c);
      one.kind = "mismatch";
      judgement.findings.push_back(std::move(one));
    }
  }

  static uint64_t bytesOf(const CaseData& data) {
    uint64_t bytes = 0;
    for (const ArrayData& array : data.arrays) bytes += array.length * array.elementBytes;
    return bytes;
  }

  // More than races, after which equal results still say something.
  static bool leavesArrays(const PlanResult& run) {
    return std::any_of(run.findings.begin(), run.findings.end(),
                       [](const sim::Finding& one) { return one.cls == sim::FindingClass::Error; });
  }

  static uint64_t blocksOf(const Case& c) { return uint64_t(c.grid[0]) * c.grid[1] * c.grid[2]; }

  static constexpr uint64_t mostSpent = 1'500'000;
  static constexpr uint64_t mostBytes = 64 << 20;
  static constexpr uint64_t usualBytes = 32 << 20;
  static constexpr size_t mostOverlaps = 9;
  static constexpr uint64_t workOfVariant = 4;  // times what the original may take
  static constexpr uint64_t noEnd = 64;         // the same times what it took
  static constexpr const char* tooMuchWork = "threads of the new version run for too long to be tried here";

  const CaseMaker& maker;
  PlanPtr original, other;
  const JudgeOptions& options;
  Programs programs;
  Coverage coverage;
  DataOptions data;
  Judgement judgement;
  std::set<std::string> reported;
  std::map<std::string, uint64_t> notNumbers;  // by array, over all runs
  std::set<std::string> untouched;             // arrays that no run touched
  uint64_t compared = 0;                       // results, over all runs
  uint64_t spent = 0;        // warp instructions of the original on odd launches and to reach more
  uint64_t work = 0;         // of all runs (JudgeOptions::mostWorkInAll)
  bool isTooMuch = false;    // a run of the second plan was ended
  bool reachedMore = false;  // the run before was the first to reach something
};

}  // namespace

Judgement verify(const CaseMaker& maker, const PlanPtr& original, const PlanPtr& other,
                 const JudgeOptions& options) {
  checkSameParameters(*original->original, *other->original);
  return Verifier(maker, doesIterations(*other) ? referencePlan(*other) : original, other, options).run();
}

}  // namespace hone::device
