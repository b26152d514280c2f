// What OpenACC 3.3 forbids and Clang lets pass: where directives may stand, ways out of blocks, levels of
// parallelism.
#include "frontend/AccLegality.h"

#include <map>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/AccText.h"
#include "frontend/AccWalk.h"

namespace hone::frontend {

using namespace clang;

namespace {

std::string nameOf(OpenACCDirectiveKind kind) {
  std::string name;
  llvm::raw_string_ostream text(name);
  llvm::raw_ostream& stream = text;
  printOpenACCDirectiveKind(stream, kind);
  return name;
}

const char* nameOf(AccLevel level) {
  switch (level) {
    case AccLevel::Seq: return "seq";
    case AccLevel::Vector: return "vector";
    case AccLevel::Worker: return "worker";
    case AccLevel::Gang: return "gang";
  }
  return "";
}

bool isCompute(OpenACCDirectiveKind kind) {
  return isOpenACCComputeDirectiveKind(kind) || isOpenACCCombinedDirectiveKind(kind);
}

/// Walks over one function's body.
class PlacementChecker {
 public:
  PlacementChecker(AccReader& with, const UnitImporter& of, const AccReport& to)
      : reader(with), unit(of), report(to) {}

  void function(const FunctionDecl& fn) {
    Context context;
    if (const std::optional<AccRoutine> routine = reader.routine(fn)) {
      context.routine = routine->level;
      context.routineDim = routine->gangDim;
      context.isRoutine = true;
    }
    statement(fn.getBody(), context);
  }

 private:
  struct Context {
    bool isRoutine = false;
    AccLevel routine = AccLevel::Seq;
    unsigned routineDim = 1;
    const OpenACCConstructStmt* compute = nullptr;  ///< around the statement
    const OpenACCConstructStmt* data = nullptr;     ///< data or host_data, in the same function
    bool leavesLoop = false;                        ///< break would leave `data`
    bool leavesRound = false;                       ///< continue would
    bool isBody = false;                            ///< the statement is all that a condition or loop has
    bool isInLoop = false;
    /// Levels of the loops around, in the compute construct or the routine.
    bool worker = false, vector = false;
    unsigned gangDim = 0;  ///< the lowest one of the gang loops around; 0: there is none
  };

  void statement(const Stmt* s, Context context) {
    if (!s) return;
    const bool isBody = std::exchange(context.isBody, false);
    if (const auto* construct = dyn_cast<OpenACCConstructStmt>(s))
      return directive(*construct, context, isBody);
    if (const auto* lambda = dyn_cast<LambdaExpr>(s)) {
      context.data = nullptr;
      return statement(lambda->getBody(), context);
    }
    if (const auto* call = dyn_cast<CallExpr>(s)) checkCall(*call, context);
    if (context.data) checkExit(*s, context);
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(s)) {
      context.leavesLoop = context.leavesRound = false;
      context.isInLoop = true;
    }
    if (isa<SwitchStmt>(s)) context.leavesLoop = false;
    for (const Stmt* child : s->children()) {
      context.isBody = isAlone(s, child);
      statement(child, context);
    }
  }

  /// Whether `child` is a statement that stands in place of a block of `s`.
  static bool isAlone(const Stmt* s, const Stmt* child) {
    if (const auto* one = dyn_cast<IfStmt>(s)) return child == one->getThen() || child == one->getElse();
    if (const auto* one = dyn_cast<ForStmt>(s)) return child == one->getBody();
    if (const auto* one = dyn_cast<WhileStmt>(s)) return child == one->getBody();
    if (const auto* one = dyn_cast<DoStmt>(s)) return child == one->getBody();
    if (const auto* one = dyn_cast<SwitchStmt>(s)) return child == one->getBody();
    if (const auto* one = dyn_cast<CXXForRangeStmt>(s)) return child == one->getBody();
    return false;
  }

  void directive(const OpenACCConstructStmt& construct, Context context, bool isBody) {
    const OpenACCDirectiveKind kind = construct.getDirectiveKind();
    const SourceLocation at = construct.getBeginLoc();
    const Stmt* inner = statementOf(construct);
    checkClauses(reader, unit, construct, report);
    // Clang reports update itself.
    if (isBody && !inner && kind != OpenACCDirectiveKind::Update && kind != OpenACCDirectiveKind::Cache)
      report(at, "'" + nameOf(kind) +
                     "' may not be all that an if, a loop or a switch has; put braces around it");
    if (kind == OpenACCDirectiveKind::Cache && !context.isInLoop) report(at, "'cache' stands in no loop");
    if (const auto* atomic = dyn_cast<OpenACCAtomicConstruct>(&construct)) checkAtomic(unit, *atomic, report);
    if (context.compute && isOfHost(kind))
      report(at, "'" + nameOf(kind) + "' may not stand in a compute construct; put it in front or behind");
    if (kind == OpenACCDirectiveKind::Data || kind == OpenACCDirectiveKind::HostData) {
      context.data = &construct;
      context.leavesLoop = context.leavesRound = true;
      labels.clear();
      forEachStatement(inner, [&](const Stmt& s) {
        if (const auto* label = dyn_cast<LabelStmt>(&s)) labels.insert(label->getDecl());
      });
    }
    if (isCompute(kind)) {
      context.compute = &construct;
      context.worker = context.vector = false;
      context.gangDim = 0;
      context.data = nullptr;  // Clang looks after the ways out of compute constructs
    }
    if (isOpenACCCombinedDirectiveKind(kind) || kind == OpenACCDirectiveKind::Loop) {
      checkLoops(reader, unit, construct, report);
      loopLevels(construct, context);
    }
    statement(inner, context);
  }

  static bool isOfHost(OpenACCDirectiveKind kind) {
    switch (kind) {
      case OpenACCDirectiveKind::Data:
      case OpenACCDirectiveKind::EnterData:
      case OpenACCDirectiveKind::ExitData:
      case OpenACCDirectiveKind::HostData:
      case OpenACCDirectiveKind::Init:
      case OpenACCDirectiveKind::Shutdown:
      case OpenACCDirectiveKind::Set:
      case OpenACCDirectiveKind::Update:
      case OpenACCDirectiveKind::Wait: return true;
      default: return false;
    }
  }

  void loopLevels(const OpenACCConstructStmt& construct, Context& context) {
    bool gang = false, worker = false, vector = false;
    unsigned dim = 1;
    for (const OpenACCClause* one : reader.chosen(construct.clauses())) {
      gang |= isa<OpenACCGangClause>(one);
      if (const auto* clause = dyn_cast<OpenACCGangClause>(one)) dim = dimOf(*clause);
      worker |= isa<OpenACCWorkerClause>(one);
      vector |= isa<OpenACCVectorClause>(one);
      if (const auto* reduction = dyn_cast<OpenACCReductionClause>(one);
          reduction && !context.compute && context.isRoutine && hasGang(construct))
        report(reduction->getBeginLoc(),
               "a gang loop of a routine may not have a reduction; do it where the routine is called");
    }
    if (!context.compute && context.isRoutine) {
      const AccLevel most = gang     ? AccLevel::Gang
                            : worker ? AccLevel::Worker
                            : vector ? AccLevel::Vector
                                     : AccLevel::Seq;
      if (most > context.routine)
        report(construct.getBeginLoc(), std::string("a ") + nameOf(most) + " loop in a 'routine " +
                                            nameOf(context.routine) + "'; the routine has to say '" +
                                            nameOf(most) + "'");
      if (gang && context.routine == AccLevel::Gang && dim > context.routineDim)
        report(construct.getBeginLoc(),
               "a gang loop of dimension " + std::to_string(dim) + " in a 'routine gang' of dimension " +
                   std::to_string(context.routineDim) +
                   "; the routine has to say 'gang(dim:" + std::to_string(dim) + ")'");
    }
    if (gang && context.gangDim && dim > context.gangDim)
      report(construct.getBeginLoc(), "a gang loop of dimension " + std::to_string(dim) +
                                          " stands in one of dimension " + std::to_string(context.gangDim) +
                                          "; higher dimensions stand outside of lower ones");
    if (gang) context.gangDim = context.gangDim ? std::min(dim, context.gangDim) : dim;
    context.worker |= worker;
    context.vector |= vector;
  }

  unsigned dimOf(const OpenACCGangClause& gang) const {
    for (unsigned i = 0; i < gang.getNumExprs(); ++i) {
      const auto [kind, e] = gang.getExpr(i);
      Expr::EvalResult value;
      if (kind == OpenACCGangKind::Dim && !e->isValueDependent() && e->EvaluateAsInt(value, unit.ast))
        return unsigned(value.Val.getInt().getZExtValue());
    }
    return 1;
  }

  bool hasGang(const OpenACCConstructStmt& construct) const {
    for (const OpenACCClause* one : reader.chosen(construct.clauses()))
      if (isa<OpenACCGangClause>(one)) return true;
    return false;
  }

  void checkCall(const CallExpr& call, const Context& context) {
    if (!context.compute && !context.isRoutine) return;
    const FunctionDecl* callee = call.getDirectCallee();
    const std::optional<AccRoutine> called = callee ? reader.routine(*callee) : std::nullopt;
    if (!called) return;
    const std::string name =
        "'" + callee->getNameAsString() + "', a 'routine " + nameOf(called->level) + "', ";
    if (!context.compute && called->level > context.routine)
      return report(call.getBeginLoc(), name + "is called from a 'routine " + nameOf(context.routine) + "'");
    if (!context.compute && called->level == AccLevel::Gang && called->gangDim > context.routineDim)
      return report(call.getBeginLoc(), name + "of dimension " + std::to_string(called->gangDim) +
                                            " is called from one of dimension " +
                                            std::to_string(context.routineDim));
    const bool takesGangs =
        called->level >= AccLevel::Gang && context.gangDim && context.gangDim <= called->gangDim;
    const char* around = context.vector && called->level >= AccLevel::Vector   ? "vector"
                         : context.worker && called->level >= AccLevel::Worker ? "worker"
                         : takesGangs                                          ? "gang"
                                                                               : nullptr;
    if (around)
      report(call.getBeginLoc(),
             name + "is called in a " + around + " loop, which leaves no such parallelism to it");
  }

  void checkExit(const Stmt& s, const Context& context) {
    const char* what = isa<ReturnStmt, CoreturnStmt>(&s)                 ? "return"
                       : isa<BreakStmt>(&s) && context.leavesLoop        ? "break"
                       : isa<ContinueStmt>(&s) && context.leavesRound    ? "continue"
                       : isa<GotoStmt>(&s) && leaves(cast<GotoStmt>(&s)) ? "goto"
                       : isa<IndirectGotoStmt>(&s)                       ? "goto"
                                                                         : nullptr;
    if (what)
      report(s.getBeginLoc(), std::string("'") + what + "' leaves the block of '" +
                                  nameOf(context.data->getDirectiveKind()) +
                                  "', which has to be left at its end");
  }

  bool leaves(const GotoStmt* jump) const { return !labels.contains(jump->getLabel()); }

  AccReader& reader;
  const UnitImporter& unit;
  const AccReport& report;
  std::set<const LabelDecl*> labels;  ///< in the innermost data construct
};

/// Jumps from outside of data constructs to labels in them.
void checkEntries(const FunctionDecl& fn, const AccReport& report) {
  std::map<const LabelDecl*, const Stmt*> inside;
  std::map<const Stmt*, std::set<const Stmt*>> jumps;
  forEachStatement(fn.getBody(), [&](const Stmt& s) {
    const auto* construct = dyn_cast<OpenACCConstructStmt>(&s);
    if (!construct || !isa<OpenACCDataConstruct, OpenACCHostDataConstruct>(construct)) return;
    forEachStatement(statementOf(*construct), [&](const Stmt& one) {
      if (const auto* label = dyn_cast<LabelStmt>(&one)) inside[label->getDecl()] = &s;
      if (isa<GotoStmt>(&one)) jumps[&s].insert(&one);
    });
  });
  if (inside.empty()) return;
  forEachStatement(fn.getBody(), [&](const Stmt& s) {
    const auto* jump = dyn_cast<GotoStmt>(&s);
    if (!jump) return;
    const auto found = inside.find(jump->getLabel());
    if (found != inside.end() && !jumps[found->second].contains(jump))
      report(jump->getBeginLoc(), "'goto' jumps into the block of a data construct");
  });
}

}  // namespace

void AccReader::check(const FunctionDecl& function) {
  if (!function.doesThisDeclarationHaveABody()) return;
  const AccReport report = [this](SourceLocation at, std::string text) { error(at, std::move(text)); };
  PlacementChecker(*this, unit, report).function(function);
  checkRoutine(function);
  checkEntries(function, report);
}

}  // namespace hone::frontend
