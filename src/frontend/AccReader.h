// Clang's OpenACC clauses and directives into the types of AccUnit.h. Internal to src/frontend: whoever
// imports the bodies of constructs asks this for all that stands in their pragmas.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/DeclOpenACC.h"
#include "clang/AST/OpenACCClause.h"
#include "clang/AST/StmtOpenACC.h"
#include "frontend/AccUnit.h"
#include "frontend/Importer.h"

namespace hone::frontend {

/// Where the memory of a data clause's operand lies, seen from the variable at its root.
enum class AccReach : uint8_t {
  Object,   ///< in the variable itself: x, array[0:n], s.f, s.array[2]
  Pointer,  ///< where the variable (or `this`) points to: p[0:n], p->f, this[0:1]
  Deeper    ///< behind a pointer that lies in an object: s.p[0:n], p->q[0:n], rows[i][0:n]; has attachTo
};

/// An operand of a data clause.
struct AccOperand {
  AccData data;
  const clang::ValueDecl* root = nullptr;  ///< variable; null: `this`
  AccReach reach = AccReach::Object;
  /// The whole variable, or a whole member (`s.f`, `this->f`), not a section or element of it.
  bool isWhole = true;
  unsigned pointers = 0;  ///< followed on the way to it
  /// Of a part of the variable (Object), or of what it points to (Pointer): which one, from the outermost on.
  std::vector<const clang::FieldDecl*> members;
  /// It may be more memory than the section: a dimension behind the first is not known to be whole.
  bool hasGaps = false;
  const clang::Expr* written = nullptr;
  /// A member, whose place on the device is that in its object.
  bool isPlacedMember() const { return !members.empty() && !data.whole.address.empty(); }
};

/// An operand of private, firstprivate or reduction.
struct AccListed {
  const clang::ValueDecl* var = nullptr;  ///< null: `this`
  const clang::Expr* written = nullptr;
  bool isWhole = true;  ///< the variable itself; else a member, an element or a section of it
  ir::SourceLoc loc;
};

struct AccListedReduction {
  AccReductionOp op = AccReductionOp::Add;
  AccListed of;
};

/// A variable of a reduction that Clang does not take.
struct AccUnread {
  std::string name;
  const char* why;
};

/// What a `loop` directive says, or a combined construct of its loop; AccLoop without IR.
struct AccLoopClauses {
  bool isSeq = false, isAuto = false, isIndependent = false;
  bool gang = false, worker = false, vector = false;
  const clang::Expr* gangNum = nullptr;
  const clang::Expr* gangStatic = nullptr;
  const clang::Expr* workerNum = nullptr;
  const clang::Expr* vectorLength = nullptr;
  bool gangStaticIsStar = false;
  unsigned gangDim = 0;
  unsigned collapse = 1;
  bool collapseForce = false;
  std::vector<int64_t> tile;  ///< 0 for `*`
  std::vector<AccListed> privates;
  std::vector<AccListedReduction> reductions;
  /// As written: variables of reductions that Clang leaves out, so that the region has to run on the host.
  std::vector<AccUnread> unread;
  ir::SourceLoc loc;
};

enum class AccDefault : uint8_t { NotGiven, None, Present };

/// What a compute construct says, the combined forms too: private and reduction of these are the loop's
/// alone.
struct AccComputeClauses {
  AccConstruct construct = AccConstruct::Parallel;
  bool isCombined = false;
  AccLoopClauses loop;  ///< of a combined construct; `unread` of every one
  std::vector<AccOperand> data;
  std::vector<AccListed> privates, firstPrivates;
  std::vector<AccListedReduction> reductions;
  std::optional<AccValue> numGangs[3], numWorkers, vectorLength, condition;
  bool isSelf = false;
  std::optional<AccValue> selfIf;
  AccAsync async;
  AccWait wait;
  AccDefault defaultClause = AccDefault::NotGiven;
  ir::SourceLoc loc;
};

/// Reads the pragmas of one file. Everything that takes a construct throws Refusal where it cannot be put
/// into host text or is not built; what OpenACC forbids goes to `messages`.
class AccReader {
 public:
  AccReader(UnitImporter& importer, std::vector<AccMessage>& into);

  // AccValues.cpp
  AccValue value(const clang::Expr& e);
  /// The expression as written, on one line and without comments.
  std::string writtenText(const clang::Expr& e) const;
  /// The same, in parentheses where it is no primary expression.
  std::string hostText(const clang::Expr& e);
  /// What names a variable where a construct stands, whatever else is visible under its name there or in the
  /// body, where `written` (or null) names it.
  std::string hostName(const clang::VarDecl& var, const clang::Expr* written) const;
  /// Whether writing it twice may differ from writing it once.
  bool hasSideEffects(const clang::Expr& e) const;

  // AccSections.cpp
  AccOperand operand(AccDataKind kind, const clang::Expr& e);
  /// The variable at the root of an operand; null: `this`.
  const clang::ValueDecl* rootOf(const clang::Expr& e) const;

  // AccClauses.cpp
  /// Without the clauses for other devices: those behind device_type(nvidia) if there is one, else behind
  /// device_type(*), and of those before any device_type the ones whose kind is not among them.
  std::vector<const clang::OpenACCClause*> chosen(llvm::ArrayRef<const clang::OpenACCClause*> clauses) const;
  /// Operands of all data clauses: objects before what they point to (exit data: behind).
  std::vector<AccOperand> data(llvm::ArrayRef<const clang::OpenACCClause*> clauses, bool isExit = false);
  AccAsync async(llvm::ArrayRef<const clang::OpenACCClause*> clauses);
  AccWait wait(llvm::ArrayRef<const clang::OpenACCClause*> clauses);
  std::optional<AccValue> condition(llvm::ArrayRef<const clang::OpenACCClause*> clauses);
  AccLoopClauses loop(const clang::OpenACCLoopConstruct& construct);
  AccComputeClauses compute(const clang::OpenACCConstructStmt& construct);  ///< compute or combined

  // AccDirectives.cpp
  /// data, enter data, exit data, host_data, update, wait, init, shutdown, set; nothing for other constructs.
  /// `function` is left to the caller.
  std::optional<AccDirective> directive(const clang::OpenACCConstructStmt& construct);

  // AccDeclare.cpp
  /// `around`: the block that a declare directive stands in; null: at file scope.
  AccDirective declare(const clang::OpenACCDeclareDecl& decl, const clang::CompoundStmt* around);
  /// Variables with static storage that a declare directive of the file names, by their first declaration.
  const std::map<const clang::VarDecl*, AccDataKind>& declared();
  /// What routine directives say of the function, in front of any of its declarations or by its name.
  std::optional<AccRoutine> routine(const clang::FunctionDecl& function);

  // AccPlaces.cpp
  /// Where host text for the construct goes. Nothing: it comes out of a macro or does not stand in the main
  /// file, so that the file has to be preprocessed first. Where a construct's statement begins with a pragma
  /// of its own, its place begins behind that, at the same byte as the inner construct's: of texts put in at
  /// one byte the outer construct's begin stands first and its end last.
  std::optional<AccPlace> place(const clang::OpenACCConstructStmt& construct);
  /// The same of what is written, no instantiation: those lose parentheses and whole statements.
  std::optional<AccPlace> writtenPlace(const clang::OpenACCConstructStmt& construct) const;
  std::optional<AccPlace> place(const clang::OpenACCDeclareDecl& decl,
                                const clang::CompoundStmt* around) const;

  // AccLegality.cpp
  /// Reports what OpenACC 3.3 forbids in a function's body and Clang lets pass; once for each place.
  void check(const clang::FunctionDecl& function);

 private:
  void error(clang::SourceLocation at, std::string text) { say(at, std::move(text), true); }
  void remark(clang::SourceLocation at, std::string text) { say(at, std::move(text), false); }
  void say(clang::SourceLocation at, std::string text, bool isError);
  std::vector<AccUnread> unread(const clang::OpenACCConstructStmt& construct) const;
  void wholeOperand(AccOperand& made, const clang::Expr& e);
  void memberOf(AccOperand& made, const clang::Expr& e);
  void checkRoutine(const clang::FunctionDecl& function);
  AccRoutine routineOf(llvm::ArrayRef<const clang::OpenACCClause*> clauses) const;
  void attachment(AccOperand& made, const clang::Expr& pointer);
  /// Whether some directive of the file brings this pointer to the device, not only what it points to.
  bool namesPointer(const clang::VarDecl& var);
  void lookAtFile();
  AccListed listed(const clang::Expr& e);
  void reductions(const clang::OpenACCReductionClause& clause, std::vector<AccListedReduction>& to);
  void loopClauses(llvm::ArrayRef<const clang::OpenACCClause*> clauses, AccLoopClauses& to);
  AccValue truth(const clang::Expr& e);
  void checkUsed(const clang::OpenACCConstructStmt& construct);
  AccWait waitOf(const clang::Expr* device, llvm::ArrayRef<clang::Expr*> queues);
  bool isPragma(clang::SourceLocation at) const;
  std::optional<unsigned> behindPragma(clang::SourceLocation begin) const;
  std::optional<unsigned> behindStatement(const clang::Stmt& s) const;
  std::optional<unsigned> beginOfStatement(const clang::Stmt& s) const;

  UnitImporter& unit;
  std::vector<AccMessage>& messages;
  bool hasLooked = false;
  std::set<const clang::VarDecl*> pointersNamed;
  std::map<const clang::VarDecl*, AccDataKind> declaredVariables;
  std::map<const clang::FunctionDecl*, std::vector<const clang::OpenACCRoutineDecl*>> routinesByName;
  std::map<unsigned, const clang::OpenACCConstructStmt*> writtenConstructs;  ///< by where they begin
};

/// Fields on the way from a variable, or from what it points to, to a place in it.
struct AccMembers {
  const clang::Expr* object = nullptr;  ///< that has the first of them; a pointer to it where it is followed
  bool isBehindPointer = false;
  std::vector<const clang::FieldDecl*> fields;
};
AccMembers membersOf(const clang::Expr& e);

/// Whether constructs of the file, or operands of them, come out of macros or of headers of the user: hone
/// then reads the preprocessed file.
bool needsPreprocessing(const UnitImporter& unit, const clang::Decl& decl);

}  // namespace hone::frontend
