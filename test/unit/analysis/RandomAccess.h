// Random subscripts, guards, loops and block shapes, each as a model and as plain arithmetic to compare it
// with.
#pragma once

#include <functional>
#include <random>

#include "HandModel.h"
#include "affine/Evaluate.h"

namespace hone::analysis::test {

// Everything a value may depend on, as numbers.
struct Point {
  std::array<int64_t, 3> thread{}, block{};
  std::array<int64_t, 2> loop{};  // values of the loops' variables
  int64_t w = 0, n = 0;
};

struct RandomValue {
  affine::Poly poly;
  std::function<int64_t(const Point&)> plain;
};
struct RandomCond {
  affine::CondPtr cond;
  std::function<bool(const Point&)> plain;
};

class RandomAccess {
 public:
  explicit RandomAccess(std::mt19937& generator) : random(generator), hand(shape()) {
    w = pick({1, 3, 8, 16, 17, 32, 33, 64, 100});
    n = pick({1, 7, 31, 40, 64, 90});
    launch.grid = {pick({1, 2, 3, 9}), pick({1, 2}), 1};
    launch.symbols = {{"w", w}, {"n", n}};
    const int64_t loops = pick({0, 0, 1, 1, 2});
    for (int64_t l = 0; l < loops; ++l) {
      first.push_back(pick({0, 0, 1, 5}));
      step.push_back(pick({1, 1, 2, 8, 16, 32, 3}));
      // To a number, or to n, or to the thread's own bound.
      RandomValue end;
      switch (pick({0, 0, 1, 2})) {
        case 0: {
          const int64_t bound = first[l] + step[l] * pick({1, 2, 3, 5});
          end = {bound, [bound](const Point&) { return bound; }};
          break;
        }
        case 1: end = {hand.symbol("n"), [](const Point& p) { return p.n; }}; break;
        default: end = {hand.tx() + 2, [](const Point& p) { return p.thread[0] + 2; }};
      }
      ends.push_back(end.plain);
      loopValue.push_back(hand.loop(l ? "j" : "i", first[l], end.poly, step[l]));
    }
  }

  int64_t pick(std::initializer_list<int64_t> from) {
    return *(from.begin() + std::uniform_int_distribution<size_t>(0, from.size() - 1)(random));
  }
  bool chance(int percent) { return std::uniform_int_distribution<int>(0, 99)(random) < percent; }

  // The value of a loop's variable in an iteration; 0 where there is no such loop.
  int64_t inIteration(size_t loop, int64_t iteration) const {
    return loop < first.size() ? first[loop] + step[loop] * iteration : 0;
  }

  RandomValue value(int depth = 0) {
    auto sum = [](RandomValue a, RandomValue b) -> RandomValue {
      return {a.poly + b.poly, [f = a.plain, g = b.plain](const Point& p) { return f(p) + g(p); }};
    };
    RandomValue out = scaled(leaf(), pick({1, 1, 1, 1, 2, 4, 32, -1, 17, 0}));
    const int64_t terms = pick({1, 1, 2, 2, 3});
    for (int64_t t = 0; t < terms; ++t) {
      RandomValue one = depth < 1 && chance(15) ? special() : leaf();
      if (chance(25))
        one = {one.poly * hand.symbol("w"), [f = one.plain](const Point& p) { return f(p) * p.w; }};
      else
        one = scaled(one, pick({1, 1, 1, 2, 3, 8, 16, 33, 64, 1024, -1}));
      out = sum(out, one);
    }
    const int64_t c = pick({0, 0, 0, 1, 2, 8, 31, -1});
    return sum(out, {c, [c](const Point&) { return c; }});
  }

  RandomCond guard() {
    if (chance(50)) return {affine::always(), [](const Point&) { return true; }};
    const RandomValue v = value(1);
    const int64_t bound = pick({0, 5, 16, 33, 100});
    if (chance(20))
      return {affine::isZero(hand.atoms().mod(v.poly, 2)),
              [f = v.plain](const Point& p) { return affine::floorMod(f(p), 2) == 0; }};
    return {affine::atLeast0(affine::Poly(bound) - v.poly),
            [f = v.plain, bound](const Point& p) { return f(p) <= bound; }};
  }

  // Calls fn(block, warp, mask, addresses) for each execution by a warp; loops as C would run them, lanes of
  // an iteration together.
  void forEachExecution(
      const std::function<int64_t(const Point&)>& address, const std::function<bool(const Point&)>& guarded,
      const std::function<void(unsigned, uint32_t, const std::array<int64_t, 32>&)>& fn) const {
    const std::array<unsigned, 3> block = hand.model.block;
    const unsigned threads = block[0] * block[1] * block[2];
    for (int64_t by = 0; by < launch.grid[1]; ++by)
      for (int64_t bx = 0; bx < launch.grid[0]; ++bx)
        for (unsigned warp = 0; warp * 32 < threads; ++warp) {
          std::vector<Point> lanes;
          for (unsigned t = warp * 32; t < std::min(threads, warp * 32 + 32); ++t) {
            Point p;
            p.thread = {t % block[0], t / block[0] % block[1], t / block[0] / block[1]};
            p.block = {bx, by, 0};
            p.w = w, p.n = n;
            lanes.push_back(p);
          }
          run(lanes, std::vector<bool>(lanes.size(), true), 0,
              [&](const std::vector<Point>& at, const std::vector<bool>& on) {
                uint32_t mask = 0;
                std::array<int64_t, 32> addresses{};
                for (size_t lane = 0; lane < at.size(); ++lane)
                  if (on[lane] && guarded(at[lane])) {
                    mask |= uint32_t(1) << lane;
                    addresses[lane] = address(at[lane]);
                  }
                if (mask) fn(warp, mask, addresses);
              });
        }
  }

  std::mt19937& random;
  HandModel hand;
  affine::Launch launch;
  int64_t w = 0, n = 0;

 private:
  std::array<unsigned, 3> shape() {
    static const std::array<unsigned, 3> shapes[] = {{32, 1, 1}, {64, 1, 1}, {16, 1, 1}, {16, 4, 1},
                                                     {8, 8, 1},  {32, 2, 1}, {4, 4, 4},  {20, 3, 1},
                                                     {1, 32, 1}, {33, 1, 1}, {2, 3, 5},  {128, 1, 1}};
    return shapes[std::uniform_int_distribution<size_t>(0, std::size(shapes) - 1)(random)];
  }

  RandomValue leaf() {
    switch (pick({0, 0, 0, 1, 1, 2, 3, 4, 5, 6})) {
      case 0: return {hand.tx(), [](const Point& p) { return p.thread[0]; }};
      case 1: return {hand.ty(), [](const Point& p) { return p.thread[1]; }};
      case 2: return {hand.atoms().thread(2), [](const Point& p) { return p.thread[2]; }};
      case 3: {
        const int64_t width = hand.model.block[0];
        return {hand.idx(), [width](const Point& p) { return p.block[0] * width + p.thread[0]; }};
      }
      case 4: return {hand.by(), [](const Point& p) { return p.block[1]; }};
      case 5: return {hand.symbol("w"), [](const Point& p) { return p.w; }};
      default: break;
    }
    if (loopValue.empty()) return {hand.bx(), [](const Point& p) { return p.block[0]; }};
    const size_t l = static_cast<size_t>(pick({0, 1})) % loopValue.size();
    return {loopValue[l], [l](const Point& p) { return p.loop[l]; }};
  }

  RandomValue scaled(const RandomValue& v, int64_t factor) {
    return {v.poly * affine::Poly(factor), [f = v.plain, factor](const Point& p) { return f(p) * factor; }};
  }

  RandomValue special() {
    const RandomValue a = value(1), b = leaf();
    const int64_t d = pick({2, 3, 4, 8, 16, 32});
    switch (pick({0, 1, 2, 3})) {
      case 0:
        return {hand.atoms().div(a.poly, d),
                [f = a.plain, d](const Point& p) { return affine::floorDiv(f(p), d); }};
      case 1:
        return {hand.atoms().mod(a.poly, d),
                [f = a.plain, d](const Point& p) { return affine::floorMod(f(p), d); }};
      case 2:
        return {hand.atoms().choice(affine::atLeast0(a.poly - b.poly), a.poly, b.poly),
                [f = a.plain, g = b.plain](const Point& p) { return std::max(f(p), g(p)); }};
      default:
        return {hand.atoms().bits(ir::BinaryOp::BitXor, a.poly, b.poly),
                [f = a.plain, g = b.plain](const Point& p) { return f(p) ^ g(p); }};
    }
  }

  void run(std::vector<Point> lanes, const std::vector<bool>& on, size_t l,
           const std::function<void(const std::vector<Point>&, const std::vector<bool>&)>& fn) const {
    if (l == ends.size()) return fn(lanes, on);
    for (int64_t v = first[l];; v += step[l]) {
      std::vector<bool> runs = on;
      bool isAny = false;
      for (size_t i = 0; i < lanes.size(); ++i) {
        lanes[i].loop[l] = v;
        runs[i] = on[i] && v < ends[l](lanes[i]);
        isAny = isAny || runs[i];
      }
      if (!isAny) return;
      run(lanes, runs, l + 1, fn);
    }
  }

  std::vector<int64_t> first, step;
  std::vector<std::function<int64_t(const Point&)>> ends;
  std::vector<affine::Poly> loopValue;
};

}  // namespace hone::analysis::test
