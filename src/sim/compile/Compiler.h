// From the IR of a kernel to byte code; private to Compile*.cpp.
//
// Each variable of scalar, vector or struct type lives in registers, one per leaf of its type; arrays with a
// subscript that is not constant, unions, and variables whose address is taken live in the thread's local
// memory. User functions are compiled in place of their calls, those that call themselves as subroutines.
// Every instruction writes only the active lanes, so registers of one branch are safe from the other.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "ir/Kernel.h"
#include "ir/intrinsics/Intrinsics.h"
#include "sim/compile/Compile.h"

namespace hone::sim {

// A scalar within a type: where it lies and what it is.
struct Leaf {
  Scalar type;
  uint64_t offset;
};

Scalar scalarOf(const ir::Type& type);  // of a scalar, pointer or handle

// A value in registers, one per leaf. Those of a vector loaded at once are neighbours.
struct Value {
  ir::TypePtr type;
  std::vector<Reg> regs;
};

// Something that can be loaded, stored or have its address taken.
struct Place {
  ir::TypePtr type;
  bool inRegisters = false;
  std::vector<Reg> regs;  // in registers: the leaves
  MemorySpace space = MemorySpace::Generic;
  Reg base = noReg;  // 64-bit address; none: an offset in shared or local memory
  Reg index = noReg;
  IndexKind indexKind = IndexKind::None;
  uint64_t scale = 1;
  int64_t offset = 0;
  CacheHint hint = CacheHint::Default;
  int tracked = -1;  // variable whose being set is followed
  int root = -1;     // what it must stay in: a shared or local variable, or a pointer parameter
  const ir::Expr* origin = nullptr;  // the expression that names it
  // It is one: the rest tells of its storage unit, at unitOffset of a struct aligned to unitAlign.
  const ir::Field* bitField = nullptr;
  uint64_t unitOffset = 0, unitAlign = 1;
};

[[noreturn]] void cannotRun(const std::string& what, const ir::SourceLoc& loc);

class Compiler {
 public:
  Compiler(const ir::Kernel& kernel, const CompileOptions& options);
  Program compile();

 private:
  struct VariableHome {
    bool inRegisters = false;
    std::vector<Reg> regs;
    MemorySpace space = MemorySpace::Local;
    Reg base = noReg;
    int64_t offset = 0;
    int tracked = -1;
    int root = -1;
  };
  // A construct whose end lanes wait for; mirrors the frames of a running warp.
  struct Scope {
    enum Kind { If, Loop, Switch, Call } kind;
    size_t open = 0;             // the instruction that begins it
    std::vector<size_t> toJoin;  // instructions whose imm becomes the next join of this frame
    std::vector<size_t> toEnd;   // and those whose imm becomes its end
    std::vector<Reg> results;    // Call: where returned leaves go
    const ir::Function* function = nullptr;
  };

  // The first free register unit of the warp, and in a subroutine that of 8-byte lanes: there lanes of one
  // register must never lie where other lanes have another, as they may be at different places of the code.
  struct FreeRegisters {
    uint32_t unit = 0, wide = 0;
  };

  // Setting up (CompileKernel.cpp, PlaceVariables.cpp, CompileGlobals.cpp)
  void placeParameters();
  void placeSharedVariables();
  void collectCoordinates();
  void findBodies();
  void findMemoryVariables();
  void findTrackedVariables();
  const VariableHome& home(const ir::VarPtr& var);
  VariableHome& declare(const ir::VarPtr& var);
  VariableHome localMemory(const ir::Variable& var);
  void sharedVariable(const ir::Variable& var);
  void globalVariable(const ir::Variable& var);
  std::vector<uint8_t> initialBytes(const ir::Variable& var);
  Reg uniform(Uniform what);

  // Layout
  uint64_t sizeOf(const ir::Type& t) const { return ir::sizeOf(t, isOpenCL); }
  uint64_t alignOf(const ir::Type& t) const { return ir::alignOf(t, isOpenCL); }
  std::vector<Leaf> leaves(const ir::Type& type) const;
  void addLeaves(const ir::Type& type, uint64_t offset, std::vector<Leaf>& out) const;
  std::vector<Leaf> placeLeaves(const Place& p) const;
  std::pair<size_t, size_t> memberLeaves(const ir::Member& member) const;  // the first, and how many
  std::vector<uint64_t> baseOffsets(const ir::Record& record) const;
  size_t leafCount(const ir::Type& type) const { return leaves(type).size(); }

  // Registers and instructions
  Reg newRegister(Scalar type);
  std::vector<Reg> newRegisters(const ir::Type& type);
  Reg constant(Scalar type, uint64_t bits);
  Reg intConstant(int64_t value) { return constant(Scalar::I32, uint32_t(value)); }
  size_t emit(const Instr& instr);
  size_t emitMemory(const Instr& instr, const ir::Expr* origin);
  Reg emitOp(Op op, Scalar result, Reg a, Reg b = noReg, Reg c = noReg, Reg into = noReg);
  void move(Reg dst, Reg src, Scalar type);
  int32_t here() const { return int32_t(out.code.size()); }
  Location locationOf(const ir::SourceLoc& loc);

  // Expressions (CompileExpr.cpp, CompileCast.cpp); `into` is where a scalar result should go
  Value eval(const ir::ExprPtr& e, Reg into = noReg);
  Reg evalScalar(const ir::ExprPtr& e, Reg into = noReg);
  void evalInto(const ir::ExprPtr& e, const std::vector<Reg>& into);
  Value literal(const ir::Expr& e);
  Value coordinate(const ir::Expr& e);
  Value unary(const ir::Expr& e, Reg into);
  Value binary(const ir::Expr& e, Reg into);
  Value logical(const ir::Expr& e, Reg into);
  Value select(const ir::Expr& e, Reg into);
  Value castTo(const ir::Expr& e, Reg into);
  Value construct(const ir::Expr& e);
  Reg scalarBinary(ir::BinaryOp op, Scalar type, Reg a, Reg b, Scalar shiftType, Reg into);
  Reg scalarCompare(ir::BinaryOp op, Scalar type, Reg a, Reg b, Reg into);
  Reg convertScalar(Reg reg, Scalar from, Scalar to, Reg into = noReg);
  Reg truth(Reg reg, Scalar type, Reg into = noReg);
  Reg normalize(Reg reg, Scalar type, Reg into = noReg);  // to the range of a narrow type
  Reg maskLane(Reg boolean, Scalar type);    // 0 or all bits, as OpenCL's vector comparisons give
  bool isCheap(const ir::ExprPtr& e) const;  // may be evaluated by lanes that do not need it
  Value splat(const Value& scalar, const ir::TypePtr& vector);
  Value reinterpret(const Value& value, const ir::TypePtr& type);

  // Places and memory (CompilePlace.cpp)
  Place place(const ir::ExprPtr& e);
  Place placeOf(const ir::ExprPtr& e);
  Place dereference(Reg pointer, const ir::Type& pointerType);
  void addIndex(Place& p, const ir::ExprPtr& index, uint64_t stride);
  Value load(const Place& p, Reg into = noReg);
  void store(const Place& p, const Value& value);
  Reg address(const Place& p, Reg into = noReg);
  void accessLeaves(Op op, const Place& p, const std::vector<Reg>& regs);
  Value loadBits(const Place& p);
  void storeBits(const Place& p, Reg value);
  Reg unitBits(const Place& p, const std::vector<Reg>& unit);
  Place inUnit(const ir::Record& record, size_t field, std::vector<Reg> unit) const;
  Instr memoryInstr(Op op, const Place& p) const;
  std::optional<Value> swizzledLoad(const ir::Expr& e);
  bool swizzledStore(const ir::ExprPtr& place, const Value& value);
  void checkSet(const Place& p);
  void markSet(const Place& p);

  // Statements (CompileStmt.cpp)
  void statement(const ir::StmtPtr& s);
  void statements(const ir::StmtList& list);
  void scoped(const ir::StmtPtr& s);
  void assign(const ir::Assign& a);
  void declareStmt(const ir::Declare& d);
  void ifStmt(const ir::If& s);
  void loop(const ir::StmtList& init, const ir::ExprPtr& cond, const ir::StmtList& step,
            const ir::StmtPtr& body, bool testFirst);
  void switchStmt(const ir::Switch& s);
  void returnStmt(const ir::Return& r);
  void leave(Op op, Scope::Kind target, bool orSwitch = false);
  void pushScope(Scope::Kind kind, Op op, Reg a = noReg);
  void jumpToJoin(
      size_t instr);  // its imm becomes the next join of the innermost frame, or the end of the kernel
  void joinHere(Scope& scope);
  void popScope(Op op);
  void printfStmt(const ir::Printf& p);
  Value printfCall(const ir::Expr& e);
  bool mayWait(const ir::StmtPtr& body) const;

  // Calls (CompileCall*.cpp)
  Value call(const ir::Expr& e, Reg into);
  Value userCall(const ir::Expr& e);
  Value subroutineCall(const ir::Expr& e);
  void findRecursion();
  void compileSubroutine(const ir::Function& fn);
  uint32_t subroutineBody(const ir::Function& fn, FreeRegisters start);
  Value pureCall(const ir::ExprPtr& e, Reg into);
  std::optional<Value> pureByLanes(const ir::Expr& e, std::string_view id, const std::vector<Value>& args);
  std::vector<Reg> emitPure(std::string_view id, const std::vector<Scalar>& argTypes,
                            const std::vector<Reg>& args, const std::vector<Scalar>& resultTypes,
                            Reg into = noReg);
  Value writingCall(const ir::Expr& e);
  Value loadCall(const ir::Expr& e, Reg into);
  Value storeCall(const ir::Expr& e);
  Value atomicCall(const ir::Expr& e, bool used);
  Value exchangeCall(const ir::Expr& e);
  void checkMoved(std::string_view id, int32_t tracked, Reg members, std::vector<Value> args, int64_t extra,
                  const ir::SourceLoc& loc);
  Value queryCall(const ir::Expr& e);
  Value barrierVote(const ir::Expr& e);
  Value groupCall(const ir::Expr& e);
  Value machineCall(const ir::Expr& e);
  Value copyBytes(const ir::Expr& e);
  Value noValue() const { return {ir::voidType(), {}}; }
  Value emitExchange(std::string_view id, const ir::TypePtr& type, Reg members,
                     const std::vector<Value>& args, int64_t extra, const ir::SourceLoc& loc);
  Reg groupMembers(const ir::ExprPtr& group);  // lanes of a tile or coalesced group
  Reg blockThreads();                          // threads of the block
  Reg popcount(Reg mask);
  Value coordVector(const ir::TypePtr& type, const std::array<Reg, 3>& regs);

  const ir::Kernel& kernel;
  ir::KernelPtr inlined;
  std::vector<ir::StmtPtr> bodies;  // the kernel's, and those of functions that it still calls
  CompileOptions options;
  bool isOpenCL;
  Program out;
  std::map<const ir::Variable*, VariableHome> homes;
  std::set<const ir::Variable*> inMemory, trackedSet;
  std::map<std::pair<uint8_t, uint64_t>, Reg> constants;
  std::map<std::pair<int, int>, Reg> coordinates;  // kind, axis
  std::map<Uniform, Reg> uniforms;
  std::map<std::string, uint32_t> fileIndex;
  std::map<std::string, Reg> machineValues;
  std::vector<Scope> scopes;
  std::vector<size_t> toExit;  // instructions that jump to the end of the kernel
  // A function that calls itself: where arguments and results are passed, in registers of no frame.
  struct Recursive {
    uint32_t number = 0;  // of its subroutine
    std::vector<std::vector<Reg>> args;
    std::vector<Reg> results;
  };
  std::map<const ir::Function*, Recursive> recursive;
  std::vector<const ir::Function*> recursiveInOrder;
  const ir::Function* within = nullptr;  // the subroutine being compiled, null in the kernel
  Reg frame = noReg;                     // the address of its frame
  uint32_t frameBytes = 0;
  FreeRegisters frameStart;    // the first registers that are its own
  uint32_t frameVariable = 0;  // and the first variable that is followed
  FreeRegisters top;
  uint32_t mostUnits = 0;  // the end of all of `unit` so far
  uint32_t localTop = 0;
  ir::SourceLoc current;
  bool resultUsed = true;  // of the call being compiled; false in a statement of its own
};

}  // namespace hone::sim
