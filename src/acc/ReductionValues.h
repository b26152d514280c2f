// What reductions compute: the value that changes nothing, and two values made one, for numbers, and for
// arrays and structs number by number.
#pragma once

#include "acc/Notes.h"

namespace hone::acc {

/// Why a reduction with this operator cannot be made over values of a type; empty: it can.
std::string whyNotReducible(frontend::AccReductionOp op, const ir::Type& type);
/// place = the value that changes nothing.
ir::StmtList startOf(frontend::AccReductionOp op, const ir::ExprPtr& place, RegionNames& names);
/// into = into op from.
ir::StmtList combine(frontend::AccReductionOp op, const ir::ExprPtr& into, const ir::ExprPtr& from,
                     RegionNames& names);
/// The start value of a number.
ir::ExprPtr identityOf(frontend::AccReductionOp op, const ir::TypePtr& type);
/// a op b, of a's type; numbers.
ir::ExprPtr combined(frontend::AccReductionOp op, const ir::ExprPtr& a, const ir::ExprPtr& b);
/// Calls `each` with places of the single numbers of a value; for arrays inside loops that are made around
/// what it returns.
ir::StmtList overNumbers(const std::vector<ir::ExprPtr>& places, RegionNames& names,
                         const std::function<ir::StmtList(const std::vector<ir::ExprPtr>&)>& each);
const char* str(frontend::AccReductionOp op);

}  // namespace hone::acc
