// Clauses of one construct that do not go together, and numbers that are out of range.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "frontend/AccKinds.h"
#include "frontend/AccLegality.h"
#include "frontend/AccText.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {

using namespace clang;

namespace {

std::string nameOf(OpenACCClauseKind kind) {
  std::string name;
  llvm::raw_string_ostream text(name);
  llvm::raw_ostream& stream = text;
  printOpenACCClauseKind(stream, kind);
  return name;
}

/// Where a variable or a member of one is named.
struct Naming {
  const OpenACCClause* clause = nullptr;
  const Expr* written = nullptr;
  const ValueDecl* root = nullptr;
  bool isVariable = false;  ///< the variable itself
  std::string text;
};

class ClauseChecker {
 public:
  ClauseChecker(AccReader& with, const UnitImporter& of, const OpenACCConstructStmt& which,
                const AccReport& to)
      : reader(with), unit(of), construct(which), clauses(with.chosen(which.clauses())), report(to) {}

  void check() {
    for (const OpenACCClause* one : clauses) numbers(*one);
    if (const auto* wait = dyn_cast<OpenACCWaitConstruct>(&construct))
      for (const Expr* queue : wait->getQueueIdExprs()) isQueue(queue, "wait");
    variables();
  }

 private:
  std::optional<int64_t> constant(const Expr* e) const {
    if (!e || e->isValueDependent() || e->isTypeDependent() || isa<OpenACCAsteriskSizeExpr>(plain(e)))
      return std::nullopt;
    return constantInt(*e, unit.ast);
  }

  void isPositive(const Expr* e, const std::string& clause) {
    const std::optional<int64_t> n = constant(e);
    if (n && *n <= 0)
      report(e->getBeginLoc(), "'" + clause + "' of " + std::to_string(*n) + "; it has to be at least 1");
  }

  // acc_async_noval, acc_async_sync and acc_async_default are -1 to -3.
  void isQueue(const Expr* e, const std::string& clause) {
    const std::optional<int64_t> n = constant(e);
    if (n && *n < -3)
      report(e->getBeginLoc(), "'" + clause + "' of " + std::to_string(*n) +
                                   "; queues are 0 and above, or one of the acc_async_ constants");
  }

  void numbers(const OpenACCClause& clause) {
    const std::string name = nameOf(clause.getClauseKind());
    if (const auto* gangs = dyn_cast<OpenACCNumGangsClause>(&clause))
      for (const Expr* e : gangs->getIntExprs()) isPositive(e, name);
    if (const auto* one = dyn_cast<OpenACCClauseWithSingleIntExpr>(&clause)) {
      if (isa<OpenACCNumWorkersClause, OpenACCVectorLengthClause, OpenACCWorkerClause, OpenACCVectorClause>(
              one))
        isPositive(one->getIntExpr(), name);
      if (isa<OpenACCAsyncClause, OpenACCDefaultAsyncClause>(one)) isQueue(one->getIntExpr(), name);
    }
    if (const auto* gang = dyn_cast<OpenACCGangClause>(&clause))
      for (unsigned i = 0; i < gang->getNumExprs(); ++i)
        if (gang->getExpr(i).first != OpenACCGangKind::Dim) isPositive(gang->getExpr(i).second, name);
    if (const auto* wait = dyn_cast<OpenACCWaitClause>(&clause))
      for (const Expr* queue : wait->getQueueIdExprs()) isQueue(queue, name);
  }

  void variables() {
    std::vector<Naming> known;
    for (const OpenACCClause* clause : clauses) {
      for (const Expr* e : operandsOf(*clause)) {
        Naming one{clause, e, reader.rootOf(*e), isa<DeclRefExpr>(plain(e)), ""};
        try {
          one.text = reader.writtenText(*e);
        } catch (const Refusal&) {
          continue;  // reported by whoever reads the construct
        }
        for (const Naming& other : known) {
          if (!collide(one, other)) continue;
          const std::string here = nameOf(clause->getClauseKind()),
                            there = nameOf(other.clause->getClauseKind());
          report(e->getBeginLoc(), "'" + one.text + "' is named in '" + there + "' and in '" + here +
                                       "' of one directive; leave one of them out");
          break;
        }
        known.push_back(std::move(one));
      }
    }
  }

  bool collide(const Naming& a, const Naming& b) const {
    if (a.root != b.root || a.clause == b.clause) return false;
    const OpenACCClauseKind one = canonicalKind(a.clause->getClauseKind()),
                            other = canonicalKind(b.clause->getClauseKind());
    const auto is = [&](OpenACCClauseKind kind) { return one == kind || other == kind; };
    if (one == other) return one == OpenACCClauseKind::Reduction && a.text == b.text;
    const bool isReduction = is(OpenACCClauseKind::Reduction);
    const bool isPrivate = is(OpenACCClauseKind::Private) || is(OpenACCClauseKind::FirstPrivate);
    // Of a combined construct private and reduction are the loop's, the rest the compute construct's.
    const bool isCombined = isOpenACCCombinedDirectiveKind(construct.getDirectiveKind());
    if (isReduction) return is(OpenACCClauseKind::Private) && a.isVariable && b.isVariable;
    if (isPrivate) {
      const bool isOfLoop = is(OpenACCClauseKind::Private) && isCombined;
      return !isOfLoop && a.isVariable && b.isVariable;
    }
    // How data is brought is one clause's to say; attach, detach and use_device are about something else.
    // What copyin, copyout, copy and create say together is clear.
    if (isMovement(one) && isMovement(other)) return a.text == b.text && !(isPlain(one) && isPlain(other));
    return false;
  }

  static bool isPlain(OpenACCClauseKind kind) {
    return kind == OpenACCClauseKind::Copy || kind == OpenACCClauseKind::CopyIn ||
           kind == OpenACCClauseKind::CopyOut || kind == OpenACCClauseKind::Create;
  }

  static bool isMovement(OpenACCClauseKind kind) {
    const std::optional<AccDataKind> data = dataKindOf(kind);
    return data && *data != AccDataKind::Attach && *data != AccDataKind::Detach &&
           *data != AccDataKind::UseDevice;
  }

  AccReader& reader;
  const UnitImporter& unit;
  const OpenACCConstructStmt& construct;
  std::vector<const OpenACCClause*> clauses;
  const AccReport& report;
};

}  // namespace

void checkClauses(AccReader& reader, const UnitImporter& unit, const OpenACCConstructStmt& construct,
                  const AccReport& report) {
  ClauseChecker(reader, unit, construct, report).check();
}

}  // namespace hone::frontend
