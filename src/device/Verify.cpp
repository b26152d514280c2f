#include <fmt/core.h>

#include <algorithm>

#include "device/Verifier.h"
#include "device/VerifyCases.h"
#include "ir/Error.h"
#include "ir/HostIteration.h"

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

constexpr uint64_t mostBytes = 64 << 20;
constexpr uint64_t usualBytes = 32 << 20;
constexpr uint64_t workOfVariant = 4;  // times what the original may take
constexpr uint64_t noEnd = 64;         // the same times what it took
constexpr uint64_t workOfAny = 64'000'000;
constexpr uint64_t fewResults = 64;  // that say little where the original has findings in other runs
constexpr const char* tooMuchWork = "threads of the new version run for too long to be tried here";

uint64_t bytesOf(const CaseData& data) {
  uint64_t bytes = 0;
  for (const ArrayData& array : data.arrays) bytes += array.length * array.elementBytes;
  return bytes;
}

// More than races, after which equal results still say something.
bool leavesArrays(const PlanResult& run) {
  return std::any_of(run.findings.begin(), run.findings.end(),
                     [](const sim::Finding& one) { return one.cls == sim::FindingClass::Error; });
}

// Whether all that differs is in arrays whose elements the original has threads race for.
bool onlyRacesDecide(const PlanResult& first, const Comparison& comparison) {
  if (comparison.equal()) return false;
  std::set<std::string> raced;
  for (const sim::Finding& one : first.findings)
    if (one.cls == sim::FindingClass::Race) raced.insert(one.space == "global" ? one.array : "");
  return std::all_of(comparison.differences.begin(), comparison.differences.end(),
                     [&](const Difference& d) { return raced.contains(d.array) || raced.contains(""); });
}

}  // namespace

Judgement Verifier::run() {
  data.run = options.run;
  data.givenGridIsLaunch = options.givenGridIsLaunch;
  if (isHand()) coverageOfFirst.emplace(*original, nullptr, programs);
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
    for (const auto& sizes : maker.capturedSizes()) atSizes(base, sizes);
    for (const auto& sizes : sizeSets(maker, base.c)) atSizes(base, sizes);
    for (NumberSet values : specialValues(*other)) {
      for (const std::string& name : maker.sizeNames())
        values.emplace(name, base.c.numbers.at(name).value.asWhole());
      atSizes(base, values);
    }
    atOtherNumbers(base);
    if (judgement.runs.size() == 1 && !isSpent()) otherSeed(base);
    if (!judgement.ranFast()) atFastSizes(base);
    // Whoever wrote two kernels by hand may count on sizes and launches that make sense.
    if (judgement.equal && !isHand()) atOddLaunches(base);
    if (judgement.equal && isHand()) atOtherGrids(base);
    if (judgement.equal) reachMore(base);
    isAtExtremes = true;
    if (judgement.equal && !isHand() && !hasBuffers(*other)) atExtremes(base);
  }
  base.data.unused.assign(untouched.begin(), untouched.end());
  const std::vector<std::string> notes = notesOf(base);
  judgement.notes.insert(judgement.notes.begin(), notes.begin(), notes.end());
  addNotesOnNan();
  if (isHand())
    judgement.notes.push_back(
        fmt::format("not tried: arrays that overlap (--alias) or are not aligned, other blocks{}",
                    maker.facts().gridAxes ? " (--block)" : " and grids (--block, --grid)"));
  judgement.uncompared = whyUncompared();
  judgement.mayBeMeant = !judgement.uncompared.empty() && notNumbers.empty() &&
                         (options.exactSizes || (coverage.neverHeld() > 0 && !coverage.launched()));
  judgement.unreached = coverage.unreached();
  if (coverageOfFirst) judgement.unreachedInFirst = coverageOfFirst->unreached();
  judgement.untouched = base.data.unused;
  judgement.heldAlways = coverage.alwaysHeld();
  judgement.oneSided = coverage.oneSidedTests();
  judgement.language = original->original->language;
  return std::move(judgement);
}

std::string Verifier::whyUncompared() const {
  if (!judgement.equal) return "";
  const size_t runs = judgement.runs.size();
  const std::string help = "; give sizes and numbers with --set, or data with --input";
  if (compared == 0 && !notNumbers.empty())
    return fmt::format("every result of the original is NaN in {} runs{}", runs, help);
  if (runs > 0 && lost == runs)
    return fmt::format("the original has findings in each of {} runs (hone check names them){}", runs, help);
  if (lost > 0 && compared < fewResults)
    return fmt::format("the original has findings in {} of {} runs, and the others compare {} results{}",
                       lost, runs, compared, help);
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

void Verifier::addNotesOnNan() {
  if (data.fraction)
    judgement.notes.emplace_back("inputs and numbers between 0 and 1: with others the original gives NaN");
  else if (data.positive)
    judgement.notes.emplace_back(
        "inputs without negative numbers and zeros: with them the original gives NaN");
  for (const auto& [array, count] : notNumbers)
    judgement.notes.push_back(
        fmt::format("NaN in both: {} element{} of '{}', not compared", count, count == 1 ? "" : "s", array));
}

void Verifier::avoidNan(ChosenCase& now, CaseRun& first,
                        const std::function<ChosenCase(const DataOptions&, bool fractions)>& make) {
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

ChosenCase Verifier::choose(const DataOptions& with, const CaseWish& wish) {
  ChosenCase chosen = chooseCase(maker, original, programs, with, wish);
  work += chosen.data.work;
  return chosen;
}

CaseData Verifier::prepare(const Case& c, const DataOptions& with) {
  CaseData made = prepareData(c, *original, programs, with);
  work += made.work;
  return made;
}

CaseRun Verifier::runFirst(const Case& c, const CaseData& of, const sim::RunOptions& how) {
  CaseRun run =
      runCase(c, of, *original, programs, how, coverageOfFirst ? coverageOfFirst->begin() : LaunchHooks{});
  if (coverageOfFirst) coverageOfFirst->take(run.result);
  work += run.result.work;
  if (run.result.isOverWork) throw TooMuchWork(c);
  return run;
}

void Verifier::atSizes(const ChosenCase& base, const NumberSet& sizes, bool isExtra) {
  if (isSpent()) {
    judgement.notes.push_back(fmt::format("not run at {}: runs at other sizes took long", sizesText(sizes)));
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

void Verifier::atFastSizes(const ChosenCase& base) {
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

void Verifier::dropUnlessNew() {
  const JudgedRun& run = judgement.runs.back();
  if ((!reachedMore || run.fellBack) && run.equal.value_or(true)) judgement.runs.pop_back();
}

void Verifier::reachMore(const ChosenCase& base) {
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

void Verifier::otherSeed(const ChosenCase& base) {
  ChosenCase now = base;
  ++now.c.seed;
  now.data = prepare(now.c, data);
  CaseRun first = runFirst(now.c, now.data, options.run);
  compareAt(now, first, false);
}

void Verifier::compareAt(const ChosenCase& chosen, const CaseRun& first, bool isBase) {
  if (options.progress) options.progress(sizesText(chosen.c.sizes()));
  JudgedRun record = recordOf(chosen.c);
  sim::RunOptions how = options.run;
  if (how.mostWork < UINT64_MAX / workOfVariant)
    how.mostWork *= workOfVariant;
  else
    how.mostWork = std::max(workOfAny, noEnd * first.result.work);  // nobody waits for what has no end
  CaseRun second;
  try {
    second = runCase(chosen.c, chosen.data, *other, programs, how, coverage.begin());
  } catch (const Error& error) {
    if (isBase) throw;
    // A launch that nobody can make in place of one that runs.
    record.equal = judgement.equal = false;
    Comparison unlaunched;
    unlaunched.differences.push_back({"", {0, 1, error.what()}});
    addDifferences(chosen, unlaunched);
    judgement.runs.push_back(std::move(record));
    return;
  }
  work += second.result.work;
  record.fellBack = second.result.fellBack;
  wasFast = coverage.launchesNow();
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
  hasNoEnd |= second.result.isOverWork;
  if (first.result.completed != second.result.completed && second.result.findings.empty())
    comparison.differences.push_back({"", {0, 1, "one of the two does not come to its end"}});
  addFindings(chosen, first, second, isBase);
  for (const auto& [array, count] : comparison.notNumbers) notNumbers[array] += count;
  const size_t errors = errorsIn(first.result);
  if (comparison.equal() && comparison.compared == 0 && !comparison.notNumbers.empty()) {
    record.skipped = "every result is NaN";
  } else if (isBase ? !isHand() && onlyRacesDecide(first.result, comparison)
                    : errors > 0 && (!comparison.equal() || leavesArrays(first.result))) {
    // The original is wrong at these sizes; what it gives there is no measure.
    ++lost;
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
    // With extreme arguments there is often nothing to do, and so nothing that says something.
    if (wasFast && !isAtExtremes) compared += comparison.compared;
    reachedMore = coverage.take(second.result);
    const std::set<std::string> unused(chosen.data.unused.begin(), chosen.data.unused.end());
    // Of arrays that overlap nobody says which of them was touched.
    if (chosen.c.aliases.empty())
      std::erase_if(untouched, [&](const std::string& array) { return !unused.contains(array); });
  }
  judgement.runs.push_back(std::move(record));
  if (isBase) saveArrays(maker.settings(), chosen.data, second);
}

void Verifier::addFindings(const ChosenCase& chosen, const CaseRun& first, const CaseRun& second,
                           bool isBase) {
  auto key = [](const sim::Finding& f) {
    return fmt::format("{}|{}|{}", f.cls == sim::FindingClass::Race ? "" : sim::str(f.kind), sim::str(f.cls),
                       f.space == "global" ? f.array : f.space);
  };
  std::set<std::string> old;
  for (const sim::Finding& finding : first.result.findings) old.insert(key(finding));
  // Where the original is lost lengths of arrays are not known, and what the second leaves says nothing.
  const bool isLost = !isBase && leavesArrays(first.result);
  for (const sim::Finding& finding : second.result.findings) {
    if (isLost && !old.contains(key(finding))) continue;
    std::string seen = fmt::format("{}|{}|{}", key(finding), finding.party.line, finding.other.line);
    if (!reported.insert(seen).second) continue;
    JudgedFinding one = judged(finding, chosen.c);
    one.inOriginal = old.contains(key(finding));
    judgement.findings.push_back(std::move(one));
  }
}

void Verifier::addDifferences(const ChosenCase& chosen, const Comparison& comparison) {
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

Judgement verify(const CaseMaker& maker, const PlanPtr& original, const PlanPtr& other,
                 const JudgeOptions& options) {
  checkSameParameters(*original->original, *other->original);
  const PlanPtr reference = doesIterations(*other) ? referencePlan(*other) : original;
  Judgement judged = Verifier(maker, reference, other, options).run();
  const bool isHand = other->original != original->original;
  const bool isLost = std::any_of(judged.findings.begin(), judged.findings.end(),
                                  [](const JudgedFinding& one) { return one.inOriginal; });
  if (isHand || !isLost || !judged.equal || options.exactSizes) return judged;
  // A launch that was guessed may be one that nobody makes; what is compared there says little.
  const Judgement clean = check(maker, original->original, options);
  if (!clean.guess) return judged;
  const CaseMaker otherGuess = maker.withGuess(*clean.guess);
  Judgement again = Verifier(otherGuess, reference, other, options).run();
  if (again.equal && !again.uncompared.empty()) return judged;
  for (const std::string& note : clean.notes)
    if (std::find(again.notes.begin(), again.notes.end(), note) == again.notes.end())
      again.notes.push_back(note);
  return again;
}

}  // namespace hone::device
