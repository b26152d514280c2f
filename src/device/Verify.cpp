#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "device/ChooseCase.h"
#include "device/Judge.h"
#include "ir/Build.h"
#include "ir/Error.h"
#include "ir/HostIteration.h"
#include "ir/Overflow.h"
#include "ir/PlanWalk.h"

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

// Sizes to try besides those of the case: one, multiples of the block and one more, primes, each different
// for each name, and one dimension at a time as small as can be. Sizes that the user gave are not exceeded.
std::vector<std::map<std::string, int64_t>> sizeSets(const CaseMaker& maker, const Case& base) {
  std::vector<std::string> names;
  for (const std::string& name : maker.sizeNames())
    if (base.numbers.at(name).value.asWhole() > 1) names.push_back(name);
  if (names.empty()) return {};
  unsigned axes = static_cast<unsigned>(__builtin_popcount(base.facts->used.block | base.facts->used.thread));
  bool isFlat = axes <= 1 && names.size() == 1;
  int64_t unit = std::max({base.block[0], base.block[1], base.block[2]});
  const std::vector<int64_t> primes =
      isFlat ? std::vector<int64_t>{127} : std::vector<int64_t>{37, 29, 41, 23, 31};
  const std::vector<int64_t> larger =
      isFlat ? std::vector<int64_t>{769} : std::vector<int64_t>{67, 53, 71, 47, 59};
  std::vector<std::map<std::string, int64_t>> sets;
  auto add = [&](auto valueOf) {
    std::map<std::string, int64_t> set;
    for (size_t i = 0; i < names.size(); ++i) {
      const CaseNumber& number = base.numbers.at(names[i]);
      int64_t value = valueOf(i);
      if (number.origin == Origin::Given) value = std::min(value, number.value.asWhole());
      set[names[i]] = value;
    }
    sets.push_back(std::move(set));
  };
  add([](size_t) { return int64_t(1); });
  add([&](size_t) { return isFlat ? 2 * unit : std::max<int64_t>(unit, (64 + unit - 1) / unit * unit); });
  add([&](size_t i) {
    return (isFlat ? 2 * unit : std::max<int64_t>(unit, (64 + unit - 1) / unit * unit)) + 1 + int64_t(i);
  });
  add([&](size_t i) { return primes[i % primes.size()]; });
  add([&](size_t i) { return larger[i % larger.size()]; });
  if (names.size() > 1)
    for (size_t k = 0; k < std::min<size_t>(names.size(), 3); ++k)
      add([&](size_t i) { return i == k ? int64_t(1) : primes[i % primes.size()]; });
  std::vector<std::map<std::string, int64_t>> unique;
  std::map<std::string, int64_t> own;
  for (const std::string& name : names) own[name] = base.numbers.at(name).value.asWhole();
  for (const auto& set : sets)
    if (set != own && std::find(unique.begin(), unique.end(), set) == unique.end()) unique.push_back(set);
  return unique;
}

// Values of parameters for which a plan has launches of their own: `if (p == 1)` without an else.
void addSpecialValues(const Plan& plan, std::vector<std::map<std::string, int64_t>>& out) {
  walkSteps(plan, Branches::All, [&](const Step& step) {
    const auto* choice = std::get_if<ChoiceStep>(&step);
    if (!choice) return;
    std::map<std::string, int64_t> values;
    for (const ExprPtr& test : conjuncts(choice->cond)) {
      const auto* equals = as<Binary>(test);
      const auto* param = equals && equals->op == BinaryOp::Eq ? as<VarRef>(equals->lhs) : nullptr;
      const auto number = param ? constantValue(equals->rhs) : std::nullopt;
      if (number) values[param->var->name] = *number;
    }
    const bool hasElse = choice->otherwise && !choice->otherwise->steps.empty();
    if (!values.empty() && !hasElse) out.push_back(std::move(values));
  });
}

// Values at the ends of what the types of whole numbers hold, one parameter at a time, then all of a type.
std::vector<std::map<std::string, int64_t>> extremeSets(const Case& c) {
  std::vector<std::map<std::string, int64_t>> sets;
  std::map<std::pair<unsigned, bool>, std::map<std::string, int64_t>> largest;
  for (const ParameterLeaf& leaf : c.leaves) {
    const auto number = c.numbers.find(leaf.path);
    if (!leaf.isWhole() || leaf.type->bits < 32 || number == c.numbers.end()) continue;
    if (number->second.origin == Origin::Given) continue;
    const bool isLong = leaf.type->bits == 64;
    const int64_t most = isLong ? INT64_MAX : INT32_MAX;
    std::vector<int64_t> values = {UINT32_MAX};
    if (isLong && !leaf.type->isSigned) values = {-1, INT64_MIN};
    if (leaf.type->isSigned) values = {most, -1};
    if (isLong && leaf.type->isSigned) values.push_back(INT64_MIN);
    for (const int64_t value : values) sets.push_back({{leaf.path, value}});
    largest[{leaf.type->bits, leaf.type->isSigned}][leaf.path] = values.front();
  }
  for (auto& [type, set] : largest)
    if (set.size() > 1) sets.push_back(std::move(set));
  return sets;
}

// Temporaries as long as extreme numbers say would fill the memory.
bool hasBuffers(const Plan& plan) {
  bool found = false;
  walkSteps(plan, Branches::All,
            [&](const Step& step) { found = found || std::holds_alternative<BufferStep>(step); });
  return found;
}

class Verifier {
 public:
  Verifier(const CaseMaker& caseMaker, PlanPtr a, PlanPtr b, const JudgeOptions& judgeOptions)
      : maker(caseMaker),
        original(std::move(a)),
        other(std::move(b)),
        options(judgeOptions),
        programs(judgeOptions.compile) {}

  Judgement run() {
    data.run = options.run;
    data.givenGridIsLaunch = options.givenGridIsLaunch;
    // Nothing of the first kernel is of interest but its results and findings.
    ChosenCase base = chooseCase(maker, original, programs, data, {});
    CaseRun first = runCase(base.c, base.data, *original, programs, options.run);
    if (errorsIn(first.result) > 0 && base.c.hasGuess() && !maker.guardsAllAxes()) {
      ChosenCase even = chooseCase(maker, original, programs, data, {.multiples = true});
      CaseRun second = runCase(even.c, even.data, *original, programs, options.run);
      if (errorsIn(second.result) == 0) base = std::move(even), first = std::move(second);
    }
    const CaseWish chosen = base.wish;
    avoidNan(base, first, [&](const DataOptions& now, bool fractions) {
      CaseWish wish = chosen;
      wish.fractions = fractions;
      return chooseCase(maker, original, programs, now, wish);
    });
    std::vector<std::string> notes = notesOf(base);
    judgement.notes.insert(judgement.notes.begin(), notes.begin(), notes.end());
    compareAt(base, first, true);
    bool hasFiles = !base.c.inputs.empty();
    if (!options.exactSizes && !hasFiles) {
      for (const auto& sizes : sizeSets(maker, base.c)) atSizes(base, sizes);
      std::vector<std::map<std::string, int64_t>> special;
      addSpecialValues(*other, special);
      for (auto& values : special) {
        for (const std::string& name : maker.sizeNames())
          values.emplace(name, base.c.numbers.at(name).value.asWhole());
        atSizes(base, values);
      }
      if (judgement.runs.size() == 1) otherSeed(base);
      if (!judgement.ranFast()) atFastSizes(base);
      // Whoever wrote two kernels by hand may count on sizes that make sense.
      if (judgement.equal && other->original == original->original && !hasBuffers(*other)) atExtremes(base);
    }
    addNotesOnNan();
    judgement.uncompared = whyUncompared();
    return std::move(judgement);
  }

 private:
  std::string whyUncompared() const {
    if (!judgement.equal) return "";
    const bool isCompared = std::any_of(judgement.runs.begin(), judgement.runs.end(),
                                        [](const JudgedRun& run) { return run.equal.has_value(); });
    return isCompared || notNumbers.empty()
               ? ""
               : "every result of the original is NaN; give numbers with --set, or data with --input";
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
      CaseRun second = runCase(again.c, again.data, *original, programs, options.run);
      const uint64_t count = newNans(again.data, second);
      if (count >= fewest) continue;
      fewest = count;
      now = std::move(again), first = std::move(second);
      data = with;
    }
  }

  void atSizes(const ChosenCase& base, const std::map<std::string, int64_t>& sizes) {
    CaseWish wish = base.wish;
    wish.sizes = sizes;
    wish.fractions = data.fraction;
    try {
      ChosenCase now{maker.make(wish), {}, wish};
      now.data = prepareData(now.c, *original, programs, data);
      CaseRun first = runCase(now.c, now.data, *original, programs, options.run);
      avoidNan(now, first, [&](const DataOptions& with, bool fractions) {
        CaseWish again = wish;
        again.fractions = fractions;
        ChosenCase made{maker.make(again), {}, again};
        made.data = prepareData(made.c, *original, programs, with);
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
      std::map<std::string, int64_t> sizes;
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
    ChosenCase even = base;
    even.wish.multiples = true;
    const int64_t unit = std::max({base.c.block[0], base.c.block[1], base.c.block[2]});
    for (const std::string& name : maker.freeSizes()) even.wish.sizes[name] = unit;
    sim::RunOptions brief = options.run;
    brief.stopAtFirst = true;
    brief.stepLimit = std::min<uint64_t>(brief.stepLimit, 100'000);
    try {
      even.c = maker.make(even.wish);
      even.data = prepareData(even.c, *original, programs, data);
      for (const auto& set : extremeSets(even.c)) {
        if (mayOverflowAt(*maker.facts().inlined, set)) continue;
        ChosenCase now = even;
        for (const auto& [path, value] : set) now.c.numbers.at(path).value = wholeNumber(value);
        const CaseRun first = runCase(now.c, now.data, *original, programs, brief);
        if (!first.result.completed || errorsIn(first.result) > 0) continue;
        compareAt(now, first, false);
        if (judgement.runs.back().equal.value_or(true)) judgement.runs.pop_back();
      }
    } catch (const Error&) {
      return;  // there is no such case
    }
  }

  // A kernel without sizes is run on other data instead.
  void otherSeed(const ChosenCase& base) {
    ChosenCase now = base;
    ++now.c.seed;
    now.data = prepareData(now.c, *original, programs, data);
    CaseRun first = runCase(now.c, now.data, *original, programs, options.run);
    compareAt(now, first, false);
  }

  void compareAt(const ChosenCase& chosen, const CaseRun& first, bool isBase) {
    if (options.progress) options.progress(sizesText(chosen.c.sizes()));
    JudgedRun record = recordOf(chosen.c);
    CaseRun second = runCase(chosen.c, chosen.data, *other, programs, options.run);
    record.fellBack = second.result.fellBack;
    Case compared = chosen.c;
    if (second.result.iterations > 1)
      for (const VarPtr& array : other->original->iteration->unreadByHost)
        compared.temporaries.insert(array->name);
    Comparison comparison = compareRuns(compared, chosen.data, first, second, options.compare);
    if (first.result.completed != second.result.completed && second.result.findings.empty())
      comparison.differences.push_back({"", {0, 1, "one of the two does not come to its end"}});
    addFindings(chosen, first, second);
    for (const auto& [array, count] : comparison.notNumbers) notNumbers[array] += count;
    size_t errors = errorsIn(first.result);
    if (comparison.equal() && comparison.compared == 0 && !comparison.notNumbers.empty()) {
      record.skipped = "every result is NaN";
    } else if (!isBase && errors > 0 && !comparison.equal()) {
      // The original is wrong at these sizes; what it gives there is no measure.
      record.skipped =
          fmt::format("the original has {} finding{} at these sizes", errors, errors == 1 ? "" : "s");
    } else {
      record.equal = comparison.equal();
      judgement.maxError = std::max(judgement.maxError, comparison.maxError);
      if (!comparison.equal()) judgement.equal = false;
      addDifferences(chosen, comparison);
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

  const CaseMaker& maker;
  PlanPtr original, other;
  const JudgeOptions& options;
  Programs programs;
  DataOptions data;
  Judgement judgement;
  std::set<std::string> reported;
  std::map<std::string, uint64_t> notNumbers;  // by array, over all runs
};

}  // namespace

Judgement verify(const CaseMaker& maker, const PlanPtr& original, const PlanPtr& other,
                 const JudgeOptions& options) {
  checkSameParameters(*original->original, *other->original);
  return Verifier(maker, doesIterations(*other) ? referencePlan(*other) : original, other, options).run();
}

}  // namespace hone::device
