#include "frontend/BitFields.h"

#include <algorithm>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "frontend/DispatchTargets.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

unsigned fieldNumber(const FieldDecl& field) {
  unsigned number = hasOwnClassId(*field.getParent()) ? 1 : 0;
  for (const FieldDecl* other : field.getParent()->fields()) {
    if (other == &field) break;
    number += !other->isUnnamedBitField();
  }
  return number;
}

namespace {

struct Bytes {
  uint64_t begin = 0, end = 0;
  bool meets(const Bytes& other) const { return begin < other.end && other.begin < end; }
};

struct StorageUnit {
  uint64_t firstBit = 0, endBit = 0;
  uint64_t objectEnd = 0;  // bits up to the end of the object that its fields' types ask for
  uint64_t object = 1;     // bytes of the largest of these types
  std::vector<unsigned> fields;

  Bytes bytes() const { return {firstBit / 8, (endBit + 7) / 8}; }
};

// The whole object of `most` bytes around the bytes that holds nothing else, or a smaller one.
Bytes widened(Bytes own, const std::vector<Bytes>& others, uint64_t most, uint64_t size) {
  for (uint64_t object = most; object >= 1; object /= 2) {
    const Bytes whole{own.begin / object * object, own.begin / object * object + object};
    if (whole.end < own.end || whole.end > size) continue;
    if (std::none_of(others.begin(), others.end(), [&](const Bytes& b) { return b.meets(whole); }))
      return whole;
  }
  return own;
}

}  // namespace

const FieldDecl* placeBitFields(const RecordDecl& definition, ASTContext& ast, ir::Record& record) {
  const ASTRecordLayout& layout = ast.getASTRecordLayout(&definition);
  std::vector<StorageUnit> units;
  std::vector<Bytes> plain;
  bool isOpen = false;
  for (const FieldDecl* field : definition.fields()) {
    const uint64_t first = layout.getFieldOffset(field->getFieldIndex());
    const uint64_t object = ast.getTypeSize(field->getType());
    if (!field->isBitField()) {
      plain.push_back({first / 8, (first + object + 7) / 8});
      isOpen = false;
      continue;
    }
    if (field->isZeroLengthBitField()) isOpen = false;
    if (field->isUnnamedBitField()) continue;
    const uint64_t end = first + field->getBitWidthValue();
    if (!isOpen || record.isUnion || first >= units.back().objectEnd)
      units.push_back({.firstBit = first, .endBit = first, .fields = {}});
    isOpen = true;
    StorageUnit& unit = units.back();
    unit.endBit = std::max(unit.endBit, end);
    unit.objectEnd = std::max(unit.objectEnd, (end + object - 1) / object * object);
    unit.object = std::max(unit.object, object / 8);
    unit.fields.push_back(fieldNumber(*field));
    // Bits beyond those of the type are padding.
    record.fields[unit.fields.back()].bits = unsigned(std::min<uint64_t>(field->getBitWidthValue(), object));
    if (unit.bytes().end - unit.bytes().begin > 8) return field;
  }
  if (const auto* cxx = dyn_cast<CXXRecordDecl>(&definition))
    for (const CXXBaseSpecifier& base : cxx->bases()) {
      const uint64_t at =
          uint64_t(layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity());
      plain.push_back({at, at + uint64_t(ast.getTypeSizeInChars(base.getType()).getQuantity())});
    }
  for (size_t i = 0; i < units.size(); ++i) {
    std::vector<Bytes> others = record.isUnion ? std::vector<Bytes>{} : plain;
    for (size_t other = 0; other < units.size() && !record.isUnion; ++other)
      if (other != i) others.push_back(units[other].bytes());
    const Bytes unit =
        widened(units[i].bytes(), others, units[i].object, uint64_t(layout.getDataSize().getQuantity()));
    for (const unsigned number : units[i].fields) {
      ir::Field& field = record.fields[number];
      for (const FieldDecl* decl : definition.fields())
        if (!decl->isUnnamedBitField() && fieldNumber(*decl) == number)
          field.firstBit = unsigned(layout.getFieldOffset(decl->getFieldIndex()) - unit.begin * 8);
      field.unitBytes = unsigned(unit.end - unit.begin);
      record.offsets[number] = unit.begin;
    }
  }
  return nullptr;
}

}  // namespace hone::frontend
