// Statements of the kernel IR. Effects happen here and only here: a Call with effects stands as the whole
// init of a Declare, the whole value of an Assign, or in an Eval.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "ir/Expr.h"

namespace hone::ir {

struct Stmt;
using StmtPtr = std::shared_ptr<const Stmt>;
using StmtList = std::vector<StmtPtr>;

enum class SyncScope : uint8_t { Warp, Block, Grid, Device, System };

struct Declare {
  VarPtr var;
  ExprPtr init;
};  // init may be null; shared arrays are declared where the user declared them
// place = value, or place op= value computed in the value's type (for shifts in the promoted type of the
// place).
struct Assign {
  ExprPtr place;
  std::optional<BinaryOp> op;
  ExprPtr value;
  bool incrementStyle = false;
};  // hint: written ++x
struct Eval {
  ExprPtr call;
};
struct If {
  ExprPtr cond;
  StmtPtr then;
  StmtPtr otherwise;
};  // branches are Blocks; otherwise may be null
// #pragma unroll: 0 none asked, -1 full, 1 forbidden, n by n.
struct For {
  StmtList init;
  ExprPtr cond;
  StmtList step;
  StmtPtr body;
  int unroll = 0;
};  // cond may be null: forever
struct While {
  ExprPtr cond;
  StmtPtr body;
  int unroll = 0;
};
struct DoWhile {
  StmtPtr body;
  ExprPtr cond;
  int unroll = 0;
};
// A case falls through to the next unless it ends in break, as in C.
struct SwitchCase {
  std::vector<ExprPtr> values;
  bool isDefault = false;
  StmtList body;
};
struct Switch {
  ExprPtr value;
  std::vector<SwitchCase> cases;
};
struct Break {};
struct Continue {};
struct Return {
  ExprPtr value;
};
struct Block {
  StmtList stmts;
};
// A barrier among the threads of a scope. `group` is the mask of a warp barrier or null. OpenCL: which memory
// it orders.
struct Barrier {
  SyncScope scope = SyncScope::Block;
  ExprPtr mask;
  bool orderLocal = true, orderGlobal = true;
};
struct Fence {
  SyncScope scope = SyncScope::Device;
  bool orderLocal = true, orderGlobal = true;
};
struct Printf {
  std::string format;
  std::vector<ExprPtr> args;
};  // format: the bytes, not the literal
struct Assert {
  ExprPtr cond;
  std::string text;
};
// Lines joined by \n; empty: a blank line. With roles each `{}` stands for what the next one is printed as.
struct Comment {
  std::string text;
  std::vector<ConstantRole> roles = {};
};

struct Stmt {
  using Node = std::variant<Declare, Assign, Eval, If, For, While, DoWhile, Switch, Break, Continue, Return,
                            Block, Barrier, Fence, Printf, Assert, Comment>;
  Node node;
  SourceLoc loc;

  template <class T> const T* as() const { return std::get_if<T>(&node); }
  template <class T> bool is() const { return std::holds_alternative<T>(node); }
};

template <class T> const T* as(const StmtPtr& s) { return s ? s->as<T>() : nullptr; }

// The comment's lines, with the names that the constants of its roles have.
std::string textOf(const Comment& comment,
                   const std::function<std::string(const ConstantRole&)>& name = nameOf);

StmtPtr makeStmt(Stmt::Node node, SourceLoc loc = {});
StmtPtr block(StmtList stmts, SourceLoc loc = {});
// The value that a statement only gives a name: a constexpr variable of a number. Null for every other
// statement.
ExprPtr namedValue(const Stmt& s);
StmtPtr assign(ExprPtr place, ExprPtr value, SourceLoc loc = {});

// A loop that counts: for (var = begin; var cmp end; var = var op step), the variable not assigned in the
// body, end and step not changed by it. op is Add or Sub for additive steps, Mul, Div, Shl or Shr for
// geometric ones. The comparison is made in the type of `end`. The body may break out early; init and step
// lists may hold further statements.
struct Counted {
  VarPtr var;
  bool declares = false;  // the loop declares var; otherwise begin may be null (set before the loop)
  ExprPtr begin;
  BinaryOp compare = BinaryOp::Lt;
  ExprPtr end;
  BinaryOp op = BinaryOp::Add;
  ExprPtr step;
};
// `addressTaken` names the variables of the kernel whose address is taken; without it a store through a
// pointer that may point to a variable of the thread counts as a change of any variable of that type.
std::optional<Counted> counted(const For& loop, const std::set<const Variable*>* addressTaken = nullptr);

}  // namespace hone::ir
