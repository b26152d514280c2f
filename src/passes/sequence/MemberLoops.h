// The members of a step as loops. A member's number is written with digits, one for each loop, such that all
// that differs from member to member (threads, numbers, slots of arrays) is a sum of multiples of the digits.
#pragma once

#include "affine/Poly.h"
#include "ir/Stmt.h"

namespace hone::passes {

// What each member has in the place of one number.
using ByMember = std::vector<affine::Poly>;

struct MemberDigits {
  std::vector<int64_t> counts;  // by digit, the one that changes from member to member first

  // The atom that stands for a digit; behind those of the group (LaunchValues.h).
  static affine::AtomId atom(size_t digit);
  // The number as a polynomial of the digits too; nothing where it is none for every member.
  std::optional<affine::Poly> fitted(const ByMember& number) const;
};

// As few digits for `members` as all numbers allow; nothing where no digits do.
std::optional<MemberDigits> memberDigits(size_t members, const std::vector<ByMember>& numbers);

// A statement that the loops hold, and the digits that make a difference to it, as bits. It may stand in the
// loops of these alone.
struct MemberStmt {
  ir::StmtPtr stmt;
  unsigned digits = 0;
};

// The loops that do calls least often, outermost first, as positions in `counts`.
std::vector<size_t> loopOrder(const std::vector<MemberStmt>& stmts, const std::vector<int64_t>& counts);
// How often a statement is done where the loops stand in this order.
int64_t timesDone(const MemberStmt& stmt, const std::vector<int64_t>& counts,
                  const std::vector<size_t>& order);
// Unrolled loops, each statement in the outermost one that it may stand in, in the order given.
ir::StmtPtr memberLoops(const std::vector<MemberStmt>& stmts, const std::vector<int64_t>& counts,
                        const std::vector<ir::VarPtr>& counters, const std::vector<size_t>& order);

// Calls in a statement, as it stands.
int64_t callsIn(const ir::StmtPtr& stmt);

}  // namespace hone::passes
