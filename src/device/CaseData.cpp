#include "device/CaseData.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "device/CaseMemory.h"
#include "device/NpyFile.h"
#include "ir/Error.h"

namespace hone::device {

using namespace ir;

const ArrayData* CaseData::find(const std::string& name) const {
  auto found = std::find_if(arrays.begin(), arrays.end(), [&](const ArrayData& a) { return a.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

std::vector<uint8_t> initialBytes(const ArrayData& array) {
  if (!array.initial.empty()) return array.initial;
  std::vector<uint8_t> bytes(array.length * array.elementBytes);
  madeUp(array)(bytes.data(), 0, bytes.size());
  return bytes;
}

sim::FillBytes madeUp(const ArrayData& array) {
  if (array.isZero) return [](uint8_t*, uint64_t, uint64_t) {};  // memory comes as zeros
  if (!array.sample.empty())
    return [&sample = array.sample](uint8_t* data, uint64_t from, uint64_t to) {
      for (uint64_t at = from; at < to; ++at) data[at - from] = sample[at % sample.size()];
    };
  const std::vector<worker::Leaf> scalars = scalarLeaves(array.leaves);
  if (worker::isRowOfScalars(scalars, array.elementBytes, array.fill))
    return [type = scalars.front().type, how = array.fill](uint8_t* data, uint64_t from, uint64_t to) {
      worker::fillScalars(data, from, to, type, how);
    };
  return [leaves = scalars, bytes = array.elementBytes, how = array.fill](uint8_t* data, uint64_t from,
                                                                          uint64_t to) {
    worker::fillBytes(data, from, to, leaves, bytes, how);
  };
}

namespace {

std::string npyType(const ArrayData& array) {
  if (array.leaves.empty()) return "u1";
  const Type& first = *array.leaves[0].type;
  for (const TypeLeaf& leaf : array.leaves)
    if (!sameType(*leaf.type, first)) return "u1";
  if (first.is(TypeKind::Float)) return fmt::format("f{}", first.bits / 8);
  if (first.is(TypeKind::Bool)) return "u1";
  if (first.is(TypeKind::Int)) return fmt::format("{}{}", first.isSigned ? 'i' : 'u', first.bits / 8);
  return first.is(TypeKind::BFloat) ? "u2" : "u1";
}

// Long arrays are made anew for each run, so that there is one of each at a time.
void fillArray(ArrayData& array) {
  constexpr uint64_t longBytes = 4 << 20;
  if (!array.initial.empty() || !array.aliasOf.empty()) return;
  if (array.length * array.elementBytes <= longBytes) array.initial = initialBytes(array);
}

class DataMaker {
 public:
  DataMaker(const Case& ofCase, const Plan& plan, Programs& compiled, const DataOptions& dataOptions)
      : c(ofCase),
        original(plan),
        programs(compiled),
        options(dataOptions),
        program(compiled.of(plan.original)) {}

  CaseData make() {
    listParameters();
    listGlobals();
    setShared();
    for (ArrayData& array : data.arrays) chooseFill(array);
    if (options.describeOnly) {
      for (ArrayData& array : data.arrays)
        if (array.fill.kind == FillKind::Permutation) array.fill.range = static_cast<int64_t>(array.length);
      return std::move(data);
    }
    findLengths();
    uint64_t bytes = 0;
    for (const ArrayData& array : data.arrays) bytes += array.length * array.elementBytes;
    data.isTooLarge = bytes > options.mostBytes;
    if (data.isTooLarge) return std::move(data);
    for (ArrayData& array : data.arrays)
      if (array.isGiven || !options.onlyLengths) fillArray(array);
    return std::move(data);
  }

 private:
  bool isProbe() const { return options.probeSteps < DataOptions().probeSteps; }
  bool isOpenCL() const { return c.kernel->language == Language::OpenCL; }

  ArrayData arrayOf(const std::string& name, const TypePtr& element) const {
    ArrayData array;
    array.name = name;
    array.element = element;
    array.elementBytes = std::max<uint64_t>(1, sizeOf(*element, isOpenCL()));
    array.leaves = typeLeaves(element, isOpenCL());
    return array;
  }

  void listParameters() {
    for (size_t i = 0; i < c.leaves.size(); ++i) {
      const ParameterLeaf& leaf = c.leaves[i];
      if (leaf.type->is(TypeKind::Handle))
        throw Error(
            fmt::format("parameter '{}' is a {}, which cannot be set up", leaf.path, leaf.type->spelling), 1);
      // Texture objects are numbers to the compiler.
      if (leaf.type->spelling.find("TextureObject") != std::string::npos ||
          leaf.type->spelling.find("SurfaceObject") != std::string::npos)
        throw Error(
            fmt::format("parameter '{}' is a {}, which cannot be set up", leaf.path, leaf.type->spelling), 1);
      if (!leaf.isArray()) continue;
      ArrayData array = arrayOf(leaf.path, leaf.type->element);
      array.leaf = static_cast<int>(i);
      for (const TypeLeaf& part : array.leaves)
        if (!part.type->isArithmetic())
          throw Error(fmt::format("array '{}' has {} in its elements ({}), which cannot be set up", leaf.path,
                                  part.type->isPointer() ? "pointers" : "handles", str(*leaf.type->element)),
                      1);
      if (auto alias = c.aliases.find(leaf.path); alias != c.aliases.end())
        array.aliasOf = alias->second.first, array.aliasOffset = alias->second.second;
      if (auto length = c.lengths.find(leaf.path); length != c.lengths.end())
        array.length = length->second, array.isGiven = true;
      if (auto file = c.inputs.find(leaf.path); file != c.inputs.end()) readInput(array, file->second);
      if (auto recorded = c.contents.find(leaf.path); recorded != c.contents.end())
        takeContents(array, recorded->second);
      if (auto recorded = c.samples.find(leaf.path); recorded != c.samples.end())
        takeSample(array, recorded->second);
      data.arrays.push_back(std::move(array));
    }
  }

  // Whether a capture may say what an array holds: nothing else is asked of it.
  bool maySay(const ArrayData& array) const {
    const ArrayFacts& facts = factsOf(array);
    const bool hasFloats = std::any_of(array.leaves.begin(), array.leaves.end(),
                                       [](const TypeLeaf& leaf) { return leaf.type->isFloating(); });
    if (hasFloats && (options.positive || options.fraction || options.whole)) return false;
    return !options.steering || !facts.steers || facts.use != IndexUse::None;
  }

  // What a captured launch had, unless something else is asked of the data. Arrays that are only written stay
  // without a value, so that it is seen what is not written.
  void takeContents(ArrayData& array, const CapturedArray& recorded) const {
    constexpr uint64_t mostBytes = 64 << 20;
    const ArrayFacts& facts = factsOf(array);
    const uint64_t bytes = array.length * array.elementBytes;
    if (!array.initial.empty() || !array.isGiven || !array.aliasOf.empty() || bytes == 0 || bytes > mostBytes)
      return;
    if (c.outputs.contains(array.name) || (facts.isWritten && !facts.isRead && !isAliased(array.name)))
      return;
    if (!maySay(array)) return;
    // Places that belong together do not where some are left out.
    const bool mustBeWhole = facts.use != IndexUse::None && facts.use != IndexUse::Range;
    array.initial = capturedBytes(recorded, array.length, array.elementBytes, mustBeWhole);
    array.isCaptured = !array.initial.empty();
  }

  // Numbers that decide what is done are like those that were recorded. Places in arrays are not: these have
  // other lengths now.
  void takeSample(ArrayData& array, const CapturedArray& recorded) const {
    constexpr uint64_t enough = 1 << 16;
    const ArrayFacts& facts = factsOf(array);
    if (!array.initial.empty() || !array.aliasOf.empty() || !facts.indexes.empty()) return;
    if (facts.use != IndexUse::None || !(facts.steers || facts.boundsLoops) || !maySay(array)) return;
    array.sample = capturedBytes(recorded, enough, array.elementBytes, false);
  }

  void listGlobals() {
    for (const sim::GlobalVariable& variable : program.globals) {
      auto known = c.facts->globals.find(variable.name);
      TypePtr type = known == c.facts->globals.end() ? intType(8, false) : known->second->type;
      while (type->is(TypeKind::Array) && type->extent >= 0) type = type->element;
      ArrayData array = arrayOf(variable.name, type);
      if (array.leaves.empty() || variable.size % array.elementBytes != 0)
        array = arrayOf(variable.name, intType(8, false));
      array.length = variable.size / array.elementBytes;
      array.isGiven = true;
      if (auto file = c.inputs.find(variable.name); file != c.inputs.end()) readInput(array, file->second);
      if (auto value = c.variables.find(variable.key); value != c.variables.end() && array.initial.empty() &&
                                                       value->second.size() == variable.size &&
                                                       variable.init.empty() && maySay(array))
        array.initial = value->second, array.isCaptured = true;
      array.hasInitializer = !variable.init.empty() && array.initial.empty();
      if (array.hasInitializer) array.initial = variable.init;
      array.initial.resize(array.initial.empty() ? 0 : variable.size);
      data.arrays.push_back(std::move(array));
    }
  }

  void readInput(ArrayData& array, const std::string& file) const {
    NpyArray read = readArray(file);
    std::string type = npyType(array);
    if (!read.type.empty() && type != "u1" && read.type != type &&
        npyElementBytes(read.type) != npyElementBytes(type))
      throw Error(fmt::format("{}: holds {} and array '{}' has elements of type {}", file, read.type,
                              array.name, str(*array.element)));
    if (!read.type.empty() && type != "u1" && (read.type[0] == 'f') != (type[0] == 'f'))
      throw Error(fmt::format("{}: holds {} and array '{}' has elements of type {}", file, read.type,
                              array.name, str(*array.element)));
    uint64_t elements = read.bytes.size() / array.elementBytes;
    if (array.isGiven && array.leaf < 0 && elements != array.length)
      throw Error(
          fmt::format("{}: has {} elements and '{}' has {}", file, elements, array.name, array.length));
    if (!array.isGiven) array.length = elements, array.isGiven = true;
    array.initial = std::move(read.bytes);
    array.initial.resize(array.length * array.elementBytes);
  }

  void setShared() {
    uint64_t threads = uint64_t(c.block[0]) * c.block[1] * c.block[2];
    uint64_t dynamic = 0;
    for (const sim::SharedVariable& variable : program.shared) {
      uint64_t guess = threads * std::max<uint32_t>(1, variable.elementBytes);
      if (variable.parameter >= 0) {
        auto given = c.lengths.find(variable.name);
        data.localBytes[variable.name] =
            given != c.lengths.end() ? given->second * variable.elementBytes : guess;
      } else if (variable.size == 0) {
        dynamic = std::max(dynamic, guess);
        if (auto given = c.lengths.find(variable.name); given != c.lengths.end()) {
          data.dynamicShared = given->second * variable.elementBytes;
          isSharedGiven = true;
        }
      }
    }
    if (c.shared) data.dynamicShared = *c.shared, isSharedGiven = true;
    if (!isSharedGiven && dynamic > 0) data.dynamicShared = dynamic, data.isSharedGuessed = true;
  }

  const ArrayFacts& factsOf(const ArrayData& array) const {
    static const ArrayFacts none;
    auto found = c.facts->arrays.find(array.name);
    return found == c.facts->arrays.end() ? none : found->second;
  }

  // Values of subscripts stay below this.
  int64_t rangeFor(const ArrayFacts& facts) const {
    int64_t largest = 0;
    for (const auto& [path, role] : c.facts->roles)
      if (role == ScalarRole::Bound) largest = std::max(largest, c.numbers.at(path).value.asWhole());
    if (largest <= 0) largest = int64_t(c.grid[0]) * c.block[0];
    int64_t range = std::clamp<int64_t>(largest, 1, 4096);
    if (facts.limit > 0) range = std::min(range, facts.limit);
    for (const std::string& target : facts.indexes)
      if (auto given = c.lengths.find(target); given != c.lengths.end() && given->second > 0)
        range = std::min<int64_t>(range, static_cast<int64_t>(given->second));
    return range;
  }

  void chooseFill(ArrayData& array) const {
    const ArrayFacts& facts = factsOf(array);
    array.fill.seed = c.seed * 0x9e3779b97f4a7c15 ^ hashOf(array.name);
    array.fill.positive = options.positive || c.hasPositiveData;
    array.fill.fraction = options.fraction;
    array.fill.whole = options.whole;
    array.fill.nonZero = facts.isDivisor;
    bool isWhole = !array.leaves.empty() && array.leaves[0].type->isInteger();
    const bool isByte = isWhole && array.leaves[0].type->is(TypeKind::Int) && array.leaves[0].type->bits == 8;
    array.fill.bits =
        (facts.isOfBits || isByte) && facts.indexes.empty() && !facts.boundsLoops && !facts.isDivisor;
    if (facts.use != IndexUse::None && !facts.isAtomic) {
      array.fill.kind = facts.use >= IndexUse::Offsets       ? FillKind::Offsets
                        : facts.use == IndexUse::Permutation ? FillKind::Permutation
                                                             : FillKind::Range;
      array.fill.range = facts.use == IndexUse::Offsets      ? 0
                         : facts.use == IndexUse::OffsetEnds ? 4
                                                             : rangeFor(facts);
    }
    if (options.steering && facts.use == IndexUse::None && facts.steers && isWhole && !facts.isDivisor) {
      array.fill.kind = FillKind::Range;
      array.fill.range = 1;
      array.fill.nonZero = *options.steering != 0;
    }
    if (c.hasPositiveData && isWhole && facts.steers && facts.use == IndexUse::None)
      array.fill.nonZero = true;
    bool isConstant = false;
    for (const sim::GlobalVariable& variable : program.globals)
      isConstant |= variable.name == array.name && variable.isConstant;
    array.isZero = (facts.isAtomic && (!facts.isExtreme || !isWhole)) ||
                   (facts.isVolatile && facts.isWritten && isWhole) ||
                   (array.leaf < 0 && !isConstant && facts.isRead == facts.isWritten);
    bool onlyWritten = facts.isWritten && !facts.isRead && array.leaf >= 0;
    if (array.initial.empty() &&
        (c.outputs.contains(array.name) || (onlyWritten && !isAliased(array.name)))) {
      array.hasValue = false;
      array.isZero = false;
      array.fill.kind = FillKind::Poison;
    }
  }

  bool isAliased(const std::string& name) const {
    return std::any_of(c.aliases.begin(), c.aliases.end(),
                       [&](const auto& a) { return a.first == name || a.second.first == name; });
  }

  // The original runs on arrays without an end; what it touches is how long they are.
  void findLengths() {
    constexpr uint64_t mostElements = uint64_t(1) << 27;
    std::map<std::string, int64_t> firstRange;
    int shrinks = 0;
    for (int iteration = 0; iteration < 40; ++iteration) {
      CaseMemory memory(c, data);
      memory.allocateElastic();
      sim::RunOptions run = options.run;
      run.checkRaces = run.checkUninitialized = false;
      run.mostBadAccesses = 20'000;
      run.print = [](const std::string&) {};
      run.stepLimit = std::min<uint64_t>(run.stepLimit, options.probeSteps);
      PlanResult result = memory.run(original, programs, run);
      data.warpInstructions = result.warpInstructions;
      data.work += result.work;
      if (result.isOverWork) {
        if (!isProbe()) throw TooMuchWork(c);
        data.isCutShort = true;
        break;
      }
      data.isCutShort =
          std::any_of(result.findings.begin(), result.findings.end(),
                      [](const sim::Finding& f) { return f.kind == sim::FindingKind::StepLimit; });
      if (data.isCutShort && isProbe()) break;
      data.belowZero = 0;
      bool again = false;
      for (ArrayData& array : data.arrays) {
        if (array.isGiven || !array.aliasOf.empty()) continue;
        array.length = memory.touched(array);
        data.belowZero += memory.touchedBelow(array);
        if (array.length > mostElements && !options.onlyLengths)
          throw Error(fmt::format("kernel '{}' touches element {} of '{}': give its length with --length "
                                  "{}=…, and the sizes with --set",
                                  c.kernel->qualifiedName, array.length - 1, array.name, array.name),
                      1);
        if (array.fill.kind == FillKind::Permutation && array.length > 0 &&
            array.fill.range != static_cast<int64_t>(array.length) && iteration < 12) {
          array.fill.range = static_cast<int64_t>(array.length);
          again = true;
        }
      }
      again |= growShared(result);
      if (!again && shrinks < 14) again = shrinkRanges(result, firstRange), shrinks += again;
      if (!again) break;
    }
    for (const ArrayData& array : data.arrays) {
      const ArrayFacts& facts = factsOf(array);
      if (!array.isGiven && array.aliasOf.empty() && array.length == 0 && (facts.isRead || facts.isWritten))
        data.unused.push_back(array.name);
    }
    for (ArrayData& array : data.arrays)
      if (!array.isGiven && array.length == 0) array.length = 1;
  }

  // Shared memory whose size nobody gave becomes large enough for what the original does.
  bool growShared(const PlanResult& result) {
    const uint64_t most =
        program.isOpenCL ? 8 << 20 : 256 << 10;  // OpenCL also runs where local memory is plain memory
    bool grown = false;
    for (const sim::Finding& finding : result.findings) {
      if (finding.kind != sim::FindingKind::OutOfBounds || finding.space != "shared") continue;
      if (auto local = data.localBytes.find(finding.array); local != data.localBytes.end()) {
        if (c.lengths.contains(finding.array) || local->second >= most) continue;
        // Whatever the index says, unless it is nonsense.
        const uint64_t needed = finding.index > 0 && finding.length > 0
                                    ? local->second / uint64_t(finding.length) * (uint64_t(finding.index) + 1)
                                    : 0;
        local->second = std::max(local->second * 2, needed <= most ? needed : 0);
        grown = true;
      } else if (data.isSharedGuessed && data.dynamicShared < most && isDynamic(finding.array)) {
        data.dynamicShared *= 2;
        return true;
      }
    }
    return grown;
  }
  bool isDynamic(const std::string& name) const {
    return std::none_of(program.shared.begin(), program.shared.end(), [&](const sim::SharedVariable& s) {
      return s.name == name && (s.size > 0 || s.parameter >= 0);
    });
  }

  // Subscripts that lead out of an array whose length is fixed were chosen too large. When smaller ones do
  // not help, they are not what is wrong.
  bool shrinkRanges(const PlanResult& result, std::map<std::string, int64_t>& firstRange) {
    bool changed = false, isOut = false;
    for (const sim::Finding& finding : result.findings) {
      if (finding.kind != sim::FindingKind::OutOfBounds) continue;
      isOut = true;
      for (ArrayData& array : data.arrays) {
        if (array.fill.kind != FillKind::Range || array.fill.range <= 1 || !array.initial.empty()) continue;
        if (!factsOf(array).indexes.contains(finding.array)) continue;
        firstRange.emplace(array.name, array.fill.range);
        array.fill.range /= 2;
        changed = true;
      }
      if (changed) break;
    }
    if (isOut && !changed)
      for (ArrayData& array : data.arrays)
        if (auto first = firstRange.find(array.name); first != firstRange.end())
          array.fill.range = first->second;
    return changed;
  }

  const Case& c;
  const Plan& original;
  Programs& programs;
  const DataOptions& options;
  const sim::Program& program;
  CaseData data;
  bool isSharedGiven = false;
};

}  // namespace

TooMuchWork::TooMuchWork(const Case& c)
    : Error(fmt::format("its threads run for too long to be tried here{}",
                        c.sizes().empty() ? ""
                        : c.inputs.empty()
                            ? "; give smaller sizes with --set, or contents of arrays with --input"
                            : "; give smaller sizes with --set"),
            1) {}

void fillArrays(CaseData& data) {
  for (ArrayData& array : data.arrays) fillArray(array);
  data.isTooLarge = false;
}

CaseData prepareData(const Case& c, const Plan& original, Programs& programs, const DataOptions& options) {
  return DataMaker(c, original, programs, options).make();
}

std::vector<std::vector<uint8_t>> argumentBytes(const Case& c, const CaseData& data,
                                                const std::function<uint64_t(const ArrayData&)>& addressOf) {
  const bool isOpenCL = c.kernel->language == Language::OpenCL;
  std::vector<std::vector<uint8_t>> out;
  for (const VarPtr& param : c.kernel->params)
    out.emplace_back(std::max<uint64_t>(8, sizeOf(*param->type, isOpenCL)));
  for (const ParameterLeaf& leaf : c.leaves) {
    uint8_t* at = out[leaf.param].data() + leaf.offset;
    if (leaf.isNumber()) {
      const Number& value = c.numbers.at(leaf.path).value;
      storeNumber(at, *leaf.type, value.asReal(), value.asWhole());
      continue;
    }
    uint64_t value = 0;
    if (leaf.isSharedArray()) {
      if (auto bytes = data.localBytes.find(leaf.path); bytes != data.localBytes.end()) value = bytes->second;
    } else if (const ArrayData* array = data.find(leaf.path)) {
      if (array->aliasOf.empty())
        value = addressOf(*array);
      else if (const ArrayData* other = data.find(array->aliasOf))
        value = addressOf(*other) + static_cast<uint64_t>(array->aliasOffset) * other->elementBytes;
    }
    std::memcpy(at, &value, sizeof value);
  }
  return out;
}

CaseRun runCase(const Case& c, const CaseData& data, const Plan& plan, Programs& programs,
                const sim::RunOptions& options, const LaunchHooks& hooks) {
  CaseMemory memory(c, data);
  memory.allocate();
  CaseRun run;
  run.result = memory.run(plan, programs, options, hooks);
  memory.endChecks();
  for (const ArrayData& array : data.arrays) {
    run.after.push_back(memory.contents(array));
    run.isSet.push_back(memory.setBits(array));
    memory.release(array);
  }
  return run;
}

void saveArrays(const Settings& settings, const CaseData& data, const CaseRun& run) {
  for (const auto& [name, file] : settings.save) {
    for (size_t i = 0; i < data.arrays.size(); ++i) {
      const ArrayData& array = data.arrays[i];
      if (array.name != name) continue;
      NpyArray out;
      out.type = npyType(array);
      uint64_t unit = npyElementBytes(out.type);
      out.shape = {array.length};
      if (array.elementBytes > unit) out.shape.push_back(array.elementBytes / unit);
      out.bytes = run.after[i].empty() ? initialBytes(array) : run.after[i];
      writeArray(file.text, out);
    }
  }
}

}  // namespace hone::device
