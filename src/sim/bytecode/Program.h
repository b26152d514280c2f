// Byte code of one kernel: every operation works on the 32 lanes of a warp under an execution mask.
// Self-contained, so that it can be written to a file and run where there is no front end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hone::sim {

inline constexpr unsigned warpLanes = 32;

// What a register or memory element holds. In registers Bool and everything up to 32 bits take a 4-byte lane
// (narrow integers extended, F16 and BF16 as the float of the same value), I64, U64 and F64 an 8-byte lane.
// Pointers are U64.
enum class Scalar : uint8_t { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };
inline unsigned memoryBytes(Scalar s) {
  constexpr uint8_t bytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return bytes[size_t(s)];
}
inline bool isWide(Scalar s) { return s == Scalar::I64 || s == Scalar::U64 || s == Scalar::F64; }
inline bool isFloating(Scalar s) { return s >= Scalar::F16; }
inline unsigned registerUnits(Scalar s) { return isWide(s) ? 2 : 1; }
const char* str(Scalar s);

// A register: index of a unit of 32 times 4 bytes. The high bit selects the bank of values that are the same
// for the whole launch (constants, parameters, dimensions) over the registers of the warp.
using Reg = uint16_t;
inline constexpr Reg uniformBank = 0x8000;
inline constexpr Reg noReg = 0xffff;

// clang-format off
#define HONE_SIM_OPS(X)                                                                                              \
  X(Mov32) X(Mov64)                                                                                                  \
  X(AddI32) X(AddI64) X(AddF32) X(AddF64) X(SubI32) X(SubI64) X(SubF32) X(SubF64)                                    \
  X(MulI32) X(MulI64) X(MulF32) X(MulF64) X(DivF32) X(DivF64)                                                        \
  X(DivI32) X(DivU32) X(DivI64) X(DivU64) X(RemI32) X(RemU32) X(RemI64) X(RemU64)                                    \
  X(FmaF32) X(FmaF64) X(NegI32) X(NegI64) X(NegF32) X(NegF64)                                                        \
  X(And32) X(And64) X(Or32) X(Or64) X(Xor32) X(Xor64) X(Not32) X(Not64) X(LogicalNot)                                \
  X(Shl32) X(Shl64) X(ShrI32) X(ShrU32) X(ShrI64) X(ShrU64)                                                          \
  X(Eq32) X(Eq64) X(EqF32) X(EqF64) X(Ne32) X(Ne64) X(NeF32) X(NeF64)                                                \
  X(LtI32) X(LtU32) X(LtI64) X(LtU64) X(LtF32) X(LtF64) X(LeI32) X(LeU32) X(LeI64) X(LeU64) X(LeF32) X(LeF64)        \
  X(Select32) X(Select64)                                                                                            \
  /* conversions; Extend* narrow an integer held in 32 bits, Round* a float to fewer bits */                         \
  X(ExtendI8) X(ExtendU8) X(ExtendI16) X(ExtendU16) X(RoundF16) X(RoundBF16) X(RoundF64ToF16) X(RoundF64ToBF16)      \
  X(I32ToI64) X(U32ToI64) X(I64ToI32) X(I32ToF32) X(U32ToF32) X(I64ToF32) X(U64ToF32)                                \
  X(I32ToF64) X(U32ToF64) X(I64ToF64) X(U64ToF64) X(F32ToF64) X(F64ToF32)                                            \
  X(F32ToI32) X(F32ToU32) X(F32ToI64) X(F32ToU64) X(F64ToI32) X(F64ToU32) X(F64ToI64) X(F64ToU64)                    \
  X(NonZero32) X(NonZero64) X(NonZeroF32) X(NonZeroF64)                                                              \
  X(ThreadX) X(ThreadY) X(ThreadZ) X(BlockX) X(BlockY) X(BlockZ) X(LaneId) X(ThreadRank) X(ActiveMask) X(Clock)      \
  X(TileMask) /* lanes of the tile of imm lanes that holds the lane */                                               \
  /* address = a + index b * scale c + imm; loads and stores move `count` neighbouring elements */                   \
  X(Lea) X(Load) X(Store) X(Atomic)                                                                                  \
  X(CallPure) X(Exchange) X(CallMachine)                                                                             \
  /* structured control flow, see Warp.h for the frames */                                                           \
  X(If) X(Else) X(EndIf) X(Loop) X(LoopTest) X(Continue) X(ContinueJoin) X(LoopBack) X(Break) X(LoopEnd)             \
  X(Switch) X(Case) X(SwitchEnd) X(Call) X(Return) X(CallEnd) X(Exit)                                                \
  X(CallSubroutine) X(SubroutineEnd) X(FrameAddress)                                                                 \
  X(BlockBarrier) X(BarrierVote) X(WarpSync) X(GridSync) X(Fence) X(Printf) X(Assert)                                \
  X(MarkUnset) X(MarkSet) X(CheckSet)
// clang-format on

enum class Op : uint16_t {
#define X(name) name,
  HONE_SIM_OPS(X)
#undef X
};
const char* str(Op op);

// Where an access goes. Generic decides per lane by the window its address lies in.
// Constant lies in global memory and is read through its own cache.
enum class MemorySpace : uint8_t { Generic, Global, Shared, Local, Constant };
// Addresses of shared and local memory, as pointers hold them: a window in the high byte, then the offset.
inline constexpr uint64_t sharedWindow = uint64_t(1) << 56;
inline constexpr uint64_t localWindow = uint64_t(2) << 56;
inline constexpr uint64_t windowMask = uint64_t(0xff) << 56;

enum class AtomicOp : uint8_t {
  Add,
  Sub,
  Exchange,
  Min,
  Max,
  And,
  Or,
  Xor,
  IncWrap,
  DecWrap,
  CompareExchange,
  Load,
  Store
};

enum class IndexKind : uint8_t { None, I32, U32, I64 };
// Merge: the load that a store to a bit-field makes of its neighbours, which need not be set.
enum class CacheHint : uint8_t { Default, Streaming, L2Only, ReadOnly, Volatile, Merge };

struct Instr {
  Op op = Op::Exit;
  Scalar type = Scalar::I32;  // memory: element; others as the operation needs
  uint8_t count = 1;          // memory: elements a lane moves
  Reg dst = noReg, a = noReg, b = noReg,
      c = noReg;     // memory: c is the scale itself, not a register; a store's value is dst
  int32_t imm = 0;   // offset, jump target or index into a table of the program
  int32_t imm2 = 0;  // second jump target
  MemorySpace space = MemorySpace::Generic;
  IndexKind index = IndexKind::None;
  CacheHint hint = CacheHint::Default;
  AtomicOp atomic = AtomicOp::Add;
};

struct Location {
  uint32_t file = 0;  // into Program::files; line 0: no place in the source
  uint32_t line = 0, column = 0;
};

// A call of a function that is a table entry: pure functions, exchanges among lanes, and what needs the
// machine.
struct CallSite {
  std::string function;  // canonical id of the intrinsic
  std::vector<Scalar> argTypes, resultTypes;
  std::vector<Reg> args, results;
  int64_t extra = 0;  // exchanges: static group size; printf: index of the format
};

struct Parameter {
  std::string name;
  uint32_t size = 0, offset = 0;  // bytes in the argument block
  bool isPointer = false;         // to global or constant memory
  bool isSharedPointer = false;   // OpenCL __local pointer: the argument is a size in bytes
  bool isConst = false;           // pointee
  bool isRestrict = false;
  Scalar element = Scalar::U8;  // pointee leaf, or the scalar itself
  uint32_t elementBytes = 0;    // pointee size (struct, vector)
  std::string typeText;         // for messages
  struct Leaf {
    uint32_t offset;
    Scalar type;
    Reg reg;
  };
  std::vector<Leaf> leaves;  // uniform registers the launch fills from the argument
};

struct GlobalVariable {
  std::string name;
  std::string key;  // what makes it this variable and no other: its name in object files
  uint64_t size = 0;
  uint32_t align = 1;
  bool isConstant = false, isManaged = false;
  uint32_t elementBytes = 0;
  std::vector<uint8_t> init;  // empty: zeros
  Reg reg = noReg;            // uniform register that holds its address
};

struct SharedVariable {
  std::string name;
  uint32_t offset = 0, size = 0;  // dynamic: size 0, begins at Program::staticShared
  uint32_t elementBytes = 0;
  std::vector<uint32_t> extents;
  int parameter = -1;  // an OpenCL __local argument
};

struct LocalVariable {
  std::string name;
  uint32_t offset = 0, size = 0, elementBytes = 0;
  bool inFrame = false;  // of a subroutine: the offset counts from the frame of the call
};

// Code that stands once and is called with a frame of its own: a function that calls itself.
struct Subroutine {
  std::string name;
  int32_t begin = 0, end = 0;  // its first instruction, and its SubroutineEnd
  uint32_t localBytes = 0;     // of a frame
};

// What the caller has in registers and needs again after the call, which may overwrite it.
struct SubroutineCall {
  uint32_t subroutine = 0;
  std::vector<Reg> narrow, wide;
  uint32_t firstVariable = 0, variables = 0;  // whose being set is followed
};

inline constexpr uint32_t stackBytes = 32 << 10;  // of a thread, for frames of subroutines
inline constexpr uint32_t leastFrameBytes = 32;   // what a call takes besides its variables

struct Constant {
  Scalar type;
  uint64_t bits;
  Reg reg;
};

// Values the launch provides in uniform registers when the kernel uses them.
enum class Uniform : uint8_t {
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  OffsetX,
  OffsetY,
  OffsetZ,
  WorkDim,
  DynamicSharedSize
};

struct Steps;

struct Program {
  std::string kernel;  // qualified name
  bool isOpenCL = false;
  bool isOpenAcc = false;  // made of directives: messages name no barriers and options; not in files
  std::vector<Instr> code;
  std::vector<Location> locations;  // one per instruction
  std::vector<std::string> files;
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::vector<std::pair<Uniform, Reg>> uniforms;  // 4-byte lanes
  std::vector<GlobalVariable> globals;
  std::vector<SharedVariable> shared;
  std::vector<LocalVariable> locals;
  std::vector<CallSite> calls;
  std::vector<Subroutine> subroutines;
  std::vector<SubroutineCall> subroutineCalls;
  uint32_t stackBase = 0;                    // where the stack begins in local memory
  std::vector<std::string> formats;          // of printf and assert
  std::vector<std::string> variables;        // names for CheckSet
  uint32_t warpUnits = 0, uniformUnits = 0;  // sizes of the two register banks
  uint32_t staticShared = 0;                 // bytes
  uint32_t localBytes = 0;                   // per lane
  uint32_t argumentBytes = 0;
  bool usesGridSync = false;
  bool usesHeap = false;         // takes memory, or gives it back
  bool usesSystemScope = false;  // atomics or fences that order it with the host while it runs
  // Results may depend on the order of blocks: float atomics, atomics whose value is used, fences or volatile
  // accesses of global memory. Such a launch runs its blocks in order.
  bool ordersBlocks = false;
  std::array<uint32_t, 3> requiredBlock{};  // zeros: any
  uint32_t maxThreads = 0;                  // __launch_bounds__, 0: not given

  mutable std::shared_ptr<const Steps> steps;  // of the code, made by stepsOf at the first launch

  Location at(uint32_t pc) const { return pc < locations.size() ? locations[pc] : Location{}; }
  const std::string& file(const Location& l) const { return files[l.file]; }
};

std::string dump(const Program& program);

// The byte code as a file: a magic number, a version, the program, a checksum. read throws hone::Error when
// the bytes are not a program of this version.
std::vector<uint8_t> write(const Program& program);
Program read(const std::vector<uint8_t>& bytes);

}  // namespace hone::sim
