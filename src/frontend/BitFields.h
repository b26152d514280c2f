// Where bit-fields lie.
#pragma once

#include "clang/AST/Decl.h"
#include "ir/Type.h"

namespace hone::frontend {

// The number of a field among those of the IR, which has no unnamed bit-fields.
unsigned fieldNumber(const clang::FieldDecl& field);

// Gives the bit-fields of a record their storage units. A unit is what a write of one of its fields reads and
// writes: neighbouring bit-fields in one object of their type, widened to the whole object where nothing else
// lies. The field whose unit would have more than 8 bytes, null: none.
const clang::FieldDecl* placeBitFields(const clang::RecordDecl& definition, clang::ASTContext& ast,
                                       ir::Record& record);

}  // namespace hone::frontend
