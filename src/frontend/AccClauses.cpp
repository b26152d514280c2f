// Clauses: which count on hone's device, and what they say.
#include <algorithm>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/AccDiagnostics.h"
#include "frontend/AccFirstPrivate.h"
#include "frontend/AccKinds.h"
#include "frontend/AccReader.h"
#include "frontend/AccText.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {

using namespace clang;

OpenACCClauseKind canonicalKind(OpenACCClauseKind kind) {
  switch (kind) {
    case OpenACCClauseKind::PCopy:
    case OpenACCClauseKind::PresentOrCopy: return OpenACCClauseKind::Copy;
    case OpenACCClauseKind::PCopyIn:
    case OpenACCClauseKind::PresentOrCopyIn: return OpenACCClauseKind::CopyIn;
    case OpenACCClauseKind::PCopyOut:
    case OpenACCClauseKind::PresentOrCopyOut: return OpenACCClauseKind::CopyOut;
    case OpenACCClauseKind::PCreate:
    case OpenACCClauseKind::PresentOrCreate: return OpenACCClauseKind::Create;
    case OpenACCClauseKind::DType: return OpenACCClauseKind::DeviceType;
    default: return kind;
  }
}

std::optional<AccDataKind> dataKindOf(OpenACCClauseKind kind) {
  switch (canonicalKind(kind)) {
    case OpenACCClauseKind::Copy: return AccDataKind::Copy;
    case OpenACCClauseKind::CopyIn: return AccDataKind::CopyIn;
    case OpenACCClauseKind::CopyOut: return AccDataKind::CopyOut;
    case OpenACCClauseKind::Create: return AccDataKind::Create;
    case OpenACCClauseKind::NoCreate: return AccDataKind::NoCreate;
    case OpenACCClauseKind::Present: return AccDataKind::Present;
    case OpenACCClauseKind::DevicePtr: return AccDataKind::DevicePtr;
    case OpenACCClauseKind::Attach: return AccDataKind::Attach;
    case OpenACCClauseKind::Detach: return AccDataKind::Detach;
    case OpenACCClauseKind::Delete: return AccDataKind::Delete;
    case OpenACCClauseKind::UseDevice: return AccDataKind::UseDevice;
    case OpenACCClauseKind::Self:
    case OpenACCClauseKind::Host: return AccDataKind::UpdateSelf;
    case OpenACCClauseKind::Device: return AccDataKind::UpdateDevice;
    case OpenACCClauseKind::DeviceResident: return AccDataKind::DeviceResident;
    case OpenACCClauseKind::Link: return AccDataKind::Link;
    default: return std::nullopt;
  }
}

llvm::ArrayRef<Expr*> operandsOf(const OpenACCClause& clause) {
  if (const auto* self = dyn_cast<OpenACCSelfClause>(&clause))
    return self->isVarListClause() ? self->getVarList() : llvm::ArrayRef<Expr*>();
  if (const auto* list = dyn_cast<OpenACCClauseWithVarList>(&clause)) return list->getVarList();
  return {};
}

namespace {

OpenACCModifierKind modifiersOf(const OpenACCClause& clause) {
  if (const auto* c = dyn_cast<OpenACCCopyClause>(&clause)) return c->getModifierList();
  if (const auto* c = dyn_cast<OpenACCCopyInClause>(&clause)) return c->getModifierList();
  if (const auto* c = dyn_cast<OpenACCCopyOutClause>(&clause)) return c->getModifierList();
  if (const auto* c = dyn_cast<OpenACCCreateClause>(&clause)) return c->getModifierList();
  return OpenACCModifierKind::Invalid;
}

void setModifiers(AccData& data, OpenACCModifierKind modifiers) {
  const auto has = [&](OpenACCModifierKind one) { return isOpenACCModifierBitSet(modifiers, one); };
  data.zero = has(OpenACCModifierKind::Zero);
  data.readOnly = has(OpenACCModifierKind::Readonly);
  data.capture = has(OpenACCModifierKind::Capture);
  const bool always = has(OpenACCModifierKind::Always);
  const bool comesIn = data.kind == AccDataKind::Copy || data.kind == AccDataKind::CopyIn;
  const bool goesOut = data.kind == AccDataKind::Copy || data.kind == AccDataKind::CopyOut;
  data.alwaysIn = has(OpenACCModifierKind::AlwaysIn) || (always && comesIn);
  data.alwaysOut = has(OpenACCModifierKind::AlwaysOut) || (always && goesOut);
}

bool isMoved(AccDataKind kind) {
  return kind == AccDataKind::Copy || kind == AccDataKind::CopyIn || kind == AccDataKind::CopyOut ||
         kind == AccDataKind::Create;
}

bool canMerge(AccDataKind a, AccDataKind b) { return isMoved(a) && isMoved(b); }

/// One clause brings it in, another takes it out: both count.
void merge(AccData& to, const AccData& from) {
  if (isMoved(to.kind)) {
    const auto is = [&](AccDataKind kind) { return to.kind == kind || from.kind == kind; };
    const bool comesIn = is(AccDataKind::Copy) || is(AccDataKind::CopyIn);
    const bool goesOut = is(AccDataKind::Copy) || is(AccDataKind::CopyOut);
    to.kind = comesIn   ? (goesOut ? AccDataKind::Copy : AccDataKind::CopyIn)
              : goesOut ? AccDataKind::CopyOut
                        : AccDataKind::Create;
    to.zero = (to.zero || from.zero) && !comesIn;
  }
  to.readOnly = to.readOnly && from.readOnly;
  to.alwaysIn = to.alwaysIn || from.alwaysIn;
  to.alwaysOut = to.alwaysOut || from.alwaysOut;
  to.capture = to.capture || from.capture;
}

/// The device that hone compiles for is NVIDIA's.
bool namesNvidia(const OpenACCDeviceTypeClause& clause) {
  return std::any_of(
      clause.getArchitectures().begin(), clause.getArchitectures().end(), [](const DeviceTypeArgument& one) {
        const IdentifierInfo* name = one.getIdentifierInfo();
        return name && (name->isStr("nvidia") || name->isStr("acc_device_nvidia") || name->isStr("default"));
      });
}

AccReductionOp reductionOp(OpenACCReductionOperator op) {
  switch (op) {
    case OpenACCReductionOperator::Multiplication: return AccReductionOp::Mul;
    case OpenACCReductionOperator::Max: return AccReductionOp::Max;
    case OpenACCReductionOperator::Min: return AccReductionOp::Min;
    case OpenACCReductionOperator::BitwiseAnd: return AccReductionOp::BitAnd;
    case OpenACCReductionOperator::BitwiseOr: return AccReductionOp::BitOr;
    case OpenACCReductionOperator::BitwiseXOr: return AccReductionOp::BitXor;
    case OpenACCReductionOperator::And: return AccReductionOp::And;
    case OpenACCReductionOperator::Or: return AccReductionOp::Or;
    default: return AccReductionOp::Add;
  }
}

template <typename Clause>
const Clause* findClause(llvm::ArrayRef<const OpenACCClause*> clauses) {
  for (const OpenACCClause* one : clauses)
    if (const auto* found = dyn_cast<Clause>(one)) return found;
  return nullptr;
}

}  // namespace

std::vector<const OpenACCClause*> AccReader::chosen(llvm::ArrayRef<const OpenACCClause*> clauses) const {
  std::vector<const OpenACCClause*> common, nvidia, others;
  std::vector<const OpenACCClause*>* to = &common;
  std::vector<const OpenACCClause*> elsewhere;
  bool hasOwn = false;
  for (const OpenACCClause* one : clauses) {
    if (const auto* types = dyn_cast<OpenACCDeviceTypeClause>(one)) {
      to = namesNvidia(*types) ? &nvidia : types->hasAsterisk() ? &others : &elsewhere;
      hasOwn |= to == &nvidia;
      continue;
    }
    to->push_back(one);
  }
  const std::vector<const OpenACCClause*>& own = hasOwn ? nvidia : others;
  std::vector<const OpenACCClause*> out;
  for (const OpenACCClause* one : common)
    if (std::none_of(own.begin(), own.end(), [&](const OpenACCClause* other) {
          return canonicalKind(other->getClauseKind()) == canonicalKind(one->getClauseKind());
        }))
      out.push_back(one);
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

std::vector<AccOperand> AccReader::data(llvm::ArrayRef<const OpenACCClause*> clauses, bool isExit) {
  std::vector<AccOperand> out;
  for (const OpenACCClause* clause : clauses) {
    const std::optional<AccDataKind> kind = dataKindOf(clause->getClauseKind());
    if (!kind) continue;
    for (const Expr* e : operandsOf(*clause)) {
      AccOperand made = operand(*kind, *e);
      // Memory between the parts is not to come back with what nobody has written there.
      if (made.hasGaps && !isExit && made.data.kind == AccDataKind::CopyOut)
        made.data.kind = AccDataKind::Copy;
      setModifiers(made.data, modifiersOf(*clause));
      const auto known = std::find_if(out.begin(), out.end(), [&](const AccOperand& other) {
        return other.root == made.root && other.data.name == made.data.name &&
               (other.data.kind == made.data.kind || canMerge(other.data.kind, made.data.kind));
      });
      if (known == out.end()) {
        out.push_back(std::move(made));
        continue;
      }
      if (known->data.kind != made.data.kind)
        remark(e->getBeginLoc(),
               "'" + made.data.name +
                   "' is named in two data clauses of one directive, which are taken together");
      merge(known->data, made.data);
    }
  }
  // In their order otherwise.
  std::vector<AccOperand> sorted;
  for (AccOperand& one : out)
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), one,
                                   [&](const AccOperand& a, const AccOperand& b) {
                                     return isExit ? a.pointers > b.pointers : a.pointers < b.pointers;
                                   }),
                  std::move(one));
  return sorted;
}

AccAsync AccReader::async(llvm::ArrayRef<const OpenACCClause*> clauses) {
  AccAsync made;
  const auto* clause = findClause<OpenACCAsyncClause>(clauses);
  made.isGiven = clause;
  if (clause && clause->hasIntExpr()) made.queue = value(*clause->getIntExpr());
  return made;
}

AccWait AccReader::waitOf(const Expr* device, llvm::ArrayRef<Expr*> queues) {
  AccWait made;
  made.isGiven = true;
  if (device) made.device = value(*device);
  for (const Expr* queue : queues) made.queues.push_back(value(*queue));
  return made;
}

AccWait AccReader::wait(llvm::ArrayRef<const OpenACCClause*> clauses) {
  AccWait made;
  for (const OpenACCClause* one : clauses) {
    const auto* clause = dyn_cast<OpenACCWaitClause>(one);
    if (!clause) continue;
    AccWait more = waitOf(clause->getDevNumExpr(), clause->getQueueIdExprs());
    const bool isAll = (made.isGiven && made.queues.empty()) || more.queues.empty();
    if (made.isGiven && (made.device || more.device))
      throw Refusal{"several wait clauses, one with devnum; use a wait directive for the other device",
                    unit.loc(clause->getBeginLoc())};
    made.isGiven = true;
    if (more.device) made.device = more.device;
    made.queues.insert(made.queues.end(), more.queues.begin(), more.queues.end());
    if (isAll) made.queues.clear();
  }
  return made;
}

std::optional<AccValue> AccReader::condition(llvm::ArrayRef<const OpenACCClause*> clauses) {
  const auto* clause = findClause<OpenACCIfClause>(clauses);
  if (!clause || !clause->getConditionExpr()) return std::nullopt;
  return truth(*clause->getConditionExpr());
}

AccValue AccReader::truth(const Expr& e) {
  AccValue made{"(" + hostText(e) + " ? 1 : 0)", std::nullopt};
  bool known = false;
  if (!e.isValueDependent() && e.EvaluateAsBooleanCondition(known, unit.ast)) made.constant = known;
  return made;
}

AccListed AccReader::listed(const Expr& e) {
  AccListed made;
  made.written = &e;
  made.var = rootOf(e);
  made.isWhole = isa<DeclRefExpr>(plain(&e));
  made.loc = unit.loc(e.getBeginLoc());
  return made;
}

void AccReader::reductions(const OpenACCReductionClause& clause, std::vector<AccListedReduction>& to) {
  if (clause.getReductionOp() == OpenACCReductionOperator::Invalid)
    remark(clause.getBeginLoc(), "'-' is no reduction of OpenACC; it is taken as '+'");
  for (const Expr* e : clause.getVarList()) to.push_back({reductionOp(clause.getReductionOp()), listed(*e)});
}

void AccReader::loopClauses(llvm::ArrayRef<const OpenACCClause*> clauses, AccLoopClauses& to) {
  const auto number = [&](const Expr* e) {
    return e && !e->isValueDependent() ? constantInt(*e, unit.ast).value_or(0) : 0;
  };
  for (const OpenACCClause* one : clauses) {
    switch (one->getClauseKind()) {
      case OpenACCClauseKind::Seq: to.isSeq = true; break;
      case OpenACCClauseKind::Auto: to.isAuto = true; break;
      case OpenACCClauseKind::Independent: to.isIndependent = true; break;
      case OpenACCClauseKind::Gang: {
        to.gang = true;
        const auto* gang = cast<OpenACCGangClause>(one);
        for (unsigned i = 0; i < gang->getNumExprs(); ++i) {
          const auto [kind, e] = gang->getExpr(i);
          if (kind == OpenACCGangKind::Num) to.gangNum = e;
          if (kind == OpenACCGangKind::Dim) to.gangDim = unsigned(number(e));
          if (kind != OpenACCGangKind::Static) continue;
          to.gangStaticIsStar = isa<OpenACCAsteriskSizeExpr>(plain(e));
          if (!to.gangStaticIsStar) to.gangStatic = e;
        }
        break;
      }
      case OpenACCClauseKind::Worker:
        to.worker = true;
        to.workerNum = cast<OpenACCWorkerClause>(one)->getIntExpr();
        break;
      case OpenACCClauseKind::Vector:
        to.vector = true;
        to.vectorLength = cast<OpenACCVectorClause>(one)->getIntExpr();
        break;
      case OpenACCClauseKind::Collapse: {
        const auto* collapse = cast<OpenACCCollapseClause>(one);
        to.collapse = unsigned(std::max<int64_t>(1, number(collapse->getLoopCount())));
        to.collapseForce = collapse->hasForce();
        break;
      }
      case OpenACCClauseKind::Tile:
        to.tile.clear();
        for (const Expr* size : cast<OpenACCTileClause>(one)->getSizeExprs())
          to.tile.push_back(isa<OpenACCAsteriskSizeExpr>(plain(size)) ? 0 : number(size));
        break;
      case OpenACCClauseKind::Private:
        if (wasFirstPrivate(*one, unit.sources)) break;
        for (const Expr* e : operandsOf(*one)) to.privates.push_back(listed(*e));
        break;
      case OpenACCClauseKind::Reduction: reductions(*cast<OpenACCReductionClause>(one), to.reductions); break;
      default: break;
    }
  }
}

std::vector<AccUnread> AccReader::unread(const OpenACCConstructStmt& construct) const {
  std::vector<AccUnread> names;
  // As diagnostics have them, by lines of the text that was parsed.
  const auto written = [&](SourceLocation at) {
    return unit.sources.getPresumedLoc(unit.sources.getExpansionLoc(at), false);
  };
  const PresumedLoc begin = written(construct.getBeginLoc()), end = written(construct.getEndLoc());
  if (begin.isInvalid() || end.isInvalid()) return names;
  const FileID file = unit.sources.getFileID(unit.sources.getExpansionLoc(construct.getBeginLoc()));
  // Diagnostics call the main file what the user calls it.
  const bool isMain = file == unit.sources.getMainFileID();
  for (const Diagnostic& one : unit.source.diagnostics()) {
    const bool isHere = one.isInMainFile ? isMain : one.file == begin.getFilename();
    const char* const why = whyUnread(one);
    if (!*why || !isHere || one.line < begin.getLine() || one.line > end.getLine()) continue;
    const SourceLocation at = unit.sources.translateLineCol(file, one.line, one.column);
    names.push_back(
        {Lexer::getSourceText(CharSourceRange::getTokenRange(at, at), unit.sources, unit.ast.getLangOpts())
             .str(),
         why});
  }
  return names;
}

AccLoopClauses AccReader::loop(const OpenACCLoopConstruct& construct) {
  AccLoopClauses made;
  made.unread = unread(construct);
  made.loc = unit.loc(construct.getBeginLoc());
  loopClauses(chosen(construct.clauses()), made);
  return made;
}

AccComputeClauses AccReader::compute(const OpenACCConstructStmt& construct) {
  AccComputeClauses made;
  made.loop.unread = unread(construct);
  made.loc = made.loop.loc = unit.loc(construct.getBeginLoc());
  switch (construct.getDirectiveKind()) {
    case OpenACCDirectiveKind::Kernels:
    case OpenACCDirectiveKind::KernelsLoop: made.construct = AccConstruct::Kernels; break;
    case OpenACCDirectiveKind::Serial:
    case OpenACCDirectiveKind::SerialLoop: made.construct = AccConstruct::Serial; break;
    default: made.construct = AccConstruct::Parallel; break;
  }
  made.isCombined = isOpenACCCombinedDirectiveKind(construct.getDirectiveKind());
  const std::vector<const OpenACCClause*> clauses = chosen(construct.clauses());
  if (made.isCombined) loopClauses(clauses, made.loop);
  made.data = data(clauses);
  made.condition = condition(clauses);
  made.async = async(clauses);
  made.wait = wait(clauses);
  for (const OpenACCClause* one : clauses) {
    switch (one->getClauseKind()) {
      case OpenACCClauseKind::Private:
        if (wasFirstPrivate(*one, unit.sources)) {
          for (const Expr* e : operandsOf(*one)) made.firstPrivates.push_back(listed(*e));
          break;
        }
        if (made.isCombined) break;
        for (const Expr* e : operandsOf(*one)) made.privates.push_back(listed(*e));
        break;
      case OpenACCClauseKind::FirstPrivate:
        for (const Expr* e : operandsOf(*one)) made.firstPrivates.push_back(listed(*e));
        break;
      case OpenACCClauseKind::Reduction:
        if (!made.isCombined) reductions(*cast<OpenACCReductionClause>(one), made.reductions);
        break;
      case OpenACCClauseKind::NumGangs: {
        size_t at = 0;
        for (const Expr* e : cast<OpenACCNumGangsClause>(one)->getIntExprs())
          if (at < 3) made.numGangs[at++] = value(*e);
        break;
      }
      case OpenACCClauseKind::NumWorkers:
        made.numWorkers = value(*cast<OpenACCNumWorkersClause>(one)->getIntExpr());
        break;
      case OpenACCClauseKind::VectorLength:
        made.vectorLength = value(*cast<OpenACCVectorLengthClause>(one)->getIntExpr());
        break;
      case OpenACCClauseKind::Self: {
        const auto* self = cast<OpenACCSelfClause>(one);
        if (self->isVarListClause()) break;
        if (self->hasConditionExpr() && self->getConditionExpr())
          made.selfIf = truth(*self->getConditionExpr());
        else
          made.isSelf = true;
        break;
      }
      case OpenACCClauseKind::Default:
        made.defaultClause =
            cast<OpenACCDefaultClause>(one)->getDefaultClauseKind() == OpenACCDefaultClauseKind::None
                ? AccDefault::None
                : AccDefault::Present;
        break;
      default: break;
    }
  }
  return made;
}

}  // namespace hone::frontend
