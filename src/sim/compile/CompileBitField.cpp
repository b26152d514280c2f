// Bit-fields: parts of a storage unit. One is read by loading the unit, and written by loading, merging and
// storing it, as the platforms do; so checks see that two threads that write neighbours race.
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

using ir::BinaryOp;

namespace {

// What units are computed in.
Scalar wordOf(const ir::Field& field) { return field.unitBytes <= 4 ? Scalar::U32 : Scalar::U64; }

uint64_t maskOf(const ir::Field& field) {
  return field.bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << field.bits) - 1;
}

}  // namespace

Place Compiler::inUnit(const ir::Record& record, size_t field, std::vector<Reg> unit) const {
  Place p;
  p.type = record.fields[field].type;
  p.inRegisters = true;
  p.regs = std::move(unit);
  p.bitField = &record.fields[field];
  p.unitOffset = record.offsets[field];
  p.unitAlign = record.align;
  return p;
}

// The unit as one number, from its pieces.
Reg Compiler::unitBits(const Place& p, const std::vector<Reg>& unit) {
  const Scalar word = wordOf(*p.bitField);
  const std::vector<Leaf> of = placeLeaves(p);
  Reg all = noReg;
  for (size_t i = 0; i < of.size(); ++i) {
    Reg piece = convertScalar(unit[i], of[i].type, word);
    if (of[i].offset)
      piece = scalarBinary(BinaryOp::Shl, word, piece, constant(Scalar::U32, of[i].offset * 8), Scalar::U32,
                           noReg);
    all = all == noReg ? piece : scalarBinary(BinaryOp::BitOr, word, all, piece, word, noReg);
  }
  return all;
}

Value Compiler::loadBits(const Place& p) {
  const ir::Field& field = *p.bitField;
  const Scalar word = wordOf(field), type = scalarOf(*p.type);
  std::vector<Reg> unit = p.regs;
  if (p.inRegisters) {
    checkSet(p);
  } else {
    unit.clear();
    for (const Leaf& leaf : placeLeaves(p)) unit.push_back(newRegister(leaf.type));
    accessLeaves(Op::Load, p, unit);
  }
  Reg bits = unitBits(p, unit);
  const unsigned width = word == Scalar::U64 ? 64 : 32;
  const auto shifted = [&](BinaryOp op, Scalar as, unsigned by) {
    if (by) bits = scalarBinary(op, as, bits, constant(Scalar::U32, by), Scalar::U32, noReg);
  };
  if (p.type->is(ir::TypeKind::Int) && p.type->isSigned) {
    const Scalar word2 = word == Scalar::U64 ? Scalar::I64 : Scalar::I32;
    shifted(BinaryOp::Shl, word, width - field.firstBit - field.bits);
    shifted(BinaryOp::Shr, word2, width - field.bits);
    return {p.type, {convertScalar(bits, word2, type)}};
  }
  shifted(BinaryOp::Shr, word, field.firstBit);
  if (field.bits < width)
    bits = scalarBinary(BinaryOp::BitAnd, word, bits, constant(word, maskOf(field)), word, noReg);
  return {p.type, {convertScalar(bits, word, type)}};
}

void Compiler::storeBits(const Place& p, Reg value) {
  const ir::Field& field = *p.bitField;
  const Scalar word = wordOf(field);
  const std::vector<Leaf> of = placeLeaves(p);
  Reg bits = convertScalar(value, scalarOf(*p.type), word);
  bits = scalarBinary(BinaryOp::BitAnd, word, bits, constant(word, maskOf(field)), word, noReg);
  if (field.firstBit)
    bits = scalarBinary(BinaryOp::Shl, word, bits, constant(Scalar::U32, field.firstBit), Scalar::U32, noReg);
  if (field.bits < field.unitBytes * 8) {
    std::vector<Reg> unit = p.regs;
    if (!p.inRegisters) {
      unit.clear();
      for (const Leaf& leaf : of) unit.push_back(newRegister(leaf.type));
      Place old = p;
      if (old.hint == CacheHint::Default) old.hint = CacheHint::Merge;
      accessLeaves(Op::Load, old, unit);
    }
    uint64_t others = ~(maskOf(field) << field.firstBit);
    if (word == Scalar::U32) others = uint32_t(others);
    const Reg kept =
        scalarBinary(BinaryOp::BitAnd, word, unitBits(p, unit), constant(word, others), word, noReg);
    bits = scalarBinary(BinaryOp::BitOr, word, kept, bits, word, noReg);
  }
  std::vector<Reg> pieces;
  for (const Leaf& leaf : of) {
    const Reg moved = leaf.offset ? scalarBinary(BinaryOp::Shr, word, bits,
                                                 constant(Scalar::U32, leaf.offset * 8), Scalar::U32, noReg)
                                  : bits;
    pieces.push_back(convertScalar(moved, word, leaf.type));
  }
  if (p.inRegisters) {
    for (size_t i = 0; i < of.size(); ++i) move(p.regs[i], pieces[i], of[i].type);
    markSet(p);
  } else {
    accessLeaves(Op::Store, p, pieces);
  }
}

}  // namespace hone::sim
