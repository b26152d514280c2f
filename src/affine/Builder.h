// Walks a kernel once, following every scalar and pointer symbolically; private to the room.
//
//   BuildValues.cpp      expressions to values
//   BuildIntegers.cpp    integer operators at their widths
//   BuildPlaces.cpp      pointers, places, the accesses of a statement
//   BuildStatements.cpp  control flow other than loops
//   BuildApart.cpp       conditions that compare where memory begins and ends
//   BuildChanges.cpp     what an iteration of a loop does to variables
//   BuildLoops.cpp       loops: values in each iteration, which iterations run, values after
//   BuildCalls.cpp       calls and conversions
#pragma once

#include <unordered_map>

#include "affine/Value.h"
#include "ir/Handles.h"
#include "ir/SourceOrder.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::affine {

// The conditions under which a statement does not go on to the next one.
struct Leaves {
  CondPtr byReturn = never(), byBreak = never(), byContinue = never();
  CondPtr any() const { return anyOf({byReturn, byBreak, byContinue}); }
};

// Whether an atom occurs, inside others included.
bool mentionsDeeply(const Atoms& atoms, const Poly& p, AtomId id);
bool mentionsDeeply(const Atoms& atoms, const CondPtr& c, AtomId id);

class Builder {
 public:
  Builder(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block);
  KernelModel run();

 private:
  using State = std::map<const ir::Variable*, Value, ir::InSourceOrder>;

  // Values
  Value value(const ir::ExprPtr& e);
  Value valueOf(const ir::Expr& e, const ir::ExprPtr& ptr);
  Value coordinate(const ir::Coord& c);
  Value read(const ir::ExprPtr& place);
  Value variableValue(const ir::VarPtr& var);
  Value callValue(const ir::ExprPtr& e, const ir::Call& call);
  std::optional<Poly> groupValue(const ir::Call& call);
  Value castValue(const ir::Expr& e, const ir::Cast& cast);
  Value selectValue(const ir::Expr& e, const ir::Select& select);
  Value opaqueOf(const ir::Type& type, const std::string& name, const std::string& reason, Variation varies);
  Value unknown(const ir::ExprPtr& e,
                const std::string& reason);  // opaque, varying with all that e depends on
  CondPtr truth(const ir::ExprPtr& e, std::set<unsigned>& requirements);
  CondPtr newUnknown(const std::string& reason, Variation varies);
  Variation variationOf(const Value& v) const;
  Value merged(const CondPtr& cond, const std::set<unsigned>& requirements, const Value& yes, const Value& no,
               const ir::Type& type, const std::string& name);
  unsigned choicesDeep(const Poly& p);  // choices inside choices; questions about them grow with it
  std::string text(const ir::ExprPtr& e) const;

  // Integers
  Value integerBinary(const ir::Expr& e, ir::BinaryOp op, Value a, Value b, const ir::Type& rhsType);
  Value comparison(ir::BinaryOp op, Value a, Value b, const ir::Type& operands);
  void noteSignedComparison(const CondPtr& cond, const Poly& left, const Poly& right, const ir::Type& type);
  void noteSum(const Value& v, const ir::Type& type);
  bool isForEveryThread() const;
  Value bitwise(ir::BinaryOp op, const Value& a, const Value& b);
  Value dividing(ir::BinaryOp op, Value a, Value b, const ir::Type& type, const ir::SourceLoc& loc);
  // The integer itself at a type's width: where it could have wrapped, that it did not becomes a requirement.
  Poly settled(Value& v, const ir::Type& type, const ir::SourceLoc& loc);
  void markModular(Value& v, const ir::Type& type) const;
  void require(Value& v, const Poly& value, int64_t low, int64_t high, const std::string& why,
               const ir::SourceLoc& loc);
  Poly linearThread();
  Poly minimum(const Poly& a, const Poly& b) { return atoms.choice(atLeast0(b - a), a, b); }
  Poly maximum(const Poly& a, const Poly& b) { return atoms.choice(atLeast0(a - b), a, b); }

  // Places
  struct Place {
    ArrayId array;
    Poly bytes;
    std::vector<Poly> subscripts;
    std::set<unsigned> requirements;
    Variation varies;
    std::string reason;  // when the array or the address is not known
  };
  Place placeOf(const ir::ExprPtr& place);
  Place elementOf(const ir::Subscript& element, const ir::SourceLoc& loc);
  Value pointerTo(const ir::ExprPtr& place);
  ArrayId arrayFor(const ir::VarPtr& var, const std::string& path, const ir::TypePtr& type, ir::Space space);
  void recordAccesses(const ir::StmtPtr& s);
  void fillAccess(Access& out, const ir::AccessHandle& handle);
  unsigned unitOf(const ir::Type& type) const;
  bool severalLanes(Access& out, const ir::Swizzle& lanes, Place& place);
  void addressThrough(Access& out, const ir::Call& call, Place& place);
  uint64_t sizeOf(const ir::Type& type) const { return ir::sizeOf(type, isOpenCL); }

  // Statements
  Leaves list(const ir::StmtList& stmts);
  Leaves statement(const ir::StmtPtr& s);
  Leaves ifStatement(const ir::StmtPtr& s, const ir::If& choice);
  std::vector<BytesApart> toldApart(const ir::ExprPtr& cond);
  Leaves switchStatement(const ir::StmtPtr& s, const ir::Switch& choice);
  void assign(const ir::Assign& a);
  Value compounded(const ir::Assign& a, Value v);
  void assignTo(const ir::ExprPtr& place, Value v);
  void mergeStates(const CondPtr& cond, const std::set<unsigned>& requirements, const State& yes,
                   const State& no);
  void addBarrier(const ir::StmtPtr& s, ir::SyncScope scope, bool orderLocal, bool orderGlobal);
  void addEvent(const Event& event);

  // Loops
  struct LoopParts {
    ir::ExprPtr cond;
    ir::StmtList step;
    ir::StmtPtr body;
    bool testsLast = false;  // do … while
  };
  // How a variable changes: from iteration to iteration by a constant amount, or in a pattern.
  struct Change {
    const ir::Variable* var = nullptr;
    Value before;  // the loop
    Value after;   // one iteration, over the placeholder
    AtomId placeholder = 0;
    bool isFollowed = false;  // a number, or a pointer into one array
    std::optional<Poly> delta;
    std::vector<Poly> cycle;  // the values it goes round through, when it does
    int shift = 0;            // it is shifted by so many bits each iteration, to the left where positive
    bool mayBreak = false;    // the loop may be left in the middle of an iteration
  };
  Leaves loopStatement(const ir::StmtPtr& s, const LoopParts& parts);
  size_t triedIterations = 0;  // of the whole kernel
  std::vector<Change> changesOf(const LoopParts& parts, LoopId loop, bool& mayLeave);
  Leaves iterationOnce(const LoopParts& parts);
  int shiftOf(const Change& change);
  CondPtr whatCanHold(const CondPtr& c);
  bool isSteadyTest(const Poly& value, AtomId counter);
  bool chooseCounter(Loop& loop, std::vector<Change>& changes, const LoopParts& parts);
  std::optional<std::vector<int64_t>> listedValues(const Change& change, const LoopParts& parts);
  Value inIteration(const Change& change, const Loop& loop, LoopId index, bool isListed);
  std::optional<Value> closedForm(const Change& change, const Loop& loop, LoopId index, bool isListed);
  void findCycles(std::vector<Change>& changes, LoopId loop);
  Poly inPhase(const std::vector<Poly>& cycle, const Poly& phase);
  bool allListedRun(const Loop& loop);
  std::optional<Poly> iterationsDone(const Loop& loop, bool mayLeave);
  void setRuns(Loop& loop, const LoopParts& parts, std::set<unsigned>& requirements);
  void valuesAfter(const Loop& loop, LoopId index, const std::vector<Change>& changes, bool mayLeave);

  KernelModel model;
  Atoms& atoms;
  bool isOpenCL;
  ir::KernelHandles handles;
  std::unordered_map<const ir::Stmt*, std::vector<AccessId>> handlesOf;  // accesses by statement, in order
  std::unordered_map<const ir::Stmt*, size_t> taken;                     // of them, seen so far
  std::set<const ir::Variable*> exposed;                                 // variables whose address is taken
  std::set<std::string> writtenArrays;                                   // names that the kernel stores to
  std::map<std::pair<const ir::Variable*, std::string>, ArrayId> arrayIndex;
  State state;
  CondPtr guard = always();
  std::set<unsigned> guardRequirements;
  std::vector<LoopId> nest;   // loops around
  unsigned partial = 0;       // operands around, of && and its like, that some threads may pass over
  std::vector<Poly> certain;  // signed sums of the launch's numbers that every thread works out
  ById<LoopId, std::set<unsigned>> loopRequirements;
  size_t nextLoop = 0;
  uint32_t nextUnknown = 0;
  std::unordered_map<AtomId, unsigned> depthOf;  // for choicesDeep
  bool recording = true;                         // false while an iteration is tried to see what it changes
  unsigned trials = 0;                           // such tries that nest
};

}  // namespace hone::affine
