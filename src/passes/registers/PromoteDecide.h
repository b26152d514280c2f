// What promote decides: which element lives in a register over which statements, and when it is loaded and
// stored.
#pragma once

#include <map>
#include <set>

#include "passes/edit/LoopEdit.h"

namespace hone::passes {

// Statements of one Block: the loop, and assignments beside it that touch the same element.
struct Region {
  Position at;  // of the first
  size_t count = 1;
  ir::StmtList stmts() const {
    const auto first = at.list().begin() + static_cast<std::ptrdiff_t>(at.index);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
};

struct Promotion {
  Region region;
  ir::StmtPtr loop;
  std::string handle;              // of the loop
  ir::ExprPtr element;             // as written before the loop
  std::vector<ir::ExprPtr> forms;  // every way the region writes it
  std::string array;
  bool isRead = false, isWritten = false, onlyAdds = true;
  ir::ExprPtr loadIf, storeIf;  // null: never; true: always
  bool needsFlag = false;       // whether something was stored is known at the end only
  ir::ExprPtr aliasCondition;
  std::string tested;
};

// What it takes that an array lies apart from others. A promotion loads and stores what the kernel did, so
// that the answer for one element stays true for the next.
struct Separation {
  Obstacle no;
  ir::ExprPtr condition;
  std::string tested;
};
using KnownSeparations = std::map<std::pair<std::string, std::set<std::string>>, Separation>;  // by names

// Decides for one access in one loop. Nothing: the access is no candidate.
Result<std::optional<Promotion>> decidePromotion(const ir::LaunchStep& launch,
                                                 const affine::KernelModel& model, const PassContext& context,
                                                 KnownSeparations& separations, affine::LoopId loop,
                                                 affine::AccessId access);

}  // namespace hone::passes
