#include <algorithm>

#include "device/Verifier.h"
#include "device/VerifyCases.h"
#include "ir/Error.h"
#include "ir/HostIteration.h"
#include "ir/Overflow.h"

namespace hone::device {

using namespace ir;

namespace {

uint64_t blocksOf(const Case& c) { return uint64_t(c.grid[0]) * c.grid[1] * c.grid[2]; }

// The axis whose threads a size bounds, of sizes that bound those of one alone.
std::map<std::string, unsigned> axesOf(const KernelFacts& facts) {
  std::map<std::string, unsigned> axes;
  for (const Guard& guard : facts.guards) {
    const unsigned used = guard.coords.block | guard.coords.thread;
    const unsigned axis = used == 2 ? 1 : used == 4 ? 2 : 0;
    for (const std::string& path : guard.params)
      if (const auto known = axes.emplace(path, axis).first; known->second != axis) known->second = 0;
  }
  return axes;
}

// So many blocks along an axis, the last of them with threads to spare.
int64_t fewThreads(const Case& c, unsigned axis, int64_t blocks) {
  return std::max<int64_t>((axis == 0 ? 16 : 8) * blocks - 5, blocks * int64_t(c.block[axis]) - 5);
}

int64_t multipleAbove(int64_t size, int64_t unit) { return (size + unit - 1) / unit * unit; }

// One of the numbers is 0 or negative.
bool isBelowOne(const Case& c, const NumberSet& set) {
  return std::any_of(c.leaves.begin(), c.leaves.end(), [&](const ParameterLeaf& leaf) {
    const auto number = set.find(leaf.path);
    return number != set.end() && (leaf.type->isSigned ? number->second < 1 : number->second == 0);
  });
}

}  // namespace

void Verifier::atExtremes(const ChosenCase& base) {
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

void Verifier::atExtremesOf(ChosenCase& even) {
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
    if (isBelowOne(even.c, set)) {
      // There is less to do, often nothing, and so arrays may be shorter, or none at all.
      ChosenCase less = even;
      less.data = prepare(less.c, data);
      compareAt(less, runFirst(less.c, less.data, brief), false);
    } else {
      compareAt(even, first, false);
    }
    dropUnlessNew();
  }
}

std::optional<CaseData> Verifier::odd(const ChosenCase& base, const NumberSet& sizes, const Change& change) {
  if (!judgement.equal || spent > mostSpent || isSpent()) return std::nullopt;
  try {
    ChosenCase now = base;
    for (const auto& [name, size] : oddSizes) now.wish.sizes[name] = size;
    for (const auto& [name, size] : sizes) now.wish.sizes[name] = size;
    now.c = maker.make(now.wish);
    // The base case may have but a part of its blocks.
    if (blocksOf(now.c) > std::max<uint64_t>(2 * blocksOf(base.c), 256)) return std::nullopt;
    change(now.c);
    now.data = prepare(now.c, data);
    const CaseRun first = runFirst(now.c, now.data, options.run);
    spent += first.result.warpInstructions;
    if (!first.result.findings.empty() || !first.result.completed || now.data.belowZero > 0)
      return std::nullopt;
    compareAt(now, first, false);
    dropUnlessNew();
    return std::move(now.data);
  } catch (const Error&) {
    return std::nullopt;  // there is no such launch
  }
}

void Verifier::atOddLaunches(const ChosenCase& base) {
  const auto with = [&](const Change& change) { return odd(base, {}, change).has_value(); };
  // Runs at usual sizes say little of the tests before a launch: what there is for all is not for them alone.
  isCostly = work > options.mostWorkInAll / 2;
  if (isCostly) mostWork = std::max(mostWork, work + options.mostWorkInAll / 3 * 2);
  chooseOddSizes(base);
  const std::vector<ArrayPair> pairs = pairsToOverlap(base);
  atOverlaps(base, pairs);  // which takes little, and comes before what takes more
  // Fewer threads than there is work for, in blocks that are full and in others: whoever launches others in
  // their place must not do more.
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (base.c.grid[axis] > 1) with([&](Case& c) { c.grid[axis] = std::max(1u, c.grid[axis] - 1); });
    if (base.c.block[axis] > 1)
      with([&](Case& c) {
        --c.block[axis];
        c.grid[axis] = std::max(1u, c.grid[axis] - 1);
      });
  }
  atSeveralBlocks(base);
  const unsigned used = base.c.facts->used.block | base.c.facts->used.thread;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (base.c.grid[axis] > 2) with([&](Case& c) { c.grid[axis] = 1; });
    with([&](Case& c) { ++c.grid[axis]; });
    // Along an axis that the kernel does not ask for, threads do once more what others do.
    if (axis > 0 && !(used >> axis & 1))
      with([&](Case& c) {
        c.block[axis] *= 2;
        c.block[0] = std::max(1u, c.block[0] / 2);
      });
  }
  with([](Case& c) { c.block[0] = std::max(1u, c.block[0] / 2); });
  std::set<std::string> arrays;
  for (const ParameterLeaf& leaf : base.c.leaves)
    if (leaf.isArray()) arrays.insert(leaf.path);
  // Two blocks that do several times the work of those here, where that is not much.
  NumberSet many;
  if (const auto names = maker.freeSizes(); names.size() == 1 && __builtin_popcount(used) <= 1)
    many[names[0]] = 2048;
  const bool mayBeSkewed = with([&](Case& c) { c.skewed = arrays; });
  if (!many.empty()) odd(base, many, [&](Case& c) { c.skewed = arrays; });
  for (const auto& [first, second] : pairs) odd(base, many, [&](Case& c) { c.aliases[first] = {second, 0}; });
  // All together say little of a test that asks for one of them, before the launch or in the kernel.
  if (mayBeSkewed && arrays.size() > 1)
    for (const std::string& array : arrays) with([&](Case& c) { c.skewed = {array}; });
}

void Verifier::chooseOddSizes(const ChosenCase& base) {
  const std::vector<std::string> names = maker.freeSizes();
  if (names.empty()) return;
  const std::map<std::string, unsigned> axes = axesOf(*base.c.facts);
  const int64_t block = std::max({base.c.block[0], base.c.block[1], base.c.block[2]});
  const int64_t blocks = isCostly ? 2 : 3;
  std::vector<NumberSet> sets;
  for (const int64_t unit : {int64_t(1), int64_t(4), int64_t(16), block}) {
    NumberSet few;
    for (const std::string& name : names) {
      const auto axis = axes.find(name);
      const int64_t most = fewThreads(base.c, axis == axes.end() ? 0 : axis->second, blocks);
      few[name] = multipleAbove(std::min(base.c.numbers.at(name).value.asWhole(), most), unit);
    }
    sets.push_back(std::move(few));
  }
  // Where smaller ones leave nothing to do those of the case, and some above its other numbers.
  NumberSet own, above;
  for (const std::string& name : names) own[name] = base.c.numbers.at(name).value.asWhole();
  for (const ParameterLeaf& leaf : base.c.leaves)
    if (const auto number = base.c.numbers.find(leaf.path);
        leaf.isWhole() && number != base.c.numbers.end() && !own.contains(leaf.path))
      for (const auto& [name, few] : sets.front())
        above[name] =
            std::max(above[name], few + std::clamp<int64_t>(number->second.value.asWhole(), 0, 4096));
  sets.push_back(std::move(own));
  if (!above.empty()) sets.push_back(std::move(above));
  for (const NumberSet& set : sets) {
    oddSizes = set;
    wasFast = false;
    odd(base, {}, [](Case&) {});
    if (wasFast || !judgement.equal) return;
  }
  oddSizes = sets.front();
}

void Verifier::atSeveralBlocks(const ChosenCase& base) {
  const std::map<std::string, unsigned> axes = axesOf(*base.c.facts);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!(base.c.facts->used.block >> axis & 1)) continue;
    const auto isDone = [&] { return coverage.mostBlocks(axis) != 1; };
    for (const int64_t times : {4, 16}) {
      if (isCostly && times < 16) continue;
      // One at a time: it may bound more than one axis, and two that grow are soon too many blocks.
      for (const auto& [name, size] : oddSizes) {
        const auto along = axes.find(name);
        if (along != axes.end() && along->second != axis && along->second != 0) continue;
        NumberSet sizes;
        for (const auto& [other, few] : oddSizes) sizes[other] = std::min<int64_t>(few, 8);
        sizes[name] = times * size;
        if (!isDone()) odd(base, sizes, [](Case&) {});
        if (!isDone()) odd(base, {{name, times * size}}, [](Case&) {});
      }
      if (!isDone()) odd(base, {}, [&](Case& c) { c.grid[axis] *= static_cast<uint32_t>(times); });
    }
  }
}

// Loops over the whole grid make sense with any number of blocks.
void Verifier::atOtherGrids(const ChosenCase& base) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (base.c.facts->gridAxes >> axis & 1) {
      odd(base, {}, [&](Case& c) { c.grid[axis] = 1; });
      odd(base, {}, [&](Case& c) { ++c.grid[axis]; });
    }
}

// Whether the plan tests them or not: the test that is missing is the one that matters.
std::vector<ArrayPair> Verifier::pairsToOverlap(const ChosenCase& base) const {
  constexpr size_t most = 12;
  if (!base.c.aliases.empty() || options.assumeNoalias) return {};
  std::vector<ArrayPair> pairs = pairsTold(*other);
  if (!doesIterations(*other))
    for (const ArrayPair& pair : pairsOfOriginal(base.c))
      if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

void Verifier::atOverlaps(const ChosenCase& base, const std::vector<ArrayPair>& pairs) {
  if (pairs.empty()) return;
  const std::optional<Alone> alone = oneThread(base);
  for (const auto& [first, second] : pairs) {
    const auto overlap = [&](const std::string& inner, const std::string& outer, int64_t offset) {
      odd(base, alone ? alone->sizes : NumberSet{}, [&](Case& c) {
        c.aliases[inner] = {outer, offset};
        if (alone && alone->isLaunchedAlone) c.grid = c.block = {1, 1, 1};
      });
    };
    if (alone) overlap(first, second, 0);
    // Either may lie behind the other: an element that is written is then read by a later iteration, at the
    // latest by the one that reads the last.
    for (const auto& [inner, outer] : {std::pair(first, second), std::pair(second, first)}) {
      overlap(inner, outer, 1);
      const ArrayData* const array = alone ? alone->data.find(outer) : nullptr;
      if (array && array->length > 2) overlap(inner, outer, static_cast<int64_t>(array->length) - 1);
    }
  }
}

// Threads that share what they write race; one alone does not, whatever overlaps. It is launched alone, or is
// the only one within the sizes, where the fast version runs so.
std::optional<Verifier::Alone> Verifier::oneThread(const ChosenCase& base) {
  const auto tried = [&](const NumberSet& sizes, bool isLaunchedAlone) -> std::optional<Alone> {
    const uint64_t before = compared;
    std::optional<CaseData> made = odd(base, sizes, [&](Case& c) {
      if (isLaunchedAlone) c.grid = c.block = {1, 1, 1};
    });
    if (!made || compared == before) return std::nullopt;
    return Alone{sizes, isLaunchedAlone, std::move(*made)};
  };
  if (auto found = tried({}, true)) return found;
  const std::vector<std::string> names = maker.freeSizes();
  // Where the first or the last are left out, as stencils do, one of two or of three is left.
  for (const int64_t size : {1, 2, 3}) {
    NumberSet sizes;
    for (const Guard& guard : base.c.facts->guards)
      for (const std::string& path : guard.params)
        if (std::find(names.begin(), names.end(), path) != names.end()) sizes[path] = size;
    if (sizes.empty()) continue;
    if (auto found = tried(sizes, false)) return found;
  }
  return std::nullopt;
}

}  // namespace hone::device
