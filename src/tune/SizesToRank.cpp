#include "tune/SizesToRank.h"

#include <algorithm>
#include <cmath>

#include "ir/Walk.h"

namespace hone::tune {

using namespace ir;

namespace {

constexpr int64_t mostThreadsOfBlock = 1024;
// In place of a grid that is made up: enough for several blocks on every multiprocessor.
constexpr uint64_t usualBlocks = 1024;
constexpr int64_t sizeOfVolumes = 128;  // along each of three axes

int axesOf(const device::Case& c) {
  return __builtin_popcount(static_cast<unsigned>(c.facts->used.block | c.facts->used.thread));
}

// Programs are tried out with their defaults, and used with more.
bool isOpen(const device::CaseNumber& number) {
  return number.origin == device::Origin::Guess || number.isDefault;
}

// Whether threads step over the data by the size of the grid, or by a number that stands for it.
bool stepsByGrid(const device::KernelFacts& facts) {
  bool found = facts.gridAxes != 0;
  walkStmts(facts.inlined->body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    const auto count = loop ? counted(*loop) : std::nullopt;
    const auto step = count && count->op == BinaryOp::Add ? constantValue(count->step) : std::nullopt;
    found = found || (step && *step > mostThreadsOfBlock);
  });
  return found;
}

}  // namespace

bool isSharedOut(const device::KernelFacts& facts, const std::string& name) {
  return std::any_of(facts.guards.begin(), facts.guards.end(), [&](const device::Guard& guard) {
    return guard.coords.block != 0 && guard.params.contains(name);
  });
}

bool boundsLoop(const Kernel& kernel, const std::string& name) {
  bool found = false;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop || !loop->cond) return;
    walkExprs(loop->cond, [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      found = found || (var && var->var->name == name);
    });
  });
  return found;
}

std::vector<std::string> gridNumbers(const device::CaseMaker& maker, const device::CaseWish& wish) {
  const device::Case c = maker.make(wish);
  const std::vector<std::string> sizes = maker.freeSizes();
  std::vector<std::string> out;
  for (const auto& [name, number] : c.numbers) {
    if (!isOpen(number) || number.value.isReal || number.value.asWhole() < 1 ||
        std::find(sizes.begin(), sizes.end(), name) != sizes.end())
      continue;
    device::CaseWish doubled = wish;
    doubled.sizes[name] = 2 * number.value.asWhole();
    if (maker.make(doubled).grid != c.grid) out.push_back(name);
  }
  return out;
}

namespace {

// Blocks along axes of the grid of which nothing tells how many there are.
void wishForBlocks(device::CaseWish& wish, const device::CaseMaker& maker) {
  const device::Case c = maker.make(wish);
  const int axes = __builtin_popcount(c.madeUpAxes);
  if (axes == 0 || (c.isGridRead && !c.isGridDefault)) return;
  uint64_t known = 1;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!(c.madeUpAxes >> axis & 1)) known *= c.grid[axis];
  const double each = std::pow(double(usualBlocks) / double(known), 1.0 / axes);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (c.madeUpAxes >> axis & 1)
      wish.sizes[device::blocksName(axis)] = std::max<int64_t>(c.grid[axis], std::llround(each));
}

// The same for grids that a launch in sight has, by numbers that nobody told.
void wishForGridNumbers(device::CaseWish& wish, const device::CaseMaker& maker) {
  const std::vector<std::string> names = gridNumbers(maker, wish);
  if (names.empty()) return;
  const device::Case c = maker.make(wish);
  const double blocks = double(c.grid[0]) * c.grid[1] * c.grid[2];
  const double times = std::pow(std::max(1.0, double(usualBlocks) / blocks), 1.0 / double(names.size()));
  const int64_t least = axesOf(c) >= 3 ? sizeOfVolumes : 1;
  for (const std::string& name : names)
    wish.sizes[name] =
        std::max<int64_t>(least, std::llround(times * double(c.numbers.at(name).value.asWhole())));
}

}  // namespace

device::CaseWish sizesToRank(const device::CaseMaker& maker) {
  device::CaseWish wish;
  wish.anySize = true;
  const device::Case base = maker.make(wish);
  device::Programs programs;
  // Blocks that wait for each other must all be on the device at once.
  wish.wholeGrid = !programs.of(base.kernel).usesGridSync;
  const std::vector<std::string> names = maker.freeSizes();
  const bool hasLoops = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return boundsLoop(*maker.facts().inlined, name);
  });
  const int axes = axesOf(base);
  for (const std::string& name : names) {
    const device::CaseNumber& number = base.numbers.at(name);
    const bool isLoop = boundsLoop(*maker.facts().inlined, name);
    if (!isOpen(number) || (number.value.asWhole() <= 2 && !isLoop)) continue;
    int64_t& size = wish.sizes[name];
    if (axes >= 3)
      size = sizeOfVolumes;
    else if (axes == 2)
      size = hasLoops ? 1024 : 4096;
    else if (names.size() == 1 && !isLoop)
      size = 1 << 20;
    else if (isLoop && stepsByGrid(maker.facts()) && (names.size() == 1 || isSharedOut(maker.facts(), name)))
      size = 1 << 20;
    else
      size = isLoop && names.size() > 1 ? 1024 : 2048;
    if (number.isDefault) size = std::max(size, number.value.asWhole());
  }
  if (wish.wholeGrid) {
    wishForBlocks(wish, maker);
    wishForGridNumbers(wish, maker);
  }
  return wish;
}

}  // namespace hone::tune
