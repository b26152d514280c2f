#include "passes/sequence/MemberLoops.h"

#include <algorithm>
#include <numeric>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/sequence/LaunchValues.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

affine::AtomId MemberDigits::atom(size_t digit) { return kHighCount + 1 + affine::AtomId(digit); }

std::optional<Poly> MemberDigits::fitted(const ByMember& number) const {
  Poly sum = number[0];
  std::vector<Poly> factors;
  size_t unit = 1;
  for (size_t d = 0; d < counts.size(); ++d) {
    factors.push_back(number[unit] - number[0]);
    sum += factors[d] * Poly::atom(atom(d));
    unit *= size_t(counts[d]);
  }
  for (size_t m = 0; m < number.size(); ++m) {
    Poly value = number[0];
    size_t left = m;
    for (size_t d = 0; d < counts.size(); ++d) {
      value += factors[d] * int64_t(left % size_t(counts[d]));
      left /= size_t(counts[d]);
    }
    if (value != number[m]) return std::nullopt;
  }
  return sum;
}

std::optional<MemberDigits> memberDigits(size_t members, const std::vector<ByMember>& numbers) {
  MemberDigits finest;
  int64_t left = int64_t(members);
  for (int64_t by = 2; left > 1; ++by)
    for (; left % by == 0; left /= by) finest.counts.push_back(by);
  auto fits = [&](const MemberDigits& digits) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [&](const ByMember& number) { return digits.fitted(number); });
  };
  do {
    if (!fits(finest)) continue;
    // Neighbours become one digit where that fits too.
    for (size_t d = 0; d + 1 < finest.counts.size();) {
      MemberDigits fewer = finest;
      fewer.counts[d] *= fewer.counts[d + 1];
      fewer.counts.erase(fewer.counts.begin() + int64_t(d) + 1);
      if (fits(fewer))
        finest = fewer;
      else
        ++d;
    }
    return finest;
  } while (std::next_permutation(finest.counts.begin(), finest.counts.end()));
  return std::nullopt;
}

int64_t callsIn(const StmtPtr& stmt) {
  int64_t count = 0;
  walkExprs(stmt, [&](const Expr& e) { count += e.is<Call>(); });
  return count;
}

namespace {

// How many of the loops, from the outermost on, a statement must stand in.
size_t depthOf(unsigned digits, const std::vector<size_t>& order) {
  size_t depth = order.size();
  while (depth > 0 && !(digits & (1u << order[depth - 1]))) --depth;
  return depth;
}

}  // namespace

int64_t timesDone(const MemberStmt& stmt, const std::vector<int64_t>& counts,
                  const std::vector<size_t>& order) {
  int64_t times = 1;
  for (size_t l = 0; l < depthOf(stmt.digits, order); ++l) times *= counts[order[l]];
  return times;
}

std::vector<size_t> loopOrder(const std::vector<MemberStmt>& stmts, const std::vector<int64_t>& counts) {
  // Where nothing is gained by another one, members come in their order.
  std::vector<size_t> order(counts.size());
  std::iota(order.rbegin(), order.rend(), size_t{0});
  std::vector<size_t> best = order;
  auto work = [&] {
    std::pair<int64_t, int64_t> done;  // calls, statements
    for (const MemberStmt& one : stmts) {
      const int64_t times = timesDone(one, counts, order);
      done.first += times * callsIn(one.stmt), done.second += times;
    }
    return done;
  };
  auto least = work();
  while (std::prev_permutation(order.begin(), order.end()))
    if (const auto now = work(); now < least) least = now, best = order;
  return best;
}

StmtPtr memberLoops(const std::vector<MemberStmt>& stmts, const std::vector<int64_t>& counts,
                    const std::vector<VarPtr>& counters, const std::vector<size_t>& order) {
  StmtPtr inner;
  for (size_t depth = order.size(); depth > 0; --depth) {
    StmtList body;
    for (const MemberStmt& one : stmts)
      if (depthOf(one.digits, order) == depth) body.push_back(one.stmt);
    if (inner) body.push_back(inner);
    const VarPtr& counter = counters[order[depth - 1]];
    inner = countingLoop(
        {.var = counter, .end = intLit(counts[order[depth - 1]]), .body = block(body), .unroll = -1});
  }
  return inner;
}

}  // namespace hone::passes
