// Numbers, block and grid of a case: as given, by the launch in sight, or guessed from the kernel.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "device/Case.h"
#include "device/HostFunctions.h"
#include "ir/Error.h"

namespace hone::device {

using namespace ir;

namespace {

uint32_t ceilDiv(int64_t a, int64_t b) {
  return static_cast<uint32_t>(std::max<int64_t>(1, (a + b - 1) / b));
}

// Names that steps and places have, as opposed to sizes.
bool looksLikeStep(const std::string& path) {
  static const char* const words[] = {
      "k",   "t",     "i",      "j",     "step", "iter",  "iteration", "pass", "stage", "level", "offset",
      "off", "start", "begin",  "shift", "pos",  "phase", "it",        "id",   "idx",   "index", "which",
      "lo",  "first", "origin", "flag",  "mode", "round", "time",      "inc",  "dir"};
  std::string name = path.substr(path.rfind('.') + 1);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  while (name.size() > 1 && (std::isdigit(static_cast<unsigned char>(name.back())) || name.back() == '_'))
    name.pop_back();
  if (std::any_of(std::begin(words), std::end(words), [&](const char* w) { return name == w; })) return true;
  for (const char* part : {"offset", "start", "step", "iter", "stage", "level", "shift", "index"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

uint32_t checkedExtent(const Given& given, const Number& value, size_t axis) {
  int64_t extent = value.asWhole();
  if (extent < 1 || extent > 0x7fffffff)
    throw Error(fmt::format("{}: extent {} of '{}' is {}; it must be at least 1", given.from, "xyz"[axis],
                            given.text, extent));
  return static_cast<uint32_t>(extent);
}

// Whether a number is another in each turn of a loop around the launch.
bool turns(HostText host, const std::string& argument) {
  const std::optional<Number> first = host.value(argument);
  host.turn = HostText::Turn::Last;
  const std::optional<Number> last = host.value(argument);
  return first && last && first->asReal() != last->asReal();
}

bool fits(const std::array<Number, 3>& extents, int64_t most) {
  return std::all_of(extents.begin(), extents.end(),
                     [&](const Number& n) { return n.asWhole() >= 1 && n.asWhole() <= most; });
}

}  // namespace

int64_t CaseMaker::guessSize(const std::string& path, unsigned position, const Case& c,
                             const CaseWish& wish) const {
  CoordUse guarded;  // axes that this number bounds
  for (const Guard& guard : known->guards)
    if (guard.params.contains(path)) guarded |= guard.coords;
  unsigned axes = static_cast<unsigned>(__builtin_popcount(known->used.block | known->used.thread));
  bool coversGrid = (guarded.block & known->used.block) != 0;
  if (guess.mostOfLoops && !coversGrid) return std::max<int64_t>(2, guess.mostOfLoops - position);
  int64_t unit = std::max<uint32_t>(1, std::max({c.block[0], c.block[1], c.block[2]}));
  if (axes <= 1) {
    // One entry per thread, or the length of a loop in each.
    if (!coversGrid && known->roles.at(path) == ScalarRole::Bound && !known->guards.empty())
      return wish.multiples ? 64 : 48 + 4 * position;
    return wish.multiples ? std::max<int64_t>(unit * 4, 1024 / unit * unit) : 1000 - 12 * position;
  }
  int64_t base = axes == 2 ? 96 : 24;
  if (wish.multiples) return std::max<int64_t>(unit, (base + unit - 1) / unit * unit);
  return base + 4 - 3 * position;
}

bool CaseMaker::isStep(const std::string& path) const {
  return looksLikeStep(path) && !known->ofLoops.contains(path) &&
         std::none_of(known->guards.begin(), known->guards.end(),
                      [&](const Guard& guard) { return guard.params.contains(path); });
}

int64_t CaseMaker::fitted(const std::string& path, int64_t size) const {
  return size < 1 || looksLikeStep(path) ? size : (size + guess.unit - 1) / guess.unit * guess.unit;
}

std::string CaseMaker::argumentOf(const ParameterLeaf& leaf) const {
  if (!launch) return "";
  const std::string& whole = kernel->params[leaf.param]->name;
  if (whole == leaf.path) return launch->args[leaf.param];
  // A field of what is handed over, where that is a variable.
  const std::string field = trimmed(launch->args[leaf.param]) + leaf.path.substr(whole.size());
  return isPath(field) ? field : "";
}

// What is decided elsewhere is so for all of them.
static HostText withOverrides(const HostText& other, const HostText& host) {
  HostText out = other;
  out.overrides.insert(host.overrides.begin(), host.overrides.end());
  return out;
}

bool CaseMaker::isSettled(const HostText& host, const ParameterLeaf& leaf, const Number& value) const {
  const std::string mine = argumentOf(leaf);
  return mine == launch->args[leaf.param] && host.isSettled(mine) &&
         std::all_of(others.begin(), others.end(), [&](const SeenLaunch& other) {
           const HostText there = withOverrides(*other.host, host);
           const std::string& arg = other.launch->args[leaf.param];
           const std::optional<Number> found = there.value(arg);
           return found && found->asReal() == value.asReal() && there.isSettled(arg);
         });
}

bool CaseMaker::isBlockSettled(const HostText& host, const std::array<Number, 3>& block) const {
  return host.isSettled(launch->block) &&
         std::all_of(others.begin(), others.end(), [&](const SeenLaunch& other) {
           const HostText there = withOverrides(*other.host, host);
           const auto found = there.extents(other.launch->block);
           return found && there.isSettled(other.launch->block) &&
                  std::equal(found->begin(), found->end(), block.begin(),
                             [](const Number& a, const Number& b) { return a.asWhole() == b.asWhole(); });
         });
}

void CaseMaker::setTurn(Case& c, const CaseWish& wish, HostText& host) const {
  host.turn = wish.turn;
  for (const ParameterLeaf& leaf : leaves) {
    const auto number = c.numbers.find(leaf.path);
    if (number == c.numbers.end() || number->second.origin != Origin::Launch || capturedCase(wish)) continue;
    const std::optional<Number> value = host.value(argumentOf(leaf));
    if (value && (!isSize(leaf.path) || value->asWhole() >= 1)) number->second.value = *value;
  }
}

std::optional<double> CaseMaker::capturedShare() const {
  if (!given.capture || (captures && captures->cases.empty())) return std::nullopt;
  return captures ? captures->share : 0;
}

std::optional<double> CaseMaker::capturedSeconds(const CaseWish& wish, const target::Target& machine) const {
  const CapturedCase* seen = capturedCase(wish);
  if (!seen || captures->isCoarse || seen->launches == 0 || seen->microseconds <= 0 ||
      !target::isNamed(captures->device, machine))
    return std::nullopt;
  return seen->microseconds * 1e-6 / static_cast<double>(seen->launches);
}

const CapturedCase* CaseMaker::capturedCase(const CaseWish& wish) const {
  if (!captured()) return nullptr;
  return &captures->cases[std::min(wish.captured, captures->cases.size() - 1)];
}

CapturedCase CaseMaker::smallerCapture(const CapturedCase& seen, const SmallLaunch& most) const {
  const std::vector<std::string> sizes = sizeNames();
  return smallerLaunch(seen, {sizes.begin(), sizes.end()}, most);
}

std::vector<std::map<std::string, int64_t>> CaseMaker::capturedSizes() const {
  constexpr size_t mostLaunches = 4;
  std::vector<std::map<std::string, int64_t>> out;
  if (!captured()) return out;
  for (size_t i = 0; i < std::min(mostLaunches, captures->cases.size()); ++i)
    for (const SmallLaunch& most :
         {SmallLaunch{.threads = 1 << 13, .size = 256}, SmallLaunch{.threads = 1 << 10, .size = 64}}) {
      const CapturedCase smaller = smallerCapture(captures->cases[i], most);
      std::map<std::string, int64_t> sizes;
      for (const std::string& name : freeSizes())
        if (const auto number = smaller.numbers.find(name); number != smaller.numbers.end())
          sizes[name] = number->second.asWhole();
      if (!sizes.empty() && std::find(out.begin(), out.end(), sizes) == out.end()) out.push_back(sizes);
    }
  return out;
}

void CaseMaker::setNumbers(Case& c, const CaseWish& wish, HostText* host, bool useLaunch,
                           const CapturedCase* seen) const {
  unsigned position = 0, step = 0;
  std::optional<HostText> told;  // without what is guessed
  if (host) told.emplace(*host);
  // Given ones first: expressions of the launch may depend on them.
  for (const ParameterLeaf& leaf : leaves) {
    if (!leaf.isNumber()) continue;
    std::optional<CaseNumber> number;
    if (auto set = given.set.find(leaf.path); set != given.set.end()) {
      Number value = eval(set->second, c);
      if (leaf.type->isInteger() && value.isReal && value.real != static_cast<double>(value.asWhole()))
        throw Error(fmt::format("{}: '{}' is {}, and '{}' is a whole number", set->second.from,
                                set->second.text, str(value), leaf.path));
      number = CaseNumber{value, Origin::Given, false};
    }
    if (auto size = wish.sizes.find(leaf.path); size != wish.sizes.end())
      number = CaseNumber{wholeNumber(size->second), number ? number->origin : Origin::Guess, false};
    if (!number) continue;
    c.numbers[leaf.path] = *number;
    if (std::string arg = argumentOf(leaf); host && isPath(arg)) {
      host->decide(arg, number->value);
      if (number->origin == Origin::Given) told->decide(arg, number->value);
    }
  }
  for (const ParameterLeaf& leaf : leaves) {
    if (!leaf.isNumber() || c.numbers.contains(leaf.path)) continue;
    std::string arg = argumentOf(leaf);
    std::optional<Number> value;
    if (seen && (useLaunch || !isSize(leaf.path)))
      if (const auto number = seen->numbers.find(leaf.path); number != seen->numbers.end()) {
        // That a run had a value proves nothing; the text may.
        const std::optional<Number> now = host && !arg.empty() ? host->value(arg) : std::nullopt;
        const bool isOnly = now && now->asReal() == number->second.asReal() && isSettled(*host, leaf, *now);
        const CapturedCase* captured = capturedCase(wish);
        const std::optional<Number> before = captured ? captured->numbers.at(leaf.path)
                                             : host   ? told->value(arg)
                                                      : std::nullopt;
        const bool isChanged = !before || number->second.asReal() != before->asReal();
        c.numbers[leaf.path] = {number->second, isChanged ? Origin::Guess : Origin::Launch, !isOnly, false};
        if (host && isPath(arg)) host->decide(arg, number->second);
        continue;
      }
    if (host && !arg.empty() && (useLaunch || !isSize(leaf.path))) value = host->value(arg);
    if (value && leaf.isWhole() && isSize(leaf.path) && value->asWhole() < 1 && !looksLikeStep(leaf.path) &&
        (known->roles.at(leaf.path) == ScalarRole::Bound || (host->isSettled(arg) && !told->isSettled(arg))))
      value.reset();
    if (value) {
      const bool isOnly = isSettled(*host, leaf, *value);
      c.numbers[leaf.path] = {*value, Origin::Launch, !isOnly, isOnly && !told->isSettled(arg),
                              host->isDefault(arg)};
      continue;
    }
    if (isSize(leaf.path) && !(looksLikeStep(leaf.path) && wish.small != 3)) {
      // Variants: 1 the last size is small, 2 all but the first, for numbers that are steps by another name.
      unsigned mine = position++;
      unsigned count = static_cast<unsigned>(sizeNames().size());
      bool small = (wish.small == 1 && mine + 1 == count && count > 1) || (wish.small == 2 && mine > 0);
      value = wholeNumber(small ? 1 : guessSize(leaf.path, mine, c, wish));
    } else if (leaf.isWhole()) {
      value = wholeNumber(
          known->roles.contains(leaf.path) && known->roles.at(leaf.path) == ScalarRole::Plain ? 3 : 1);
      // Enough for a loop to be gone through, where it bounds one.
      if (looksLikeStep(leaf.path)) value = wholeNumber(isSize(leaf.path) ? 2 : step++ == 0 ? 1 : 0);
    } else if (leaf.type->isFloating()) {
      const double nth = static_cast<double>(c.numbers.size() % 4);
      value = realNumber(wish.fractions ? 0.375 + 0.125 * nth : 1.25 + 0.5 * nth);
    } else {
      value = wholeNumber(1);
    }
    if (isSize(leaf.path)) value = wholeNumber(fitted(leaf.path, value->asWhole()));
    // A narrow integer holds what it can.
    if (leaf.type->is(TypeKind::Int) && leaf.type->bits < 16) value = wholeNumber(value->asWhole() & 0x3f);
    c.numbers[leaf.path] = {*value, Origin::Guess, false};
    if (host && isPath(arg)) host->decide(arg, *value);
  }
  // A pitch is no smaller than what is laid out with it.
  int64_t widest = 0;
  for (const auto& [path, number] : c.numbers)
    if (isSize(path) && known->roles.at(path) == ScalarRole::Bound)
      widest = std::max(widest, number.value.asWhole());
  for (auto& [path, number] : c.numbers) {
    if (number.origin != Origin::Guess || wish.sizes.contains(path) || !isSize(path)) continue;
    if (known->roles.at(path) != ScalarRole::Pitch || looksLikeStep(path)) continue;
    // In bytes, for all one knows: room for large elements, and aligned.
    bool inBytes = path.find("itch") != std::string::npos;
    if (!inBytes && widest <= number.value.asWhole()) continue;
    number.value = wholeNumber(inBytes ? (widest * 16 + 255) / 256 * 256 : widest);
    if (std::string arg = argumentOf(
            *std::find_if(leaves.begin(), leaves.end(), [&](const auto& l) { return l.path == path; }));
        host && isPath(arg))
      host->decide(arg, number.value);
  }
}

void CaseMaker::setBlock(Case& c, const HostText* host, const CaseWish& wish) const {
  if (given.block) {
    std::vector<std::string> parts = splitExtents(*given.block);
    Case before = c;
    for (size_t i = 0; i < parts.size(); ++i) {
      // Expressions over numbers that are not known yet wait for the second call.
      Evaluated e = evaluate(parts[i], namesIn(before));
      if (!e.value && c.numbers.empty()) continue;
      if (!e.value) throw Error(fmt::format("{}: in '{}': {}", given.block->from, parts[i], e.problem));
      c.block[i] = checkedExtent(*given.block, *e.value, i);
    }
    for (size_t i = parts.size(); i < 3; ++i) c.block[i] = 1;
    c.blockOrigin = Origin::Given;
    return;
  }
  if (const CapturedCase* seen = capturedCase(wish); seen && !guess.block) {
    c.block = seen->block;
    c.blockOrigin = Origin::Launch;
    return;
  }
  if (host && launch && !launch->block.empty())
    if (auto extents = host->extents(launch->block);
        extents && fits(*extents, 1024) &&
        (*extents)[0].asWhole() * (*extents)[1].asWhole() * (*extents)[2].asWhole() <= 1024) {
      const bool isOnly = isBlockSettled(*host, *extents);
      if (isOnly || !guess.block) {
        for (size_t i = 0; i < 3; ++i) c.block[i] = static_cast<uint32_t>((*extents)[i].asWhole());
        c.blockOrigin = isOnly ? Origin::Launch : Origin::Guess;
        return;
      }
    }
  c.blockOrigin = Origin::Guess;
  guessBlock(c);
}

void CaseMaker::guessBlock(Case& c) const {
  if (kernel->requiredBlock) {
    for (size_t i = 0; i < 3; ++i) c.block[i] = (*kernel->requiredBlock)[i];
    c.blockOrigin = Origin::Launch;
    return;
  }
  if (guess.block) {
    c.block = *guess.block;
    return;
  }
  unsigned axes = known->used.thread;
  unsigned count = static_cast<unsigned>(__builtin_popcount(axes));
  c.block = {1, 1, 1};
  const uint32_t defaults[4][3] = {{32, 1, 1}, {256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
  for (unsigned axis = 0, nth = 0; axis < 3; ++axis)
    if (axes & (1u << axis)) c.block[axis] = defaults[std::min(count, 3u)][nth++];
  if (count == 0) c.block[0] = 32;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (known->blockHint[axis] > 0)
      c.block[axis] = static_cast<uint32_t>(std::min<int64_t>(known->blockHint[axis], 1024));
  int64_t most = 1024;
  if (kernel->launchBounds && kernel->launchBounds->maxThreads > 0)
    most = std::min<int64_t>(most, kernel->launchBounds->maxThreads);
  if (known->threadsHint > 0) most = std::min(most, known->threadsHint);
  auto threads = [&] { return int64_t(c.block[0]) * c.block[1] * c.block[2]; };
  // A bound on the threads shortens the outer axes first.
  for (unsigned axis : {2u, 1u, 0u})
    while (threads() > most && c.block[axis] > 1) c.block[axis] /= 2;
}

void CaseMaker::setGrid(Case& c, const HostText* host, const CaseWish& wish, bool useLaunch,
                        const CapturedCase* seen) const {
  if (given.grid) {
    std::vector<std::string> parts = splitExtents(*given.grid);
    bool isConstant = true;
    for (size_t i = 0; i < 3; ++i) {
      if (i >= parts.size()) {
        c.grid[i] = 1;
        continue;
      }
      isConstant &= evaluate(parts[i], {}).value.has_value();
      c.grid[i] = checkedExtent(*given.grid, eval({parts[i], given.grid->from}, c), i);
    }
    c.gridOrigin = Origin::Given;
    // At other sizes a grid of numbers covers what it covered before, where it was just enough for a bound.
    if (isConstant && !wish.sizes.empty()) {
      Case base = make(), covering = base;
      guessGrid(covering, wish);
      if (covering.grid == base.grid) guessGrid(c, wish);
    }
    return;
  }
  if (seen && c.block == seen->block) {
    const bool isSame = std::all_of(seen->numbers.begin(), seen->numbers.end(), [&](const auto& number) {
      const auto mine = c.numbers.find(number.first);
      return mine == c.numbers.end() || mine->second.value.asReal() == number.second.asReal() ||
             (std::isnan(number.second.asReal()) && std::isnan(mine->second.value.asReal()));
    });
    if (useLaunch) return setCapturedGrid(c, *seen, wish, isSame);
    c.gridOrigin = Origin::Guess;
    return guessGrid(c, wish);
  }
  if (host && launch && !launch->grid.empty() && readGrid(c, *host, wish)) {
    if (!useLaunch) guessGrid(c, wish), c.gridOrigin = Origin::Guess, c.isGridRead = false;
    return;
  }
  c.gridOrigin = Origin::Guess;
  guessGrid(c, wish);
}

void CaseMaker::setCapturedGrid(Case& c, const CapturedCase& seen, const CaseWish& wish, bool isSame) const {
  c.gridOrigin = Origin::Launch;
  c.isGridRead = true;
  c.isCaptured = isSame;
  c.grid = seen.grid;
  if (isSame && wish.sizes.empty()) return;
  // Where blocks are as many as sizes ask for, or so many times as many, they are with other sizes too.
  Case base = c, there = c;
  for (const auto& [path, value] : seen.numbers) base.numbers[path].value = value;
  CaseWish whole;
  whole.wholeGrid = true;
  guessGrid(base, whole);
  whole.sizes = wish.sizes;
  guessGrid(there, wish.wholeGrid || wish.anySize ? whole : wish);
  c.madeUpAxes = there.madeUpAxes;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto wished = wish.sizes.find(blocksName(axis));
    if (c.madeUpAxes >> axis & 1)
      c.grid[axis] = wished != wish.sizes.end() ? static_cast<uint32_t>(wished->second) : seen.grid[axis];
    else
      c.grid[axis] = ceilDiv(int64_t{there.grid[axis]} * seen.grid[axis], base.grid[axis]);
  }
}

bool CaseMaker::readGrid(Case& c, HostText host, const CaseWish& wish) const {
  // Grids are counted in blocks: the grid of the launch goes with the block that is run, and with the
  // numbers.
  if (isName(launch->block) && c.block[1] == 1 && c.block[2] == 1)
    host.overrides.emplace(launch->block, wholeNumber(c.block[0]));
  // A grid that goes with sizes is known by them; one that goes with turns of a loop is another in each.
  const HostText before = host;
  HostText bySizes = host;
  for (const ParameterLeaf& leaf : leaves) {
    const auto number = c.numbers.find(leaf.path);
    const std::string arg = argumentOf(leaf);
    if (number == c.numbers.end() || !number->second.mayDiffer || !isPath(arg)) continue;
    host.overrides.emplace(arg, number->second.value);
    if (isSize(leaf.path) && !turns(before, arg)) bySizes.overrides.emplace(arg, number->second.value);
  }
  const auto extents = host.extents(launch->grid);
  if (!extents || !fits(*extents, 0x7fffffff)) return false;
  for (size_t i = 0; i < 3; ++i) c.grid[i] = static_cast<uint32_t>((*extents)[i].asWhole());
  c.gridOrigin = Origin::Launch;
  c.isGridRead = true;
  if (!launch->shared.empty() && !c.shared)
    if (auto bytes = host.value(launch->shared); bytes && bytes->asWhole() >= 0)
      c.shared = static_cast<uint64_t>(bytes->asWhole());
  if (bySizes.isSettled(launch->grid)) return true;
  c.gridOrigin = Origin::Guess;
  c.isGridDefault = host.isDefault(launch->grid);
  Case covering = c;
  guessGrid(covering, wish);
  c.madeUpAxes = covering.madeUpAxes;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (const auto wished = wish.sizes.find(blocksName(axis));
        c.madeUpAxes >> axis & 1 && wished != wish.sizes.end())
      c.grid[axis] = static_cast<uint32_t>(wished->second);
  return true;
}

void CaseMaker::guessGrid(Case& c, const CaseWish& wish) const {
  const bool isGiven = std::any_of(c.numbers.begin(), c.numbers.end(), [&](const auto& number) {
    return number.second.origin == Origin::Given && isSize(number.first);
  });
  // Who gives a size means all of it; where every block is run it may be too many.
  const bool isWhole = wish.wholeGrid || (wish.anySize && isGiven);
  const bool isFew = guess.fewBlocks && !isGiven;
  c.grid = {1, 1, 1};
  c.madeUpAxes = 0;
  int64_t largest = 0;  // of the sizes
  for (const auto& [path, number] : c.numbers)
    if (isSize(path) && !looksLikeStep(path)) largest = std::max(largest, number.value.asWhole());
  for (unsigned axis = 0; axis < 3; ++axis) {
    unsigned bit = 1u << axis;
    if (!(known->used.block & bit)) continue;
    bool withThreads = (known->used.thread & bit) != 0;
    int64_t threads = -1, blocks = -1;
    for (const Guard& guard : known->guards) {
      if (!(guard.coords.block & bit)) continue;
      auto bound = boundOf(guard, c);
      const int64_t most = isWhole ? 0x7fffffff : 1 << 24;
      if (!bound || bound->asWhole() < 1 || bound->asWhole() > most) continue;
      int64_t extent = bound->asWhole();
      // A number that is smaller than a block tells of a border or of one thread, not of the grid.
      if (guard.params.empty() && (guard.coords.thread & bit) && extent < int64_t(c.block[axis])) continue;
      // A bound on several axes together is shared among them.
      if (int n = __builtin_popcount(guard.coords.block); n > 1) {
        int64_t side = 1;
        while (n == 2 ? side * side < extent : side * side * side < extent) ++side;
        extent = side;
      }
      bool sameThreads = (guard.coords.thread & bit) != 0;
      (sameThreads ? threads : blocks) = std::max(sameThreads ? threads : blocks, extent);
    }
    if (threads > 0)
      c.grid[axis] = ceilDiv(threads, c.block[axis]);
    else if (blocks > 0)
      c.grid[axis] = static_cast<uint32_t>(isWhole ? blocks : std::min<int64_t>(blocks, 64));
    else if (largest > 0 && withThreads)
      c.grid[axis] = ceilDiv(largest, c.block[axis]);
    else
      c.grid[axis] = axis == 0 ? 4 : 2;
    // Loops over the whole grid are right with any number of blocks, and so is what no test bounds: that it
    // covers the largest size is no more than likely, unless the user says how large that is.
    const bool isTold = threads > 0 || blocks > 0 || (isGiven && largest > 0 && withThreads);
    if (!isTold || (known->gridAxes & bit)) {
      c.madeUpAxes |= bit;
      if (const auto wished = wish.sizes.find(blocksName(axis)); wished != wish.sizes.end())
        c.grid[axis] = static_cast<uint32_t>(wished->second);
    }
    if (isFew && (unguardedAxes() & bit)) c.grid[axis] = std::min(c.grid[axis], 2u);
  }
  while (!isWhole && uint64_t(c.grid[0]) * c.grid[1] * c.grid[2] > 4096) {
    uint32_t& most = *std::max_element(c.grid.begin(), c.grid.end());
    most = (most + 1) / 2;
  }
}

}  // namespace hone::device
