// Variables of the module: their place and the bytes that they begin with.
#include <cstring>

#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

using ir::TypeKind;

namespace {

void putScalar(Scalar type, const ir::ExprPtr& e, uint8_t* at, const std::function<void()>& fail) {
  ir::ExprPtr value = e;
  double number = 0;
  int64_t integer = 0;
  bool isFloat = false;
  bool negative = false;
  for (bool peeling = true; peeling;) {
    peeling = false;
    if (const auto* c = ir::as<ir::Cast>(value)) {
      value = c->operand;
      peeling = true;
    } else if (const auto* u = ir::as<ir::Unary>(value);
               u && u->op == ir::UnaryOp::Neg && value->type->isFloating()) {
      negative = !negative;
      value = u->operand;
      peeling = true;
    }
  }
  if (const auto* f = ir::as<ir::FloatLiteral>(value)) {
    number = negative ? -f->value : f->value;
    integer = int64_t(number);
    isFloat = true;
  } else if (auto v = ir::constantValue(value)) {
    integer = negative ? -*v : *v;
    number = double(integer);
  } else if (!ir::as<ir::NullPointer>(value)) {
    fail();
  }
  (void)isFloat;
  switch (type) {
    case Scalar::F32: {
      const float v = float(number);
      std::memcpy(at, &v, 4);
      break;
    }
    case Scalar::F64: std::memcpy(at, &number, 8); break;
    case Scalar::F16: {
      const _Float16 v = _Float16(number);
      std::memcpy(at, &v, 2);
      break;
    }
    case Scalar::BF16: {
      const float v = float(number);
      uint32_t bits;
      std::memcpy(&bits, &v, 4);
      bits >>= 16;
      std::memcpy(at, &bits, 2);
      break;
    }
    default: std::memcpy(at, &integer, memoryBytes(type));
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
              else
                put(*type.record->fields[i - bases.size()].type, c->parts[i],
                    at + type.record->offsets[i - bases.size()]);
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
