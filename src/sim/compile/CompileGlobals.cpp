// Variables of the module: their place and the bytes that they begin with.
#include <bit>
#include <cstring>

#include "ir/Integers.h"
#include "sim/compile/Compiler.h"
#include "sim/functions/HalfFloat.h"

namespace hone::sim {

using ir::TypeKind;

namespace {

std::optional<double> realConstant(const ir::ExprPtr& e);

// Of an expression whose operands may be real numbers that are converted.
std::optional<int64_t> integerConstant(const ir::ExprPtr& e) {
  return ir::integerValue(e, [](const ir::ExprPtr& part) -> std::optional<int64_t> {
    const auto* cast = ir::as<ir::Cast>(part);
    const auto real = cast && cast->operand->type->isFloating() ? realConstant(cast->operand) : std::nullopt;
    return real ? ir::integerOf(*real, *part->type) : std::nullopt;
  });
}

std::optional<double> realConstant(const ir::ExprPtr& e) {
  const auto inType = [&](double value) { return e->type->bits == 32 ? double(float(value)) : value; };
  if (const auto* literal = ir::as<ir::FloatLiteral>(e)) return inType(literal->value);
  if (e->type->isInteger()) {
    const auto value = integerConstant(e);
    if (!value) return std::nullopt;
    return e->type->isSigned ? double(*value) : double(uint64_t(*value));
  }
  if (const auto* u = ir::as<ir::Unary>(e); u && u->op == ir::UnaryOp::Neg) {
    const auto value = realConstant(u->operand);
    return value ? std::optional(-*value) : std::nullopt;
  }
  const auto* cast = ir::as<ir::Cast>(e);
  const auto value = cast ? realConstant(cast->operand) : std::nullopt;
  return value ? std::optional(inType(*value)) : std::nullopt;
}

void putScalar(Scalar type, const ir::ExprPtr& e, uint8_t* at, const std::function<void()>& fail) {
  if (isFloating(type)) {
    const auto number = realConstant(e);
    if (!number) fail();
    switch (type) {
      case Scalar::F64: std::memcpy(at, &*number, 8); return;
      case Scalar::F16: {
        const uint16_t bits = halfBits(roundToHalf(*number));
        std::memcpy(at, &bits, 2);
        return;
      }
      case Scalar::BF16: {
        const auto bits = uint16_t(std::bit_cast<uint32_t>(roundToBFloat(*number)) >> 16);
        std::memcpy(at, &bits, 2);
        return;
      }
      default: {
        const float value = float(*number);
        std::memcpy(at, &value, 4);
        return;
      }
    }
  }
  ir::ExprPtr bare = e;
  while (const auto* cast = ir::as<ir::Cast>(bare)) bare = cast->operand;
  const std::optional<int64_t> integer =
      ir::as<ir::NullPointer>(bare) ? 0 : integerConstant(e->type->isPointer() ? bare : e);
  if (!integer) fail();
  std::memcpy(at, &*integer, memoryBytes(type));
}

// Into the storage unit at `unit`, whose bits are zero so far.
void putBits(const ir::Field& field, const ir::ExprPtr& e, uint8_t* unit, const std::function<void()>& fail) {
  uint8_t bytes[8] = {};
  putScalar(scalarOf(*field.type), e, bytes, fail);
  for (unsigned bit = 0; bit < field.bits; ++bit) {
    const unsigned to = field.firstBit + bit;
    if (bytes[bit / 8] >> bit % 8 & 1) unit[to / 8] |= uint8_t(1 << to % 8);
  }
}

}  // namespace

std::vector<uint8_t> Compiler::initialBytes(const ir::Variable& var) {
  std::vector<uint8_t> bytes(sizeOf(*var.type));
  const std::function<void(const ir::Type&, const ir::ExprPtr&, uint64_t)> put =
      [&](const ir::Type& type, const ir::ExprPtr& e, uint64_t at) {
        const auto fail = [&] { cannotRun("the initial value of '" + var.name + "'", var.loc); };
        if (const auto* c = ir::as<ir::Construct>(e)) {
          if (type.is(TypeKind::Struct)) {
            const std::vector<uint64_t> bases = baseOffsets(*type.record);
            for (size_t i = 0; i < c->parts.size(); ++i) {
              if (i < bases.size())
                put(*type.record->bases[i], c->parts[i], at + bases[i]);
              else if (const ir::Field& field = type.record->fields[i - bases.size()]; field.isBitField())
                putBits(field, c->parts[i], bytes.data() + at + type.record->offsets[i - bases.size()], fail);
              else
                put(*field.type, c->parts[i], at + type.record->offsets[i - bases.size()]);
            }
          } else if (type.is(TypeKind::Array) || type.is(TypeKind::Vector)) {
            for (size_t i = 0; i < c->parts.size(); ++i)
              put(*type.element, c->parts[i], at + i * sizeOf(*type.element));
          } else if (!c->parts.empty()) {
            put(type, c->parts[0], at);
          }
          return;
        }
        if (!type.isArithmetic() && !type.isPointer()) fail();
        putScalar(scalarOf(type), e, bytes.data() + at, fail);
      };
  put(*var.type, var.init, 0);
  return bytes;
}

void Compiler::globalVariable(const ir::Variable& var) {
  GlobalVariable g;
  g.name = var.spelling.empty() ? var.name : var.spelling;
  g.key = var.linkageName.empty() ? g.name : var.linkageName;
  g.size = sizeOf(*var.type);
  const ir::Type* element = var.type.get();
  while (element->is(TypeKind::Array)) element = element->element.get();
  g.align = uint32_t(std::max<uint64_t>({alignOf(*element), var.alignment, 16}));
  g.elementBytes = uint32_t(std::max<uint64_t>(1, sizeOf(*element)));
  g.isConstant = var.space == ir::Space::Constant;
  g.isManaged = var.isManaged;
  if (var.init) g.init = initialBytes(var);
  g.reg = Reg(uniformBank | out.uniformUnits);
  out.uniformUnits += 2;
  VariableHome h;
  h.space = g.isConstant ? MemorySpace::Constant : MemorySpace::Global;
  h.base = g.reg;
  homes[&var] = h;
  out.globals.push_back(std::move(g));
}

}  // namespace hone::sim
