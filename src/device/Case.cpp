#include "device/Case.h"

#include <fmt/core.h>

#include <algorithm>

#include "device/EvaluateExpr.h"
#include "device/LaunchLimits.h"
#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::device {

using namespace ir;

// Longer arrays are no longer than the accesses of the kernel ask for.
constexpr uint64_t mostCapturedElements = uint64_t{1} << 26;

std::map<std::string, int64_t> Case::sizes() const {
  std::map<std::string, int64_t> out;
  for (const auto& [path, role] : facts->roles)
    if (auto number = numbers.find(path); number != numbers.end()) out[path] = number->second.value.asWhole();
  return out;
}

std::map<std::string, int64_t> Case::guessedSizes() const {
  std::map<std::string, int64_t> out = sizes();
  std::erase_if(out, [this](const auto& size) { return numbers.at(size.first).isKnown(); });
  return out;
}

bool Case::knowsContentsOf(const std::string& array) const {
  const auto global = facts->globals.find(array);
  // What the blocks share is theirs: nothing is in it before the launch.
  if (global != facts->globals.end() && global->second->space == Space::Shared) return true;
  const bool isSet =
      global != facts->globals.end() &&
      variables.contains(global->second->linkageName.empty() ? array : global->second->linkageName);
  return isSet || inputs.contains(array) || contents.contains(array);
}

bool Case::knowsWhatSteers() const {
  return std::all_of(facts->arrays.begin(), facts->arrays.end(), [this](const auto& array) {
    const auto& [name, known] = array;
    return (!known.steers && !known.boundsLoops && known.indexes.empty()) || knowsContentsOf(name);
  });
}

bool Case::knowsWhatIsTouched() const {
  return std::all_of(facts->arrays.begin(), facts->arrays.end(), [this](const auto& array) {
    return !array.second.steersAccesses || knowsContentsOf(array.first);
  });
}

bool Case::isRead(const std::string& size) const {
  if (axisOfBlocks(size)) return isGridRead && !isGridDefault;
  const auto number = numbers.find(size);
  return number != numbers.end() && number->second.origin == Origin::Launch && !number->second.isByGuess &&
         !number->second.isDefault;
}

bool Case::hasGuess() const {
  return gridOrigin == Origin::Guess || blockOrigin == Origin::Guess || hasGuessedSize();
}

bool Case::hasGuessedSize() const {
  return std::any_of(numbers.begin(), numbers.end(), [this](const auto& number) {
    return number.second.origin == Origin::Guess && facts->roles.contains(number.first);
  });
}

std::map<std::string, int64_t> changedNumbers(const Case& before, const Case& after) {
  std::map<std::string, int64_t> out;
  for (const auto& [path, number] : after.numbers)
    if (const int64_t value = number.value.asWhole(); before.numbers.at(path).value.asWhole() != value)
      out[path] = value;
  return out;
}

std::string extentsText(const std::array<uint32_t, 3>& e) {
  if (e[2] > 1) return fmt::format("{}x{}x{}", e[0], e[1], e[2]);
  return e[1] > 1 ? fmt::format("{}x{}", e[0], e[1]) : fmt::format("{}", e[0]);
}

std::string blocksName(unsigned axis) { return fmt::format("gridDim.{}", "xyz"[axis]); }

std::optional<unsigned> axisOfBlocks(const std::string& name) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (name == blocksName(axis)) return axis;
  return std::nullopt;
}

std::string Case::guessText() const {
  std::string out;
  auto add = [&](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  for (const auto& [path, number] : numbers)
    if (number.origin == Origin::Guess && facts->roles.contains(path))
      add(fmt::format("--set {}={}", path, str(number.value)));
  if (gridOrigin == Origin::Guess) add("--grid " + extentsText(grid));
  if (blockOrigin == Origin::Guess) add("--block " + extentsText(block));
  return out;
}

std::string Case::howToShorten() const {
  std::string names;
  for (const auto& [path, size] : sizes()) names += (names.empty() ? "" : ", ") + path;
  return names.empty() ? "; none of its numbers is a size that could be smaller"
                       : fmt::format("; give smaller sizes with --set ({})", names);
}

CaseMaker::CaseMaker(KernelPtr k, Settings settings, const Launch* seen, std::shared_ptr<const HostText> host)
    : kernel(std::move(k)),
      given(std::move(settings)),
      launch(seen),
      hostText(std::move(host)),
      known(std::make_shared<KernelFacts>(kernelFacts(kernel))),
      leaves(parameterLeaves(*kernel)) {
  if (launch && launch->args.size() != kernel->params.size()) launch = nullptr;
}

bool CaseMaker::isSize(const std::string& path) const {
  auto role = known->roles.find(path);
  return role != known->roles.end() &&
         (role->second == ScalarRole::Bound || role->second == ScalarRole::Pitch);
}

std::vector<std::string> CaseMaker::sizeNames() const {
  std::vector<std::string> out;
  for (const ParameterLeaf& leaf : leaves)
    if (isSize(leaf.path)) out.push_back(leaf.path);
  return out;
}

std::vector<std::string> CaseMaker::freeSizes() const {
  std::vector<std::string> out;
  for (const std::string& path : sizeNames())
    if (!given.set.contains(path)) out.push_back(path);
  return out;
}

std::set<std::string> CaseMaker::allNames() const {
  std::set<std::string> out;
  for (const ParameterLeaf& leaf : leaves) out.insert(leaf.path);
  for (const auto& [name, facts] : known->arrays) out.insert(name);
  return out;
}

void CaseMaker::checkNames(const std::set<std::string>& others) const {
  std::vector<std::string> numbers, arrays;
  for (const ParameterLeaf& leaf : leaves) (leaf.type->isPointer() ? arrays : numbers).push_back(leaf.path);
  for (const auto& [name, facts] : known->arrays)
    if (std::find(arrays.begin(), arrays.end(), name) == arrays.end()) arrays.push_back(name);
  auto check = [&](const std::map<std::string, Given>& table, const std::vector<std::string>& has,
                   const char* kind) {
    for (const auto& [name, value] : table) {
      if (others.contains(name) || std::find(has.begin(), has.end(), name) != has.end()) continue;
      if (!others.empty())
        throw Error(fmt::format("{}: none of the kernels has a {} '{}'{}", value.from, kind, name,
                                didYouMean(name, {others.begin(), others.end()})));
      std::string list;
      for (const std::string& one : has) list += (list.empty() ? "" : ", ") + one;
      throw Error(fmt::format("{}: kernel '{}' has no {} '{}'; it has {}", value.from, kernel->qualifiedName,
                              kind, name, has.empty() ? "none" : list));
    }
  };
  check(given.set, numbers, "number");
  check(given.length, arrays, "array");
  check(given.alias, arrays, "array");
  check(given.input, arrays, "array");
  check(given.save, arrays, "array");
  check(given.unordered, arrays, "array");
  check(given.temporary, arrays, "array");
  check(given.output, arrays, "array");
}

Names CaseMaker::namesIn(const Case& c) const {
  return {
      [&c](const std::string& name) -> std::optional<Number> {
        if (auto found = c.numbers.find(name); found != c.numbers.end()) return found->second.value;
        for (const auto& [word, extents] : {std::pair("gridDim", &c.grid), std::pair("blockDim", &c.block),
                                            std::pair("grid", &c.grid), std::pair("block", &c.block)})
          for (size_t axis = 0; axis < 3; ++axis)
            if (name == fmt::format("{}.{}", word, "xyz"[axis])) return wholeNumber((*extents)[axis]);
        return std::nullopt;
      },
      {}};
}

Number CaseMaker::eval(const Given& g, const Case& c) const {
  Evaluated e = evaluate(g.text, namesIn(c));
  if (!e.value) throw Error(fmt::format("{}: in '{}': {}", g.from, g.text, e.problem));
  return *e.value;
}

std::optional<Number> CaseMaker::boundOf(const Guard& guard, const Case& c) const {
  ExprNames names;
  int depth = 0;
  names.coord = [&](const Coord& coord) -> std::optional<Number> {
    if (coord.kind == CoordKind::BlockDim) return wholeNumber(c.block[coord.axis]);
    if (coord.kind == CoordKind::WarpSize) return wholeNumber(32);
    return std::nullopt;
  };
  names.place = [&](const ExprPtr& place) -> std::optional<Number> {
    std::string path = pathOf(place);
    if (auto found = c.numbers.find(path); !path.empty() && found != c.numbers.end())
      return found->second.value;
    const auto* var = as<VarRef>(place);
    if (!var) return std::nullopt;
    auto defined = known->definitions.find(var->var.get());
    if (defined == known->definitions.end() || ++depth > 50) return std::nullopt;
    return evaluate(defined->second, names);
  };
  return evaluate(guard.bound, names);
}

unsigned CaseMaker::unguardedAxes() const {
  unsigned guarded = 0;
  for (const Guard& guard : known->guards) guarded |= guard.coords.block;
  return known->used.block & ~guarded;
}

bool CaseMaker::guardsAllAxes() const { return unguardedAxes() == 0; }

// The first blocks along each axis.
static void leaveOutBlocks(std::array<uint32_t, 3>& grid, const std::array<uint32_t, 3>& block,
                           uint64_t mostThreads) {
  const uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
  while (uint64_t{grid[0]} * grid[1] * grid[2] * threads > mostThreads) {
    uint32_t& most = *std::max_element(grid.begin(), grid.end());
    if (most == 1) break;
    most = (most + 1) / 2;
  }
}

std::optional<CapturedCase> CaseMaker::readLaunch(const CaseWish& wish) const {
  if (!hostText || !launch || captured()) return std::nullopt;
  Case c;
  c.kernel = kernel, c.facts = known, c.leaves = leaves;
  HostText host = *hostText;
  CaseWish whole;
  whole.turn = wish.turn;
  const auto block = host.extents(launch->block);
  setBlock(c, &host, whole);
  setNumbers(c, whole, &host, true, nullptr);
  if (wish.turn != HostText::Turn::First) setTurn(c, whole, host);
  setGrid(c, &host, whole, true, nullptr);
  const bool isBlockRead = block && (*block)[0].asWhole() == c.block[0] &&
                           (*block)[1].asWhole() == c.block[1] && (*block)[2].asWhole() == c.block[2];
  if (!c.isGridRead || !isBlockRead) return std::nullopt;
  CapturedCase out;
  out.grid = c.grid, out.block = c.block;
  for (const auto& [path, number] : c.numbers) {
    if (number.origin == Origin::Guess && isSize(path)) return std::nullopt;
    out.numbers[path] = number.value;
  }
  return out;
}

Case CaseMaker::make(const CaseWish& wish) const {
  // A launch whose sizes would take too long is run with smaller ones.
  constexpr uint64_t mostThreads = 1 << 17, mostThreadsOfPart = 1 << 13, mostThreadsOfTiny = 1 << 10;
  constexpr int64_t mostOfTiny = 64;
  Case c;
  std::array<uint32_t, 3> launched{};
  const std::optional<CapturedCase> read = guess.readLaunch ? readLaunch(wish) : std::nullopt;
  // Sizes and grid of the launch, then its grid at guessed sizes, then a grid that just covers these.
  for (int attempt = wish.ignoresLaunch ? 1 : 0; attempt < 3; ++attempt) {
    c = Case();
    c.kernel = kernel;
    c.facts = known;
    c.leaves = leaves;
    c.hasPositiveData = guess.positiveData;
    const CapturedCase* seen = capturedCase(wish);
    std::optional<CapturedCase> smaller;
    if (seen && attempt == 1 && !guess.partOfGrid)
      seen = &smaller.emplace(smallerCapture(
          *seen, wish.ignoresLaunch ? SmallLaunch{.threads = mostThreadsOfPart, .size = guess.mostOfSize}
                                    : SmallLaunch{.threads = mostThreads}));
    if (read)
      seen = &smaller.emplace(smallerCapture(
          *read, {.threads = guess.mostOfSize > mostOfTiny ? mostThreadsOfPart : mostThreadsOfTiny,
                  .size = guess.mostOfSize}));
    c.cooperative = seen && !read ? seen->isCooperative : launch && launch->form == Launch::Form::Cooperative;
    std::optional<HostText> host;
    if (hostText && launch) host.emplace(*hostText);
    HostText* text = host ? &*host : nullptr;
    setBlock(c, text, wish);  // sizes are guessed by the block
    setNumbers(c, wish, text, attempt == 0 || (seen && attempt == 1), seen);
    if (text && wish.turn != HostText::Turn::First) setTurn(c, wish, *text);
    setBlock(c, text, wish);
    setGrid(c, text, wish, attempt < 2, seen);
    c.isSmallerThanCaptured = smaller && !read;
    c.isCaptured &= !smaller;
    if (read) {
      c.gridOrigin = Origin::Guess;
      if (c.grid != read->grid) launched = read->grid;
      break;
    }
    if (seen && guess.partOfGrid) {
      const std::array<uint32_t, 3> whole = c.grid;
      leaveOutBlocks(c.grid, c.block, mostThreadsOfPart);
      if (c.grid != whole) launched = whole;
      break;
    }
    uint64_t threads = 1;
    for (size_t i = 0; i < 3; ++i) threads *= uint64_t(c.grid[i]) * c.block[i];
    const bool hasLongArrays =
        c.isCaptured && std::any_of(seen->lengths.begin(), seen->lengths.end(),
                                    [](const auto& one) { return one.second > mostCapturedElements; });
    if ((threads <= mostThreads && !hasLongArrays) || wish.anySize || !c.isGridRead) break;
    if (attempt == 0) launched = c.grid;
  }
  c.fullGrid = launched;
  checkLimits(c, wish);
  setArrays(c, wish);
  return c;
}

void CaseMaker::checkLimits(const Case& c, const CaseWish& wish) const {
  if (!wish.sizes.empty()) return;  // no launch that the user asked for
  if (const std::string problem = whyNoBlock(kernel->language, c.block); given.block && !problem.empty())
    throw Error(fmt::format("{}: {}", given.block->from, problem));
  if (const std::string problem = whyNoGrid(kernel->language, c.grid); given.grid && !problem.empty())
    throw Error(fmt::format("{}: {}", given.grid->from, problem));
}

void CaseMaker::setVariables(Case& c, const CapturedCase& seen) const {
  if (!given.capture || given.capture->variables.empty()) return;
  for (const auto& [name, variable] : known->globals) {
    const uint64_t bytes = sizeOf(*variable->type, kernel->language == Language::OpenCL);
    const std::string& key = variable->linkageName.empty() ? name : variable->linkageName;
    std::vector<uint8_t> value = capturedVariable(*given.capture, seen.place, key, bytes);
    if (bytes && !value.empty()) c.variables[key] = std::move(value);
  }
}

void CaseMaker::setArrays(Case& c, const CaseWish& wish) const {
  auto isArray = [&](const std::string& name) {
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](const ParameterLeaf& l) { return l.path == name && l.isArray(); });
  };
  if (given.seed) c.seed = static_cast<uint64_t>(eval(*given.seed, c).asWhole());
  if (given.shared) {
    int64_t bytes = eval(*given.shared, c).asWhole();
    if (const std::string problem = whyNotShared(kernel->language, bytes); !problem.empty())
      throw Error(fmt::format("{}: {}", given.shared->from, problem));
    c.shared = static_cast<uint64_t>(bytes);
  }
  for (const auto& [name, value] : given.length) {
    if (!allNames().contains(name)) continue;
    int64_t elements = eval(value, c).asWhole();
    if (elements < 0 || elements > (int64_t(1) << 33))
      throw Error(fmt::format("{}: '{}' is {}, which is no length", value.from, value.text, elements));
    c.lengths[name] = static_cast<uint64_t>(elements);
  }
  for (const auto& [name, value] : given.alias) {
    if (!isArray(name)) continue;
    size_t sign = value.text.find_first_of("+-");
    std::string other = trimmed(value.text.substr(0, sign));
    if (!isArray(other) || other == name)
      throw Error(fmt::format("{}: '{}' does not begin with another array of the kernel, as in a=b+16",
                              value.from, value.text));
    int64_t offset = sign == std::string::npos ? 0 : eval({value.text.substr(sign), value.from}, c).asWhole();
    c.aliases[name] = {other, offset};
  }
  if (const CapturedCase* seen = capturedCase(wish)) {
    // At smaller sizes it may be more than is needed, and at larger ones it is what there was.
    if (!given.shared && c.block == seen->block) c.shared = seen->shared;
    // At other sizes arrays have other lengths, and those that begin at one address still do.
    if (c.isCaptured)
      c.contents = seen->contents, setVariables(c, *seen);
    else if (guess.recordedValues)
      c.samples = seen->contents;
    // What is made up of arrays that subscript others knows nothing of how long these are.
    const bool areLengthsMeant = c.isCaptured && c.knowsWhatSteers();
    for (const auto& [name, elements] : seen->lengths)
      if (areLengthsMeant && elements <= mostCapturedElements) c.lengths.emplace(name, elements);
    for (const auto& [name, other] : seen->aliases)
      if (c.isCaptured || other.second == 0) c.aliases.emplace(name, other);
  }
  for (const auto& [name, file] : given.input) c.inputs[name] = file.text;
  for (const auto& [name, file] : given.output) c.outputs.insert(name);
  for (const auto& [name, file] : given.unordered) c.unordered.insert(name);
  for (const auto& [name, file] : given.temporary) c.temporaries.insert(name);
}

}  // namespace hone::device
