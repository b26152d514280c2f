#include "device/VerifyCases.h"

#include <algorithm>
#include <set>

#include "ir/Build.h"
#include "ir/PlanWalk.h"
#include "ir/Walk.h"

namespace hone::device {

using namespace ir;

std::vector<NumberSet> sizeSets(const CaseMaker& maker, const Case& base) {
  std::vector<std::string> names;
  NumberSet small;  // which stay: with larger guesses the kernel did not do what it is meant to
  for (const std::string& name : maker.sizeNames()) {
    const CaseNumber& number = base.numbers.at(name);
    if (number.value.asWhole() > 1)
      names.push_back(name);
    else if (number.origin == Origin::Guess)
      small[name] = number.value.asWhole();
  }
  if (names.empty()) return {};
  unsigned axes = static_cast<unsigned>(__builtin_popcount(base.facts->used.block | base.facts->used.thread));
  bool isFlat = axes <= 1 && names.size() == 1;
  int64_t unit = std::max({base.block[0], base.block[1], base.block[2]});
  const std::vector<int64_t> primes =
      isFlat ? std::vector<int64_t>{127} : std::vector<int64_t>{37, 29, 41, 23, 31};
  // One less than a multiple of 32: where an unrolled loop or a tile may go one too far.
  const std::vector<int64_t> larger =
      isFlat ? std::vector<int64_t>{767} : std::vector<int64_t>{95, 63, 127, 31, 159};
  // Whoever is smaller in the case stays so: a loop from `first` to `last` runs.
  std::vector<size_t> rank(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t k = 0; k < names.size(); ++k) {
      const auto valueOf = [&](size_t n) { return std::pair(base.numbers.at(names[n]).value.asWhole(), n); };
      if (valueOf(k) < valueOf(i)) ++rank[i];
    }
  std::vector<NumberSet> sets;
  auto add = [&](auto valueOf, bool isRanked = true) {
    NumberSet set = small;
    std::vector<int64_t> values(names.size());
    for (size_t i = 0; i < names.size(); ++i) values[i] = valueOf(i);
    if (isRanked) std::sort(values.begin(), values.end());
    for (size_t i = 0; i < names.size(); ++i) {
      const CaseNumber& number = base.numbers.at(names[i]);
      int64_t value = values[isRanked ? rank[i] : i];
      if (number.origin == Origin::Guess) value = maker.fitted(names[i], value);
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
  // Enough for what several blocks have in common to come from more than the first, and but for one element
  // as much as blocks that do several times the work have to do.
  if (isFlat) add([](size_t) { return int64_t(5119); });
  if (names.size() > 1) add([&](size_t i) { return unit * int64_t(i + 1); });
  if (names.size() > 1)
    for (size_t k = 0; k < std::min<size_t>(names.size(), 3); ++k)
      add([&](size_t i) { return i == k ? int64_t(1) : primes[i % primes.size()]; }, false);
  std::vector<NumberSet> unique;
  NumberSet own = small;
  for (const std::string& name : names) own[name] = base.numbers.at(name).value.asWhole();
  for (const auto& set : sets)
    if (set != own && std::find(unique.begin(), unique.end(), set) == unique.end()) unique.push_back(set);
  return unique;
}

std::vector<NumberSet> specialValues(const Plan& plan) {
  std::vector<NumberSet> out;
  walkSteps(plan, Branches::All, [&](const Step& step) {
    const auto* choice = std::get_if<ChoiceStep>(&step);
    if (!choice) return;
    NumberSet values;
    for (const ExprPtr& test : conjuncts(choice->cond)) {
      const auto* equals = as<Binary>(test);
      const auto* param = equals && equals->op == BinaryOp::Eq ? as<VarRef>(equals->lhs) : nullptr;
      const auto number = param ? constantValue(equals->rhs) : std::nullopt;
      if (number) values[param->var->name] = *number;
    }
    const bool hasElse = choice->otherwise && !choice->otherwise->steps.empty();
    if (!values.empty() && !hasElse) out.push_back(std::move(values));
  });
  return out;
}

std::vector<NumberSet> extremeSets(const Case& c) {
  std::vector<NumberSet> sets;
  std::map<std::pair<unsigned, bool>, NumberSet> largest;
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
    values.push_back(0);
    for (const int64_t value : values) sets.push_back({{leaf.path, value}});
    largest[{leaf.type->bits, leaf.type->isSigned}][leaf.path] = values.front();
  }
  for (auto& [type, set] : largest)
    if (set.size() > 1) sets.push_back(std::move(set));
  return sets;
}

bool hasBuffers(const Plan& plan) {
  bool found = false;
  walkSteps(plan, Branches::All,
            [&](const Step& step) { found = found || std::holds_alternative<BufferStep>(step); });
  return found;
}

std::vector<ArrayPair> pairsTold(const Plan& plan) {
  const auto arraysIn = [](const ExprPtr& e) {
    std::set<std::string> out;
    walkExprs(e, [&](const Expr& part) {
      const auto* var = part.as<VarRef>();
      if (var && part.type->isPointer()) out.insert(var->var->name);
    });
    return out;
  };
  std::set<ArrayPair> pairs;
  walkSteps(plan, Branches::All, [&](const Step& step) {
    const auto* choice = std::get_if<ChoiceStep>(&step);
    if (!choice) return;
    walkExprs(choice->cond, [&](const Expr& e) {
      const auto* b = e.as<Binary>();
      if (!b ||
          (b->op != BinaryOp::Le && b->op != BinaryOp::Lt && b->op != BinaryOp::Ge && b->op != BinaryOp::Gt))
        return;
      const std::set<std::string> left = arraysIn(b->lhs), right = arraysIn(b->rhs);
      if (left.size() == 1 && right.size() == 1 && left != right)
        pairs.insert(std::minmax(*left.begin(), *right.begin()));
    });
  });
  return {pairs.begin(), pairs.end()};
}

std::vector<ArrayPair> pairsOfOriginal(const Case& c) {
  const bool isOpenCL = c.kernel->language == Language::OpenCL;
  std::vector<ArrayPair> pairs;
  for (size_t i = 0; i < c.leaves.size(); ++i)
    for (size_t k = i + 1; k < c.leaves.size(); ++k) {
      const auto mayShare = [&](const ParameterLeaf& leaf) {
        const auto facts = c.facts->arrays.find(leaf.path);
        return leaf.isArray() && leaf.type->space != Space::Constant && !leaf.type->isRestrict &&
               facts != c.facts->arrays.end() && (facts->second.isRead || facts->second.isWritten) &&
               !c.temporaries.contains(leaf.path);
      };
      const ParameterLeaf &a = c.leaves[i], &b = c.leaves[k];
      if (!mayShare(a) || !mayShare(b)) continue;
      if (!c.facts->arrays.at(a.path).isWritten && !c.facts->arrays.at(b.path).isWritten) continue;
      const std::vector<TypeLeaf> ofA = typeLeaves(a.type->element, isOpenCL),
                                  ofB = typeLeaves(b.type->element, isOpenCL);
      if (ofA.empty() || ofB.empty() || ofA[0].type->kind != ofB[0].type->kind ||
          ofA[0].type->bits != ofB[0].type->bits)
        continue;
      pairs.push_back(std::minmax(a.path, b.path));
    }
  return pairs;
}

std::vector<NumberSet> decidingSets(const CaseMaker& maker, const Case& base) {
  constexpr size_t most = 8;
  std::vector<NumberSet> sets;
  const std::vector<std::string> sizes = maker.sizeNames();
  for (const auto& [path, values] : base.facts->decidingValues) {
    const auto number = base.numbers.find(path);
    if (number == base.numbers.end() || number->second.origin == Origin::Given) continue;
    if (std::find(sizes.begin(), sizes.end(), path) != sizes.end()) continue;
    for (const int64_t value : values)
      if (value != number->second.value.asWhole() && sets.size() < most) sets.push_back({{path, value}});
  }
  return sets;
}

std::vector<NumberSet> largerSets(const CaseMaker& maker, const Case& base,
                                  const std::vector<NumberSet>& special) {
  const unsigned axes =
      static_cast<unsigned>(__builtin_popcount(base.facts->used.block | base.facts->used.thread));
  const std::vector<std::string> names = maker.freeSizes();
  std::vector<NumberSet> sets;
  if (names.empty()) return sets;
  NumberSet usual;
  for (const std::string& name : maker.sizeNames()) usual[name] = base.numbers.at(name).value.asWhole();
  // The first for loops that are unrolled, where larger ones would fill the memory.
  for (const int64_t size :
       axes <= 1 ? std::vector<int64_t>{17, 2051, 2048, 8209} : std::vector<int64_t>{17, 131, 128, 259}) {
    NumberSet all = usual;
    for (size_t i = 0; i < names.size(); ++i) all[names[i]] = maker.fitted(names[i], size + int64_t(i));
    sets.push_back(all);
    for (const NumberSet& numbers : special) {
      NumberSet both = all;
      for (const auto& [path, value] : numbers) both[path] = value;
      sets.push_back(std::move(both));
    }
    for (size_t i = 0; names.size() > 1 && sets.size() < 16 && i < names.size(); ++i) {
      NumberSet one = usual;
      one[names[i]] = maker.fitted(names[i], size);
      sets.push_back(std::move(one));
    }
  }
  return sets;
}

}  // namespace hone::device
