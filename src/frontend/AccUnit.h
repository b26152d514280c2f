// What OpenACC asks for in one C or C++ file, without Clang: regions whose bodies are IR, directives of the
// host, and where in the host's text each stands. src/acc makes kernels, host text and launches of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/Import.h"
#include "ir/Kernel.h"

namespace hone::frontend {

/// An expression of the host, evaluated where the construct stands.
struct AccValue {
  std::string text;  ///< as written, for the host's file; without side effects unless clauses have them
  std::optional<int64_t> constant;  ///< where Clang knows it
};

enum class AccDataKind : uint8_t {
  Copy,
  CopyIn,
  CopyOut,
  Create,
  NoCreate,
  Present,
  DevicePtr,
  Attach,
  Detach,
  Delete,
  UseDevice,
  UpdateSelf,
  UpdateDevice,
  DeviceResident,
  Link,
  Lookup  ///< a pointer that no clause names: the device's address where it is present, else as it is
};

/// The object that a member, or a part of one, lies in: host text.
struct AccWhole {
  std::string name;     ///< for messages
  std::string address;  ///< empty: there is none
  std::string bytes;
};

/// One variable or section of a data clause, or what the rules for implicit data say of a variable.
struct AccData {
  AccDataKind kind = AccDataKind::Copy;
  bool isImplicit = false;
  bool zero = false, readOnly = false, alwaysIn = false, alwaysOut = false, capture = false;
  std::string name;      ///< for messages: "a[0:n]"
  std::string variable;  ///< the variable at its root, "this" included
  std::string linkName;  ///< of declare at file scope: the variable's AccGlobal::linkName
  std::string address;   ///< host text: first byte, a pointer of any type
  std::string bytes;     ///< host text: size; "0" of Lookup and of what has no size
  /// Host text: size of an element, for findings (of the innermost level of sections over pointers); empty:
  /// what has no size.
  std::string elementBytes;
  /// Host text: the address of the pointer through which the section is reached, where that pointer lies in
  /// an object that may be on the device too (a member, an element); empty: it is a variable.
  std::string attachTo;
  /// Of sections over several levels of pointers (float** a; a[0:n][0:m]), the next level: first byte and
  /// size of the part of each element, host text in terms of hone_row, the element. Empty: none.
  std::string rowAddress, rowBytes;
  AccWhole whole;
  /// Host text: the variable, where this is a section of it, or of what it points to, that may begin behind
  /// the first element. Empty: other sections.
  std::string laterThan;
  ir::SourceLoc loc;
};

/// Whether host text for `other` may be the one for `all`, which then holds for both.
bool takeCommonText(std::vector<AccData>& all, const std::vector<AccData>& other);

enum class AccReductionOp : uint8_t { Add, Mul, Max, Min, BitAnd, BitOr, BitXor, And, Or };

struct AccReduction {
  AccReductionOp op = AccReductionOp::Add;
  ir::VarPtr var;  ///< as the body names it: a local, or AccCaptured::var
  ir::SourceLoc loc;
};

/// Of a pointer whose section is private or firstprivate: the memory that it leads to, in elements of what it
/// points to.
struct AccOwnSection {
  ir::VarPtr count;  ///< elements, HostTrips
  ir::VarPtr lower;  ///< the first one's index, HostTrips; null: 0
  ir::VarPtr first;  ///< HostCopy, what the section has at first; null: nothing
};

/// A `loop` directive, or what a combined construct says of its loop. Clauses for other devices (device_type)
/// are left out.
struct AccLoop {
  bool isSeq = false, isAuto = false,
       isIndependent = false;                         ///< as written; none: the construct's default holds
  bool gang = false, worker = false, vector = false;  ///< as written
  ir::ExprPtr gangNum, gangStatic, workerNum, vectorLength;  ///< arguments; null: none
  bool gangStaticIsStar = false;
  unsigned gangDim = 0;  ///< gang(dim:), 0: not given
  unsigned collapse = 1;
  bool collapseForce = false;
  std::vector<int64_t> tile;  ///< sizes, 0 for `*`; empty: no tile
  std::vector<ir::VarPtr> privates;
  /// Of privates that are pointers to sections of their own.
  std::vector<std::pair<ir::VarPtr, AccOwnSection>> ownSections;
  std::vector<AccReduction> reductions;
  bool isImplicit = false;  ///< no directive: a loop of `kernels` or of a routine that the compiler may map
  /// Host text of the number of iterations (long long), where what it depends on is known before the region
  /// begins; empty: it is not. Of collapsed loops the first's.
  std::string hostTrips;
  /// Likewise of the loops behind the first that collapse and tile take in, where all of them are known and
  /// none hangs on the counters of the others; else empty.
  std::vector<std::string> innerTrips;
  ir::SourceLoc loc;
};

enum class AccAtomicKind : uint8_t { Read, Write, Update, Capture };

/// What directives inside of a region say of statements of its body.
struct AccNotes {
  std::unordered_map<const ir::Stmt*, AccLoop> loops;  ///< of ir::For
  std::unordered_map<const ir::Stmt*, AccAtomicKind>
      atomics;  ///< of the ir::Block that holds the statement or the two
  /// Statements that were remarked upon and are in no body any more: their addresses must not come again.
  std::vector<ir::StmtPtr> kept;
};

/// How a region's body sees a variable of the host.
enum class AccSeen : uint8_t {
  Value,    ///< `var` is a parameter with the host's value, each gang's own: firstprivate
  Object,   ///< `var` is a parameter: the address of the object on the device (scalars, structs, arrays as a
            ///< whole)
  Pointer,  ///< `var` is a parameter: the pointer's value, moved to where the device has what it points to
  Private,  ///< `var` is a local of the region without a value, each gang's own
  HostTrips,  ///< `var` is a parameter with a number that only hosts can work out (extents of variable-length
              ///< arrays): `host` is its value
  HostCopy  ///< `var` is a parameter: a copy on the device, made for this region, of `count` elements of the
            ///< host's memory at `host`
};

struct AccCaptured {
  std::string name;
  AccSeen seen = AccSeen::Value;
  ir::VarPtr var;
  std::string host;  ///< host text of its address ("&n", "(void *[]){this}"); of HostTrips of its value;
                     ///< empty of Private
  int data = -1;     ///< of Object and Pointer: number in AccRegion::data of what gives its device address
  ir::SourceLoc loc;
  int count = -1;  ///< of HostCopy: number in AccRegion::captured of how many elements there are
  /// Of Private pointers whose clause names a section.
  std::optional<AccOwnSection> section = {};
  /// Of Object: it may be what another variable is or leads to, or a part of that (a reference, say).
  bool mayLieInOther = false;
};

enum class AccConstruct : uint8_t { Parallel, Kernels, Serial };

struct AccWait {
  bool isGiven = false;
  std::optional<AccValue> device;
  std::vector<AccValue> queues;  ///< none: all
};

struct AccAsync {
  bool isGiven = false;
  std::optional<AccValue> queue;  ///< none: acc_async_noval
};

/// A place in a file to be edited: byte offsets.
struct AccPlace {
  std::string file;
  unsigned begin = 0;  ///< of the statement or block that the directive applies to; of directives without
                       ///< one, behind the line break that ends them (their lines are replaced by calls)
  unsigned end = 0;    ///< behind it; the same as begin where there is none
};

/// Memory of the host that a region has copies of, so that it is as before behind it, also where the host
/// runs the region: host text.
struct AccKept {
  std::string address, bytes;
  bool operator==(const AccKept&) const = default;
};

/// A compute construct or the combined form of one.
struct AccRegion {
  AccConstruct construct = AccConstruct::Parallel;
  bool isCombined = false;  ///< with `loop`
  std::string name;         ///< an identifier: function and ordinal, "saxpy_1"
  std::string function;     ///< as messages name it
  /// Of a region in a template: what __PRETTY_FUNCTION__ is there in this instantiation. The regions of all
  /// instantiations have one place, and host text that holds in the template. Empty: it is in no template.
  std::string instance;
  ir::SourceLoc loc;  ///< of the directive
  AccPlace place;
  ir::StmtPtr body;  ///< a Block
  std::vector<AccCaptured> captured;
  std::vector<AccData> data;  ///< the runtime enters what clauses name before what is implied
  std::vector<AccReduction> reductions;
  std::vector<AccKept> kept;
  std::optional<AccValue> numGangs[3], numWorkers, vectorLength, condition;
  bool isSelf = false;             ///< `self` without a condition
  std::optional<AccValue> selfIf;  ///< with one
  AccAsync async;
  AccWait wait;
  /// Why it cannot run on the device; it runs on the host then, with a note. Empty: it can.
  std::string reason;
  ir::SourceLoc reasonLoc;
};

enum class AccDirectiveKind : uint8_t {
  Data,
  EnterData,
  ExitData,
  HostData,
  Update,
  Wait,
  Init,
  Shutdown,
  Set,
  Declare
};

struct AccDirective {
  AccDirectiveKind kind = AccDirectiveKind::Data;
  std::string function;
  ir::SourceLoc loc;
  /// Data, HostData: the block. Declare in a function: from behind the directive's line to the end of the
  /// block around it.
  AccPlace place;
  std::vector<AccData> data;
  std::optional<AccValue> condition;
  AccAsync async;
  AccWait wait;
  bool finalize = false, ifPresent = false, isGlobal = false;  ///< isGlobal: Declare at file scope
  std::optional<AccValue> deviceType, deviceNum,
      defaultAsync;  ///< deviceType: the acc_device_… constant's text
};

enum class AccLevel : uint8_t { Seq, Vector, Worker, Gang };

struct AccRoutine {
  AccLevel level = AccLevel::Seq;
  unsigned gangDim = 1;  ///< of routine gang: the highest dimension whose gangs its loops are shared out over
  bool noHost = false;
  std::string bind;
  std::string refused;  ///< why its loops could not be shared out: who calls it runs on the host
};

/// A variable at file scope that device code names, or that a declare directive gives a copy on the device.
struct AccGlobal {
  ir::VarPtr var;         ///< the module's; null: no device code names it
  bool isStatic = false;  ///< other files cannot name it
  AccDataKind kind = AccDataKind::Create;
  std::string name;      ///< with its namespaces and classes
  std::string linkName;  ///< as the compiler mangles it: no other variable of the file has it
  std::string address;   ///< host text
  std::string bytes;     ///< host text
  ir::SourceLoc loc;
};

/// An error that the user has to mend, or a remark.
struct AccMessage {
  ir::SourceLoc loc;
  std::string text;
  bool isError = false;
};

struct AccUnit {
  std::string path;
  bool isCpp = false;
  bool parsed = false;
  std::string failure;              ///< when not parsed
  std::string renderedDiagnostics;  ///< Clang's errors and warnings
  bool hasErrors = false;
  ir::Module module;               ///< functions, globals, records that bodies use; no kernels
  AccNotes notes;                  ///< for the bodies of regions and of functions
  std::vector<AccRegion> regions;  ///< in source order
  std::vector<AccDirective> directives;
  std::map<const ir::Function*, AccRoutine> routines;
  std::vector<AccGlobal> globals;
  std::vector<AccMessage> messages;
  /// Constructs come out of macros or headers of the user, so that there is no text to edit: whoever asked
  /// preprocesses the file and asks again with that text as `contents`. Locations are those of line markers
  /// then, places bytes of that text.
  bool needsPreprocessing = false;
};

/// Parses a C or C++ file with OpenACC and imports its constructs; never throws for what the input does.
AccUnit importAcc(const SourceRequest& request);

}  // namespace hone::frontend
