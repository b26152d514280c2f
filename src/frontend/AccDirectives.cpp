// Directives of the host: data, enter data, exit data, host_data, update, wait, init, shutdown, set.
#include "clang/AST/ASTContext.h"
#include "frontend/AccReader.h"
#include "frontend/AccWalk.h"

namespace hone::frontend {

using namespace clang;

namespace {

std::optional<AccDirectiveKind> directiveKindOf(OpenACCDirectiveKind kind) {
  switch (kind) {
    case OpenACCDirectiveKind::Data: return AccDirectiveKind::Data;
    case OpenACCDirectiveKind::EnterData: return AccDirectiveKind::EnterData;
    case OpenACCDirectiveKind::ExitData: return AccDirectiveKind::ExitData;
    case OpenACCDirectiveKind::HostData: return AccDirectiveKind::HostData;
    case OpenACCDirectiveKind::Update: return AccDirectiveKind::Update;
    case OpenACCDirectiveKind::Wait: return AccDirectiveKind::Wait;
    case OpenACCDirectiveKind::Init: return AccDirectiveKind::Init;
    case OpenACCDirectiveKind::Shutdown: return AccDirectiveKind::Shutdown;
    case OpenACCDirectiveKind::Set: return AccDirectiveKind::Set;
    default: return std::nullopt;
  }
}

/// As numbers of acc_device_t, which a file need not have included openacc.h for.
int64_t deviceNumber(const OpenACCDeviceTypeClause& clause) {
  constexpr int64_t anyDevice = 1, host = 2, nvidia = 5, radeon = 6;
  if (clause.hasAsterisk() || clause.getArchitectures().empty()) return anyDevice;
  const llvm::StringRef name = clause.getArchitectures()[0].getIdentifierInfo()->getName();
  if (name == "host" || name == "multicore") return host;
  if (name == "radeon") return radeon;
  return name == "default" ? anyDevice : nvidia;
}

}  // namespace

// In the block another variable of the same name has the device's address, which a qualified name passes by.
void AccReader::checkUsed(const OpenACCConstructStmt& construct) {
  std::set<const ValueDecl*> used;
  for (const OpenACCClause* clause : construct.clauses())
    if (const auto* one = dyn_cast<OpenACCUseDeviceClause>(clause))
      for (const Expr* e : one->getVarList()) used.insert(rootOf(*e));
  forEachStatement(statementOf(construct), [&](const Stmt& s) {
    const auto* name = dyn_cast<DeclRefExpr>(&s);
    const auto* member = dyn_cast<MemberExpr>(&s);
    const ValueDecl* passed = name && name->hasQualifier() ? name->getDecl() : nullptr;
    if (member && isa<VarDecl>(member->getMemberDecl())) passed = member->getMemberDecl();
    if (passed && used.contains(passed))
      error(s.getBeginLoc(),
            "'" + writtenText(cast<Expr>(s)) +
                "' has the host's address in a block of host_data; name the variable without "
                "its namespace or class there, or use_device a pointer of its own");
  });
}

std::optional<AccDirective> AccReader::directive(const OpenACCConstructStmt& construct) {
  const std::optional<AccDirectiveKind> kind = directiveKindOf(construct.getDirectiveKind());
  if (!kind) return std::nullopt;
  AccDirective made;
  made.kind = *kind;
  made.loc = unit.loc(construct.getBeginLoc());
  const std::optional<AccPlace> where = place(construct);
  if (!where) throw Refusal{"the directive comes out of a macro or a header", made.loc};
  made.place = *where;
  // There device_type says which device is meant, it does not choose among clauses.
  const bool isOfDevices = *kind == AccDirectiveKind::Init || *kind == AccDirectiveKind::Shutdown ||
                           *kind == AccDirectiveKind::Set;
  const llvm::ArrayRef<const OpenACCClause*> written = construct.clauses();
  const std::vector<const OpenACCClause*> clauses =
      isOfDevices ? std::vector<const OpenACCClause*>(written.begin(), written.end()) : chosen(written);
  for (AccOperand& one : data(clauses, *kind == AccDirectiveKind::ExitData))
    made.data.push_back(std::move(one.data));
  if (*kind == AccDirectiveKind::HostData) checkUsed(construct);
  made.condition = condition(clauses);
  made.async = async(clauses);
  made.wait = wait(clauses);
  if (const auto* wait = dyn_cast<OpenACCWaitConstruct>(&construct))
    made.wait = waitOf(wait->getDevNumExpr(), wait->getQueueIdExprs());
  for (const OpenACCClause* one : clauses) {
    switch (one->getClauseKind()) {
      case OpenACCClauseKind::Finalize: made.finalize = true; break;
      case OpenACCClauseKind::IfPresent: made.ifPresent = true; break;
      case OpenACCClauseKind::DeviceNum:
        made.deviceNum = value(*cast<OpenACCDeviceNumClause>(one)->getIntExpr());
        break;
      case OpenACCClauseKind::DefaultAsync:
        made.defaultAsync = value(*cast<OpenACCDefaultAsyncClause>(one)->getIntExpr());
        break;
      case OpenACCClauseKind::DeviceType:
      case OpenACCClauseKind::DType: {
        const int64_t number = deviceNumber(*cast<OpenACCDeviceTypeClause>(one));
        made.deviceType = AccValue{std::to_string(number), number};
        break;
      }
      default: break;
    }
  }
  return made;
}

}  // namespace hone::frontend
