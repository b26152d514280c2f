#include "passes/sequence/LaunchGroups.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Integers.h"
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
  const bool isArithmetic =
      b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul ||
            b->op == BinaryOp::Div || b->op == BinaryOp::Rem || (isShift(b->op) && constantValue(b->rhs)));
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

// Sizes to look at: with them v = a + b * p + c * p * Q gives a, b and c.
struct Sample {
  int64_t lowCount, highCount;
};
constexpr Sample samples[] = {{3, 5}, {5, 3}, {3, 7}};

// Whether an expression is made of what LaunchValues works out.
bool isSumOrQuotient(const ExprPtr& e) {
  bool is = true;
  walkExprs(e, [&](const Expr& one) {
    const auto* b = one.as<Binary>();
    const auto* u = one.as<Unary>();
    if (b)
      is = is &&
           (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul ||
            b->op == BinaryOp::Div || b->op == BinaryOp::Rem || b->op == BinaryOp::BitAnd || isShift(b->op));
    else
      is = is && !one.is<Select>() && (!u || u->op == UnaryOp::Neg);
  });
  return is;
}

// The same as LaunchValues works out, with numbers for the sizes and the thread.
class Numbers {
 public:
  Numbers(const LaunchSizes& ofSizes, int64_t lowCount, int64_t highCount)
      : sizes(ofSizes),
        divisor(lowCount * sizes.share),
        size(sizes.count * (sizes.divisor ? lowCount : 1) * highCount) {}

  int64_t thread = 0;

  std::optional<int64_t> of(const ExprPtr& e) const {
    return integerValue(e, [this](const ExprPtr& part) { return given(part); });
  }

 private:
  std::optional<int64_t> given(const ExprPtr& e) const {
    if (const auto* c = as<Coord>(e))
      return c->kind == CoordKind::BlockIdx ? 0 : c->kind == CoordKind::BlockDim ? 1 : thread;
    if (equal(e, sizes.size)) return size;
    if (sizes.divisor && equal(e, sizes.divisor)) return divisor;
    // x & (p - 1) stands for x % p, also where the number that p has here is no power of two.
    const auto* b = as<Binary>(e);
    if (!b || b->op != BinaryOp::BitAnd || constantValue(b->rhs)) return std::nullopt;
    const auto lhs = of(b->lhs), rhs = of(b->rhs);
    return lhs && rhs && *lhs >= 0 && *rhs >= 0 ? std::optional(*lhs % (*rhs + 1)) : std::nullopt;
  }

  const LaunchSizes& sizes;
  int64_t divisor, size;
};

// What is not even worked out with numbers cannot be with digits.
Obstacle notKnown(const LaunchCode& step, const LaunchElement& element, const SourceLoc& loc,
                  const LaunchSizes& sizes) {
  const Sample& sample = samples[0];
  Numbers numbers(sizes, sizes.divisor ? sample.lowCount : 1, sample.highCount);
  auto isKnown = [&](const ExprPtr& e) { return isSumOrQuotient(e) && numbers.of(e); };
  if (isKnown(step.bound) && isKnown(element.index)) return std::nullopt;
  LaunchValues values(sizes);
  auto value = values.of(step.bound);
  if (value) value = values.of(element.index);
  return Refusal{fmt::format("a subscript of {} is not understood: {}", element.array->name,
                             value ? "" : value.refusal().reason),
                 loc};
}

// Numbers of threads by group and step, groups in the order of their first threads of the first step.
using Members = std::vector<std::vector<std::vector<int64_t>>>;

class ClosedGroups {
 public:
  ClosedGroups(const std::vector<LaunchCode>& ofRun, const LaunchSizes& ofSizes, int64_t lowCount,
               int64_t highCount)
      : steps(ofRun), groups(lowCount * highCount), values(ofSizes, lowCount, highCount) {}

  // As many groups as the sample asks for, of at most so many threads of a step.
  std::optional<Members> run(size_t most) {
    std::vector<size_t> first = {0};
    for (const LaunchCode& step : steps) {
      const auto count = values.of(step.bound);
      if (!count || *count < 1 || *count > groups * int64_t(most)) return std::nullopt;
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
    if (int64_t(members.size()) != groups) return std::nullopt;
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
  bool handOver(const LaunchCode& step, size_t begin, size_t end) {
    std::vector<std::pair<std::pair<const Variable*, int64_t>, size_t>> written;
    for (size_t node = begin; node < end; ++node) {
      values.thread = int64_t(node - begin);
      auto element = [&](const LaunchElement& at) -> std::optional<std::pair<const Variable*, int64_t>> {
        const auto index = values.of(at.index);
        return index ? std::optional(std::pair(at.array.get(), *index)) : std::nullopt;
      };
      for (const LaunchStatement& s : step.stmts) {
        for (const LaunchElement& load : s.loads) {
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

  const std::vector<LaunchCode>& steps;
  const int64_t groups;
  Numbers values;
  std::vector<size_t> leader;  // of a group, by thread of all steps; followed to the end
  std::map<std::pair<const Variable*, int64_t>, size_t> writers;
};

std::optional<Poly> fitted(const std::array<int64_t, 3>& v, bool hasLow) {
  const Poly groups = (hasLow ? Poly::atom(kLowCount) : Poly(1)) * Poly::atom(kHighCount);
  if (!hasLow) {
    if ((v[2] - v[0]) % 2) return std::nullopt;
    const int64_t factor = (v[2] - v[0]) / 2;
    return groups * factor + (v[0] - 5 * factor);
  }
  if ((v[1] - v[0]) % 2 || (v[2] - v[0]) % 6) return std::nullopt;
  const int64_t perLow = (v[1] - v[0]) / 2, perGroup = (v[2] - v[0]) / 6;
  return Poly::atom(kLowCount) * perLow + groups * perGroup + (v[0] - 3 * perLow - 15 * perGroup);
}

}  // namespace

Result<LaunchSizes> sizesOf(const std::vector<LaunchCode>& steps) {
  std::vector<ExprPtr> bounds, divisors;
  for (const LaunchCode& step : steps) {
    collectLeaves(step.bound, bounds);
    for (const LaunchStatement& s : step.stmts) {
      for (const LaunchElement& load : s.loads) collectDivisors(load.index, divisors);
      if (s.store) collectDivisors(s.store->index, divisors);
    }
  }
  std::erase_if(divisors, [&](const ExprPtr& d) {
    return std::any_of(bounds.begin(), bounds.end(), [&](const ExprPtr& b) { return equal(b, d); });
  });
  if (bounds.size() != 1)
    return Refusal{"the numbers of threads of the steps are no multiples or shares of one size",
                   steps[0].kernel->loc};
  if (divisors.size() > 1)
    return Refusal{"thread numbers are divided by more than one size", steps[0].kernel->loc};
  const LaunchSizes sizes{bounds[0], divisors.empty() ? nullptr : divisors[0]};
  LaunchSizes large = sizes;
  large.count = 96, large.share = 32;
  for (const LaunchCode& step : steps)
    for (const LaunchStatement& s : step.stmts) {
      for (const LaunchElement& load : s.loads)
        if (Obstacle no = notKnown(step, load, s.stmt->loc, large)) return *no;
      if (s.store)
        if (Obstacle no = notKnown(step, *s.store, s.stmt->loc, large)) return *no;
    }
  return sizes;
}

bool sharesDivisor(const std::vector<LaunchCode>& steps, const LaunchSizes& sizes) {
  bool found = false;
  auto look = [&](const LaunchElement& element) {
    walkExprs(element.index, [&](const Expr& e) {
      const auto* b = e.as<Binary>();
      if (!b || (b->op != BinaryOp::Div && b->op != BinaryOp::Shr) || usesCoordinates(b->lhs)) return;
      std::vector<ExprPtr> leaves;
      collectLeaves(b->lhs, leaves);
      for (const ExprPtr& leaf : leaves) found = found || equal(leaf, sizes.divisor);
    });
  };
  for (const LaunchCode& step : steps)
    for (const LaunchStatement& s : step.stmts) {
      for (const LaunchElement& load : s.loads) look(load);
      if (s.store) look(*s.store);
    }
  return found;
}

std::vector<int64_t> countsToTry(const std::vector<LaunchCode>& steps, int64_t most) {
  std::set<int64_t> primes = {2, 3};
  auto look = [&](const ExprPtr& index) {
    walkExprs(index, [&](const Expr& e) {
      const auto* literal = e.as<IntLiteral>();
      if (!literal || int64_t(literal->value) > most) return;
      int64_t left = int64_t(literal->value);
      for (int64_t by = 2; left > 1; ++by)
        for (; left % by == 0; left /= by) primes.insert(by);
    });
  };
  for (const LaunchCode& step : steps) {
    look(step.bound);
    for (const LaunchStatement& s : step.stmts) {
      for (const LaunchElement& load : s.loads) look(load.index);
      if (s.store) look(s.store->index);
    }
  }
  std::vector<int64_t> counts;
  for (int64_t count = 1; count <= most; ++count) {
    int64_t left = count;
    for (int64_t prime : primes)
      while (left % prime == 0) left /= prime;
    if (left == 1) counts.push_back(count);
  }
  return counts;
}

std::optional<LaunchGroups> groupsOf(const std::vector<LaunchCode>& steps, const LaunchSizes& sizes,
                                     size_t most) {
  std::vector<Members> found;
  for (const Sample& sample : samples) {
    const int64_t lowCount = sizes.divisor ? sample.lowCount : 1;
    auto members = ClosedGroups(steps, sizes, lowCount, sample.highCount).run(most);
    if (!members) return std::nullopt;
    found.push_back(std::move(*members));
  }
  LaunchGroups out{sizes, {}};
  const bool hasLow = sizes.divisor != nullptr;
  for (size_t s = 0; s < steps.size(); ++s) {
    // The first member of group g of each sample, less that of group 0.
    auto distance = [&](const std::array<size_t, 3>& group) {
      std::array<int64_t, 3> v{};
      for (size_t i = 0; i < 3; ++i) v[i] = found[i][group[i]][s][0] - found[i][0][s][0];
      return fitted(v, hasLow);
    };
    const auto perLow = hasLow ? distance({1, 1, 1}) : Poly(0);
    const auto perHigh = hasLow ? distance({3, 5, 3}) : distance({1, 1, 1});
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
