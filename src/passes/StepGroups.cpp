#include "passes/StepGroups.h"

#include <algorithm>
#include <numeric>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

// What an expression is a polynomial or a quotient of: variables, and whatever else is neither.
void collectLeaves(const ExprPtr& e, std::vector<ExprPtr>& leaves) {
  if (constantValue(e)) return;
  if (const auto* cast = as<Cast>(e)) return collectLeaves(cast->operand, leaves);
  const auto* b = as<Binary>(e);
  const bool isArithmetic = b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul ||
                                  b->op == BinaryOp::Div || b->op == BinaryOp::Rem ||
                                  (isShift(b->op) && constantValue(b->rhs)));
  if (isArithmetic) {
    collectLeaves(b->lhs, leaves);
    collectLeaves(b->rhs, leaves);
    return;
  }
  if (std::none_of(leaves.begin(), leaves.end(), [&](const ExprPtr& other) { return equal(other, e); }))
    leaves.push_back(e);
}

// What thread numbers are divided by.
void collectDivisors(const ExprPtr& e, std::vector<ExprPtr>& leaves) {
  walkExprs(e, [&](const Expr& one) {
    const auto* b = one.as<Binary>();
    const bool divides = b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem || b->op == BinaryOp::BitAnd);
    if (divides && usesCoordinates(b->lhs) && !usesCoordinates(b->rhs)) collectLeaves(b->rhs, leaves);
  });
}

// Numbers of threads by group and step, groups in the order of their first threads of the first step.
using Members = std::vector<std::vector<std::vector<int64_t>>>;

class GroupFinder {
 public:
  GroupFinder(const std::vector<StepCode>& ofRun, const StepSizes& ofSizes, int64_t lowCount, int64_t highCount)
      : steps(ofRun), values(ofSizes, lowCount, highCount) {}

  std::optional<Members> run(size_t most) {
    std::vector<size_t> first = {0};
    for (const StepCode& step : steps) {
      const auto bound = values.of(step.bound);
      const auto count = bound ? bound->constant() : std::nullopt;
      if (!count || *count < 1) return std::nullopt;
      first.push_back(first.back() + size_t(*count));
    }
    leader.resize(first.back());
    std::iota(leader.begin(), leader.end(), size_t{0});
    for (size_t s = 0; s < steps.size(); ++s)
      if (!handOver(steps[s], first[s], first[s + 1])) return std::nullopt;

    std::map<size_t, size_t> numbers;  // of groups, by leader
    Members members;
    for (size_t s = 0; s < steps.size(); ++s)
      for (size_t node = first[s]; node < first[s + 1]; ++node) {
        const auto [at, isNew] = numbers.try_emplace(leaderOf(node), members.size());
        if (isNew && s > 0) return std::nullopt;  // a thread that no thread of the first step has to do with
        if (isNew) members.emplace_back(steps.size());
        std::vector<int64_t>& list = members[at->second][s];
        list.push_back(int64_t(node - first[s]));
        if (list.size() > most) return std::nullopt;
      }
    for (const auto& group : members)
      for (size_t s = 0; s < steps.size(); ++s)
        if (group[s].empty() || group[s].size() != members[0][s].size()) return std::nullopt;
    return members;
  }

 private:
  size_t leaderOf(size_t node) {
    while (leader[node] != node) node = leader[node] = leader[leader[node]];
    return node;
  }

  // Threads of a step get what others wrote before it, then write.
  bool handOver(const StepCode& step, size_t begin, size_t end) {
    std::vector<std::pair<std::pair<const Variable*, int64_t>, size_t>> written;
    for (size_t node = begin; node < end; ++node) {
      values.thread = int64_t(node - begin);
      auto element = [&](const StepElement& at) -> std::optional<std::pair<const Variable*, int64_t>> {
        const auto index = values.of(at.index);
        if (!index || !index->constant()) return std::nullopt;
        return std::pair(at.array.get(), *index->constant());
      };
      for (const StepStatement& s : step.stmts) {
        for (const StepElement& load : s.loads) {
          const auto at = element(load);
          if (!at) return false;
          if (const auto writer = writers.find(*at); writer != writers.end())
            leader[leaderOf(node)] = leaderOf(writer->second);
        }
        if (!s.store) continue;
        const auto at = element(*s.store);
        if (!at) return false;
        written.emplace_back(*at, node);
      }
    }
    for (const auto& [at, node] : written) writers[at] = node;
    return true;
  }

  const std::vector<StepCode>& steps;
  StepValues values;
  std::vector<size_t> leader;  // of a group, by thread of all steps; followed to the end
  std::map<std::pair<const Variable*, int64_t>, size_t> writers;
};

// a + b * p + c * p * Q from the values for (p, Q), (p + 2, Q') with the same product and (p, Q + 4).
struct Sample {
  int64_t lowCount, highCount;
};
constexpr Sample samples[] = {{5, 7}, {7, 5}, {5, 11}};

std::optional<Poly> fitted(const std::array<int64_t, 3>& v, bool hasLow) {
  const Poly groups = (hasLow ? Poly::atom(kLowCount) : Poly(1)) * Poly::atom(kHighCount);
  if (!hasLow) {
    if ((v[2] - v[0]) % 4) return std::nullopt;
    const int64_t factor = (v[2] - v[0]) / 4;
    return groups * factor + (v[0] - 7 * factor);
  }
  if ((v[1] - v[0]) % 2 || (v[2] - v[0]) % 20) return std::nullopt;
  const int64_t perLow = (v[1] - v[0]) / 2, perGroup = (v[2] - v[0]) / 20;
  return Poly::atom(kLowCount) * perLow + groups * perGroup + (v[0] - 5 * perLow - 35 * perGroup);
}

}  // namespace

StepSizes sizesOf(const std::vector<StepCode>& steps) {
  std::vector<ExprPtr> bounds, divisors;
  for (const StepCode& step : steps) {
    collectLeaves(step.bound, bounds);
    for (const StepStatement& s : step.stmts) {
      for (const StepElement& load : s.loads) collectDivisors(load.index, divisors);
      if (s.store) collectDivisors(s.store->index, divisors);
    }
  }
  std::erase_if(divisors, [&](const ExprPtr& d) {
    return std::any_of(bounds.begin(), bounds.end(), [&](const ExprPtr& b) { return equal(b, d); });
  });
  if (bounds.size() != 1)
    throw CannotJoin{"the numbers of threads of the steps are no multiples or shares of one size", steps[0].kernel->loc};
  if (divisors.size() > 1)
    throw CannotJoin{"thread numbers are divided by more than one size", steps[0].kernel->loc};
  return {bounds[0], divisors.empty() ? nullptr : divisors[0], 1};
}

std::optional<StepGroups> groupsOf(const std::vector<StepCode>& steps, const StepSizes& sizes, size_t most) {
  std::vector<Members> found;
  for (const Sample& sample : samples) {
    const int64_t lowCount = sizes.divisor ? sample.lowCount : 1;
    auto members = GroupFinder(steps, sizes, lowCount, sample.highCount).run(most);
    if (!members || int64_t(members->size()) != lowCount * sample.highCount) return std::nullopt;
    found.push_back(std::move(*members));
  }
  StepGroups out{sizes, {}};
  const bool hasLow = sizes.divisor != nullptr;
  for (size_t s = 0; s < steps.size(); ++s) {
    // The first member of group g of each sample, less that of group 0.
    auto distance = [&](const std::array<size_t, 3>& group) {
      std::array<int64_t, 3> v{};
      for (size_t i = 0; i < 3; ++i) v[i] = found[i][group[i]][s][0] - found[i][0][s][0];
      return fitted(v, hasLow);
    };
    const auto perLow = hasLow ? distance({1, 1, 1}) : Poly(0);
    const auto perHigh = hasLow ? distance({5, 7, 5}) : distance({1, 1, 1});
    if (!perLow || !perHigh) return std::nullopt;
    out.threads.emplace_back();
    for (size_t m = 0; m < found[0][0][s].size(); ++m) {
      std::array<int64_t, 3> v{};
      for (size_t i = 0; i < 3; ++i) {
        if (found[i][0][s].size() != found[0][0][s].size()) return std::nullopt;
        v[i] = found[i][0][s][m];
      }
      const auto first = fitted(v, hasLow);
      if (!first) return std::nullopt;
      out.threads.back().push_back(*first + Poly::atom(kLow) * *perLow + Poly::atom(kHigh) * *perHigh);
    }
  }
  return out;
}

}  // namespace hone::passes
