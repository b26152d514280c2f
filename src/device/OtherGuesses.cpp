// What else a launch that nobody gave may be like: blocks and sizes by the constants of the kernel's text.
#include <algorithm>

#include "device/Case.h"
#include "ir/Assumption.h"
#include "ir/Walk.h"

namespace hone::device {

using namespace ir;

namespace {

using Blocks = std::vector<std::array<uint32_t, 3>>;

constexpr size_t mostConstants = 4, mostBlocks = 12;
constexpr int64_t mostThreads = 1024, largestUnit = 256;

// Extents along one axis, along two, along three.
Blocks extentsBy(const std::vector<uint32_t>& constants, size_t axes) {
  Blocks out;
  if (axes == 1) {
    for (const uint32_t c : constants) out.insert(out.end(), {{c, 1, 1}, {2 * c, 1, 1}});
    out.insert(out.end(), {{128, 1, 1}, {64, 1, 1}, {512, 1, 1}, {1024, 1, 1}, {32, 1, 1}});
  } else if (axes == 2) {
    for (const uint32_t c : constants) out.push_back({c, c, 1});
    for (const uint32_t x : constants)
      for (const uint32_t y : constants) out.push_back({x, y, 1});
    out.insert(out.end(), {{32, 32, 1}, {32, 8, 1}, {8, 8, 1}, {32, 4, 1}});
  } else if (axes == 3) {
    for (const uint32_t c : constants) out.push_back({c, c, c});
    out.insert(out.end(), {{8, 8, 8}, {4, 4, 4}});
  }
  return out;
}

// The smallest array with a fixed extent that threads have of their own; 0: there is none.
int64_t smallestOwnArray(const Kernel& kernel) {
  int64_t smallest = 0;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* decl = s.as<Declare>();
    const Variable* var = decl ? decl->var.get() : nullptr;
    if (!var || var->space != Space::Private || !var->type->is(TypeKind::Array) || var->type->extent < 3)
      return;
    if (!smallest || var->type->extent < smallest) smallest = var->type->extent;
  });
  return smallest;
}

}  // namespace

std::vector<std::array<uint32_t, 3>> CaseMaker::otherBlocks(const Case& usual) const {
  if (usual.blockOrigin != Origin::Guess || launchAssumption(*kernel).free) return {};
  const bool isBounded = kernel->launchBounds && kernel->launchBounds->maxThreads > 0;
  const int64_t most =
      isBounded ? std::min(mostThreads, int64_t(kernel->launchBounds->maxThreads)) : mostThreads;
  std::vector<uint32_t> constants;
  for (const int64_t value : known->constants)
    if (constants.size() < mostConstants) constants.push_back(static_cast<uint32_t>(value));
  const auto axes = static_cast<size_t>(__builtin_popcount(known->used.thread));
  Blocks out;
  if (isBounded && axes == 1) out.push_back({static_cast<uint32_t>(most), 1, 1});
  for (const std::array<uint32_t, 3>& extents : extentsBy(constants, axes)) {
    std::array<uint32_t, 3> block{1, 1, 1};
    for (unsigned axis = 0, nth = 0; axis < 3; ++axis)
      if (known->used.thread >> axis & 1) block[axis] = extents[nth++];
    if (int64_t(block[0]) * block[1] * block[2] > most || block == usual.block) continue;
    if (std::find(out.begin(), out.end(), block) == out.end()) out.push_back(block);
  }
  if (out.size() > mostBlocks) out.resize(mostBlocks);
  return out;
}

bool CaseMaker::decidesByData() const {
  return std::any_of(known->arrays.begin(), known->arrays.end(),
                     [](const auto& array) { return array.second.steers && array.second.isRead; });
}

std::vector<LaunchGuess> CaseMaker::otherGuesses() const {
  const Case usual = make();
  int64_t unit = 1;  // of the tiles that the kernel's constants tell of
  if (usual.hasGuessedSize())
    for (const int64_t value : known->constants)
      if (value <= largestUnit) unit = std::max(unit, value);
  const bool isFewer = usual.gridOrigin == Origin::Guess && !guardsAllAxes();
  std::vector<LaunchGuess> out;
  const auto add = [&](const LaunchGuess& one) {
    if (one != guess && std::find(out.begin(), out.end(), one) == out.end()) out.push_back(one);
  };
  if (captured()) {
    add({.partOfGrid = true});
    add({.mostOfSize = 2048});
    add({.recordedValues = true});
  }
  if (readLaunch({})) {
    add({.readLaunch = true});
    add({.readLaunch = true, .mostOfSize = 2048});
    add({.readLaunch = true, .mostOfSize = 32});
  }
  // Counts of what is there, volumes, distances: kernels test for what should not be.
  if (decidesByData()) add({.positiveData = true});
  add({.unit = unit});
  // Sizes that a thread has arrays for are no larger than these.
  if (usual.hasGuessedSize()) add({.mostOfLoops = smallestOwnArray(*known->inlined)});
  add({.fewBlocks = isFewer});
  add({.unit = unit, .fewBlocks = isFewer});
  for (const std::array<uint32_t, 3>& block : otherBlocks(usual)) {
    add({.block = block});
    if (!guardsAllAxes()) add({.block = block, .unit = unit, .fewBlocks = isFewer});
  }
  return out;
}

CaseMaker CaseMaker::withGuess(const LaunchGuess& other) const {
  CaseMaker made = *this;
  made.guess = other;
  return made;
}

}  // namespace hone::device
