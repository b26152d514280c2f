// What holds statements: variables, device functions, kernels and the module of one translation unit.
#pragma once

#include <array>
#include <optional>

#include "ir/Stmt.h"

namespace hone::ir {

enum class Language : uint8_t { Cuda, OpenCL };

enum class Storage : uint8_t { Param, Local, Global };  // Global: declared outside any function

// Identity is the object: two variables of one name are different variables.
struct Variable {
  std::string name;
  TypePtr type;
  Storage storage = Storage::Local;
  Space space = Space::Private;  // where the variable itself lies
  bool isReference = false;      // type is the pointer behind the reference
  bool isConst = false;
  bool isConstexpr = false;
  bool isVolatile = false;
  bool isDynamicShared = false;  // extern __shared__, or a __local pointer argument's storage
  bool isManaged = false;
  unsigned alignment = 0;  // asked for with __align__ or alignas, 0 when not
  std::string spelling;    // hint: how to write a Global one where the kernel stands ("ns::table")
  std::string wanted;  // hint: the name it should have where that is free; `name` is free in the whole kernel
  std::string linkageName;  // hint: of a Global one, its name in object files
  ExprPtr init;             // Global with a constant initializer
  SourceLoc loc;
};

enum class FunctionKind : uint8_t { Free, Method, StaticMethod, Operator, Constructor, Conversion };

// A user's device function. The body is set after creation, so that calls can refer to it.
struct Function {
  std::string name;  // as it must be written in a call from global scope, template arguments included
  FunctionKind kind = FunctionKind::Free;
  TypePtr returnType;
  bool returnsReference = false;
  // Method, Constructor: params[0] is the object's pointer, named "this". A call of a constructor has the
  // object made as its value and passes no argument for that pointer; returnType is void.
  std::vector<VarPtr> params;
  StmtPtr body;  // a Block
  bool writesMemory =
      false;  // through pointers, references or globals; reaches atomics, barriers or exchanges
  bool readsMemory = false;
  bool usesCoords = false;
  bool synchronizes = false;  // barrier or exchange in it or below it
  bool isRunOnly = false;     // parts of its body have no text in the IR: it is called and run, never printed
  // In object files; of functions that other files may call or define, where files are linked. One of these
  // has no body: it is defined elsewhere, and does whatever a function can do.
  std::string linkageName;
  SourceLoc loc;
  bool isPure() const { return !writesMemory && !synchronizes; }  // may stand inside an expression
  // The parameter that takes the argument of this number.
  const VarPtr& paramOf(size_t arg) const { return params[arg + (kind == FunctionKind::Constructor)]; }
};

struct TemplateArg {
  std::string param;  // name of the template parameter
  std::string text;   // the argument as written in source: "float", "16"
  bool isType = true;
  std::optional<int64_t> value;  // integral ones
  TypePtr type;  // the argument of a type parameter, the type of an integral one; null for others
};

// A number that a pass chose, printed by a name so that a person can find and change it. It stands behind the
// literals of its role and value.
struct NamedConstant {
  ConstantRole role;
  int64_t value = 0;
  std::string comment;  // what it is, for the line that defines it: "outputs of a block along x"
};

struct LaunchBounds {
  int maxThreads = 0, minBlocks = 0, maxCluster = 0;
};  // 0: not given

struct HostIteration;  // HostIteration.h

// What was true of a named constant or type in the build that was read.
struct BuildCondition {
  std::string text;          // "W == 64"
  bool mayVary = false;      // another build of the same text may see it otherwise
  bool isDirective = false;  // a condition of #if that chose text of the kernel
};

struct Kernel {
  std::string name;           // unqualified
  std::string qualifiedName;  // with namespaces
  std::string linkageName;    // hint: its name in object files
  Language language = Language::Cuda;
  std::vector<TemplateArg> templateArgs;  // empty when it is no template
  std::vector<VarPtr> params;
  StmtPtr body;                          // a Block
  std::vector<NamedConstant> constants;  // of kernels that passes made
  std::vector<std::string> story;  // what was done to it and why, a sentence each, for the comment above it
  std::optional<LaunchBounds> launchBounds;
  std::optional<std::array<unsigned, 3>> requiredBlock;  // reqd_work_group_size
  bool isExternC = false;
  bool isStatic = false;
  SourceLoc loc;                         // of the name
  std::vector<BuildCondition> reliesOn;  // hint: where the body was read
  // Hint: what the host does from launch to launch, where all launches in sight stand in loops that do the
  // same; null: nothing is known.
  std::shared_ptr<const HostIteration> iteration;
};
using KernelPtr = std::shared_ptr<const Kernel>;

// A launch found in host code, as written. Texts are source text; empty when absent.
struct Launch {
  std::string kernel;  // qualified name
  std::vector<std::string> templateArgs;
  std::string grid, block, shared, stream;
  std::vector<std::string> args;
  enum class Form : uint8_t { Chevrons, LaunchKernel, Cooperative } form = Form::Chevrons;
  bool inMacro = false;
  SourceLoc loc;
};

// Everything imported from one translation unit.
struct Module {
  Language language = Language::Cuda;
  std::vector<KernelPtr> kernels;
  std::vector<FunctionPtr> functions;  // callees before callers
  std::vector<VarPtr> globals;         // that kernels or functions use
  std::vector<RecordPtr> records;
  std::vector<Launch> launches;
};

// What a kernel assumes about its launch: free when thread and block coordinates occur only in global ids.
struct LaunchAssumption {
  bool free = false;
  std::optional<std::array<unsigned, 3>> fixedBlock;  // required by attribute
  std::string reason;                                 // why it is not free
};
LaunchAssumption launchAssumption(const Kernel& kernel);

}  // namespace hone::ir
