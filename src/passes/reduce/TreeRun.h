// Statements done by all threads of a block at once, without numbers: what each thread and each element of
// shared memory holds is followed as the set of threads whose values are in it. Whatever a tree looks like,
// it is the sum over the block where that set is the whole block in the end.
#pragma once

#include <map>
#include <unordered_map>

#include "ir/Kernel.h"
#include "passes/reduce/TreeValue.h"

namespace hone::passes {

// What each thread has worked out when it begins.
struct TreeInput {
  ir::ExprPtr value;
};

// One element of shared memory.
struct TreeCell {
  TreeValue value;
  int writer = -1;  // the last one; -1: not written
  unsigned writtenAt = 0;
  std::vector<std::pair<unsigned, unsigned>> readers;  // since then: thread, and when
};

// What is known of a kernel whose statements are run.
struct TreeKernel {
  TreeKernel(const ir::Kernel& itsKernel, const std::array<unsigned, 3>& itsBlock);

  const ir::Kernel& kernel;
  std::array<unsigned, 3> block;
  unsigned threads = 0;
  std::set<const ir::Variable*> changed, taken;             // variables that are assigned; of known address
  std::map<const ir::Variable*, ir::ExprPtr> declaredWith;  // of those that are not
};

// Lanes of a tile that a handle of a cooperative group stands for; 0: something else.
unsigned lanesOfTile(const ir::ExprPtr& handle);

class TreeRun {
 public:
  // `first`: values of variables that were declared with them just before.
  TreeRun(const TreeKernel& ofKernel, std::map<const ir::Variable*, ir::ExprPtr> first)
      : of(ofKernel), begun(std::move(first)) {}

  // Whether all threads can be followed through the statement; where not, `why` says what is in the way.
  bool run(const ir::StmtPtr& s);
  Refusal why;

  // Of a variable of the thread's own that the statements gave a value; null: they did not.
  const TreeValue* find(const ir::Variable* var, unsigned thread) const;
  // Elements of a shared variable that were touched, in their order.
  const std::map<int64_t, TreeCell>& cellsOf(const ir::Variable* array) const;
  // Shared variables that were touched.
  std::set<const ir::Variable*> touched;
  std::vector<TreeInput> inputs;
  unsigned blockBarriers = 0;  // that each thread came to
  ir::StmtPtr firstBarrier;
  ir::ExprPtr infinity;  // as the statements write it; null: they do not

  // The value for a thread; nothing where it is not known.
  std::optional<TreeValue> valueOf(const ir::ExprPtr& e, unsigned thread);
  // The element of shared memory that a place names.
  // (Nothing where it names other memory, or it is not known which.)
  std::optional<TreeValue> elementOf(const ir::ExprPtr& place, unsigned thread);

 private:
  using Threads = std::vector<unsigned>;
  // A value, and whether it is made of nothing that the statements changed.
  struct Found {
    TreeValue value;
    bool isPlain = false;
  };

  const TreeKernel& of;
  std::map<const ir::Variable*, ir::ExprPtr> begun;
  std::unordered_map<const ir::Variable*, std::vector<TreeValue>> own;
  std::unordered_map<const ir::Variable*, std::map<int64_t, TreeCell>> cells;
  // What variables are declared with, for each thread: where one is made of another several times, ways to
  // the first double.
  struct Constant {
    bool isAsked = false;
    TreeKind kind = TreeKind::Garbage;  // Number, Pointer: it is known
    int64_t number = 0;
    const ir::Variable* array = nullptr;
  };
  std::unordered_map<const ir::Variable*, std::vector<Constant>> constants;
  std::unordered_map<const ir::Expr*, unsigned> inputOf;
  std::map<const ir::Variable*, ir::TypePtr> heldAs;  // what elements of shared arrays are used as
  std::vector<ir::ExprPtr> kept;                      // expressions that are looked up by address
  unsigned now = 1, blockSync = 0, steps = 0;
  std::array<unsigned, mostTreeThreads / 32> warpSync{};

  void statement(const ir::StmtPtr& s, const Threads& active);
  void declare(const ir::Declare& d, const Threads& active, ir::SourceLoc loc);
  void assign(const ir::Assign& a, const Threads& active, ir::SourceLoc loc);
  void choose(const ir::If& s, const Threads& active, ir::SourceLoc loc);
  void loop(const ir::ExprPtr& cond, const ir::StmtPtr& body, const ir::StmtList& step, bool testsFirst,
            Threads active, ir::SourceLoc loc);
  void barrier(const ir::Barrier& b, const Threads& active, ir::SourceLoc loc);
  // The lanes of a tile of a block, as cooperative groups have them.
  void meetInTile(unsigned size, const Threads& active, ir::SourceLoc loc);
  void meet(const Threads& active, const ir::ExprPtr& mask, ir::SourceLoc loc);
  // `if (a > b) b = a;`
  bool chooseExtreme(const ir::If& s, const Threads& active);
  // What a call that exchanges values gives each of the threads; nothing: it is none.
  std::optional<std::vector<TreeValue>> exchanged(const ir::ExprPtr& e, const Threads& active,
                                                  ir::SourceLoc loc);
  std::vector<TreeValue> valuesOf(const ir::ExprPtr& e, const Threads& active, ir::SourceLoc loc);
  std::vector<bool> conditions(const ir::ExprPtr& e, const Threads& active, ir::SourceLoc loc);
  void store(const ir::ExprPtr& place, const TreeValue& value, unsigned thread, ir::SourceLoc loc);

  Found find(const ir::ExprPtr& e, unsigned thread);
  Found findVariable(const ir::ExprPtr& e, const ir::VarPtr& var, unsigned thread);
  std::optional<TreeValue> constantOf(const ir::Variable* var, const ir::ExprPtr& init, unsigned thread);
  Found findOperator(const ir::ExprPtr& e, const ir::Binary& node, unsigned thread);
  Found findCast(const ir::ExprPtr& e, const ir::Cast& cast, unsigned thread);
  Found findChoice(const ir::ExprPtr& e, const ir::Select& node, unsigned thread);
  std::optional<TreeValue> ofGroup(const ir::Call& call, unsigned thread) const;
  Found findCall(const ir::ExprPtr& e, const ir::Call& call, unsigned thread);
  Found input(const ir::ExprPtr& e, unsigned thread);
  // Where a place of shared memory lies; `element`: that is used as a number.
  std::optional<TreeValue> located(const ir::ExprPtr& place, unsigned thread);
  std::optional<TreeValue> element(const ir::ExprPtr& place, unsigned thread);
  std::optional<TreeValue> pointer(const ir::ExprPtr& base, unsigned thread);
  TreeValue load(const TreeValue& at, const ir::ExprPtr& place, unsigned thread);
  // Whether what a thread did then is over for another one.
  bool isOver(unsigned thread, unsigned when, unsigned other, bool inStep) const;
};

}  // namespace hone::passes
