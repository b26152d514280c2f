#include "TypedData.h"

#include <cmath>
#include <cstring>
#include <random>

#include "ir/Error.h"
#include "sim/functions/HalfFloat.h"

namespace hone::test {
namespace {

using ir::TypeKind;

void addLeaves(const ir::TypePtr& type, bool isOpenCL, uint64_t offset, std::vector<TypedLeaf>& out) {
  const uint64_t size = ir::sizeOf(*type, isOpenCL);
  if (type->is(TypeKind::Vector)) {
    const uint64_t step = ir::sizeOf(*type->element, isOpenCL);
    for (unsigned i = 0; i < type->lanes; ++i) addLeaves(type->element, isOpenCL, offset + i * step, out);
  } else if (type->is(TypeKind::Array)) {
    const uint64_t step = ir::sizeOf(*type->element, isOpenCL);
    for (int64_t i = 0; i < type->extent; ++i)
      addLeaves(type->element, isOpenCL, offset + static_cast<uint64_t>(i) * step, out);
  } else if (type->is(TypeKind::Struct) && !type->record->isUnion && type->record->bases.size() < 2) {
    for (const ir::TypePtr& base : type->record->bases) addLeaves(base, isOpenCL, offset, out);
    for (size_t i = 0; i < type->record->fields.size(); ++i)
      addLeaves(type->record->fields[i].type, isOpenCL, offset + type->record->offsets[i], out);
  } else if (type->isArithmetic() || type->isPointer()) {
    out.push_back({offset, type});
  } else {
    for (uint64_t i = 0; i < size; ++i) out.push_back({offset + i, nullptr});
  }
}

void putReal(uint8_t* at, const ir::Type& type, double value) {
  if (type.bits == 64) {
    std::memcpy(at, &value, 8);
  } else if (type.bits == 32) {
    const auto single = static_cast<float>(value);
    std::memcpy(at, &single, 4);
  } else {
    const uint16_t bits = type.is(TypeKind::BFloat) ? sim::bfloatBits(sim::roundToBFloat(value))
                                                    : sim::halfBits(sim::roundToHalf(value));
    std::memcpy(at, &bits, 2);
  }
}
uint64_t bytesOf(const ir::Type& type) {
  return type.isPointer() ? 8 : type.is(TypeKind::Bool) ? 1 : type.bits / 8;
}
void putWhole(uint8_t* at, const ir::Type& type, int64_t value) { std::memcpy(at, &value, bytesOf(type)); }

struct Range {
  int64_t low = -100, high = 100;
  double realLow = -4, realHigh = 4;
  bool whole = false;
};
Range rangeOf(std::string fill, const Numbers& numbers, bool isUnsigned) {
  Range out;
  if (isUnsigned) out.low = 0;
  if (fill.starts_with("whole:")) {
    out.whole = true;
    fill.erase(0, 6);
  }
  const size_t dots = fill.find("..");
  if (dots == std::string::npos) {
    if (!fill.empty()) throw Error("no such fill: " + fill);
    return out;
  }
  out.low = evaluate(fill.substr(0, dots), numbers);
  out.high = evaluate(fill.substr(dots + 2), numbers);
  out.realLow = static_cast<double>(out.low);
  out.realHigh = static_cast<double>(out.high);
  return out;
}

double realOf(const uint8_t* at, const ir::Type& type) {
  if (type.bits == 64) {
    double value = 0;
    std::memcpy(&value, at, 8);
    return value;
  }
  uint32_t bits = 0;
  std::memcpy(&bits, at, type.bits / 8);
  if (type.bits == 32) return std::bit_cast<float>(bits);
  return type.is(TypeKind::BFloat) ? sim::bfloatFromBits(static_cast<uint16_t>(bits))
                                   : sim::halfFromBits(static_cast<uint16_t>(bits));
}

// Steps between neighbouring floats, counted from one to the other.
double ulpsBetween(const uint8_t* a, const uint8_t* b, const ir::Type& type) {
  if (std::isnan(realOf(a, type)) && std::isnan(realOf(b, type))) return 0;
  if (std::isnan(realOf(a, type)) || std::isnan(realOf(b, type))) return INFINITY;
  const auto ordered = [&](const uint8_t* at) {
    uint64_t bits = 0;
    std::memcpy(&bits, at, type.bits / 8);
    const uint64_t sign = uint64_t{1} << (type.bits - 1);
    const auto size = static_cast<double>(bits & (sign - 1));
    return bits & sign ? -size : size;
  };
  return std::fabs(ordered(a) - ordered(b));
}

// The unit in the last place of a normal number.
double unitOf(double value, const ir::Type& type) {
  const int digits = type.is(TypeKind::BFloat) ? 8 : type.bits == 64 ? 53 : type.bits == 32 ? 24 : 11;
  return std::ldexp(1.0, std::ilogb(value) - digits + 1);
}

std::string shown(const uint8_t* at, const ir::TypePtr& type) {
  if (type && type->isFloating()) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", realOf(at, *type));
    return text;
  }
  int64_t value = 0;
  const uint64_t size = type ? bytesOf(*type) : 1;
  std::memcpy(&value, at, size);
  if (type && type->isSigned && size < 8) value = value << (64 - 8 * size) >> (64 - 8 * size);
  return std::to_string(value);
}

}  // namespace

std::vector<TypedLeaf> leavesOf(const ir::TypePtr& type, bool isOpenCL) {
  std::vector<TypedLeaf> out;
  addLeaves(type, isOpenCL, 0, out);
  return out;
}

void fillBytes(std::vector<uint8_t>& bytes, const ir::TypePtr& element, bool isOpenCL,
               const std::string& fill, const Numbers& numbers, uint64_t seed) {
  std::fill(bytes.begin(), bytes.end(), fill == "out" ? uint8_t{0xab} : uint8_t{0});
  if (fill == "out" || fill == "zero") return;
  const std::vector<TypedLeaf> leaves = leavesOf(element, isOpenCL);
  const uint64_t step = ir::sizeOf(*element, isOpenCL);
  std::mt19937_64 random(seed);
  const bool isBelow = fill == "below";
  const int64_t rise = fill.starts_with("rising:") ? evaluate(fill.substr(7), numbers) : 0;
  int64_t index = 0;
  for (uint64_t at = 0; at + step <= bytes.size(); at += step, ++index) {
    for (const TypedLeaf& leaf : leaves) {
      uint8_t* to = bytes.data() + at + leaf.offset;
      if (!leaf.type) {
        *to = static_cast<uint8_t>(random() & 0x3f);
      } else if (leaf.type->isPointer()) {
        std::memset(to, 0, 8);
      } else if (isBelow) {
        putWhole(to, *leaf.type, static_cast<int64_t>(random() % static_cast<uint64_t>(index + 1)) - 1);
      } else if (rise != 0) {
        putWhole(to, *leaf.type, index * rise);
      } else {
        const Range range = rangeOf(fill, numbers, leaf.type->is(TypeKind::Int) && !leaf.type->isSigned);
        const auto span = static_cast<uint64_t>(range.high - range.low) + 1;
        const int64_t whole = range.low + static_cast<int64_t>(span == 0 ? random() : random() % span);
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
        if (leaf.type->isFloating())
          putReal(to, *leaf.type,
                  range.whole ? static_cast<double>(whole)
                              : range.realLow + unit * (range.realHigh - range.realLow));
        else
          putWhole(to, *leaf.type, leaf.type->is(TypeKind::Bool) ? whole & 1 : whole);
      }
    }
  }
}

std::vector<uint8_t> valueBytes(const ir::TypePtr& type, bool isOpenCL, const std::string& text,
                                const Numbers& numbers) {
  std::vector<uint8_t> out(ir::sizeOf(*type, isOpenCL));
  const std::vector<TypedLeaf> leaves = leavesOf(type, isOpenCL);
  // Several parts are separated by commas; the last one serves the rest.
  size_t from = 0;
  for (const TypedLeaf& leaf : leaves) {
    const size_t end = text.find(',', from);
    const std::string part = text.substr(from, end == std::string::npos ? end : end - from);
    if (!leaf.type) throw Error("cannot set a value of type " + ir::str(*type));
    if (leaf.type->isPointer()) {
      if (end != std::string::npos) from = end + 1;
      continue;
    }
    if (leaf.type->isFloating() && part.find('.') != std::string::npos)
      putReal(out.data() + leaf.offset, *leaf.type, std::stod(part));
    else if (leaf.type->isFloating())
      putReal(out.data() + leaf.offset, *leaf.type, static_cast<double>(evaluate(part, numbers)));
    else
      putWhole(out.data() + leaf.offset, *leaf.type, evaluate(part, numbers));
    if (end != std::string::npos) from = end + 1;
  }
  return out;
}

Difference compareBytes(const std::vector<uint8_t>& have, const std::vector<uint8_t>& want,
                        const ir::TypePtr& element, bool isOpenCL, const Tolerance& tolerance) {
  Difference out;
  const std::vector<TypedLeaf> leaves = leavesOf(element, isOpenCL);
  const uint64_t step = ir::sizeOf(*element, isOpenCL);
  unsigned count = 0;
  double greatest = 0;
  for (uint64_t at = 0; tolerance.ofGreatest && at + step <= want.size(); at += step)
    for (const TypedLeaf& leaf : leaves)
      if (leaf.type && leaf.type->isFloating())
        greatest = std::fmax(greatest, std::fabs(realOf(want.data() + at + leaf.offset, *leaf.type)));
  for (uint64_t at = 0; at + step <= have.size(); at += step) {
    for (size_t i = 0; i < leaves.size(); ++i) {
      const uint8_t *a = have.data() + at + leaves[i].offset, *b = want.data() + at + leaves[i].offset;
      const ir::TypePtr& type = leaves[i].type;
      if (std::memcmp(a, b, type ? bytesOf(*type) : 1) == 0) continue;
      double distance = INFINITY;
      if (type && type->isFloating())
        distance = tolerance.ofGreatest
                       ? std::fabs(realOf(a, *type) - realOf(b, *type)) / unitOf(greatest, *type)
                       : ulpsBetween(a, b, *type);
      out.ulps = std::fmax(out.ulps, distance);
      if (distance <= tolerance.ulps || count++ > 0) continue;
      out.text = "element " + std::to_string(at / step) +
                 (leaves.size() > 1 ? " part " + std::to_string(i) : "") + ": " + shown(a, type) + ", but " +
                 shown(b, type);
    }
  }
  if (count > 1) out.text += " (and " + std::to_string(count - 1) + " more)";
  return out;
}

}  // namespace hone::test
