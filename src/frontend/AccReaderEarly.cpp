// The simplest reading of clauses; goes when AccClauses.cpp and its like are there.
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include "frontend/AccReader.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {
using namespace clang;

AccReader::AccReader(UnitImporter& importer, std::vector<AccMessage>& into)
    : unit(importer), messages(into) {}
std::string AccReader::hostText(const Expr& e) {
  const CharSourceRange r = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(e.getSourceRange()),
                                                     unit.sources, unit.ast.getLangOpts());
  return Lexer::getSourceText(r, unit.sources, unit.ast.getLangOpts()).str();
}
AccValue AccReader::value(const Expr& e) { return {hostText(e), constantInt(e, unit.ast)}; }
const ValueDecl* AccReader::rootOf(const Expr& e) const {
  const Expr* at = e.IgnoreParenImpCasts();
  while (true) {
    if (const auto* x = dyn_cast<ArraySectionExpr>(at))
      at = x->getBase()->IgnoreParenImpCasts();
    else if (const auto* x = dyn_cast<ArraySubscriptExpr>(at))
      at = x->getBase()->IgnoreParenImpCasts();
    else if (const auto* x = dyn_cast<MemberExpr>(at))
      at = x->getBase()->IgnoreParenImpCasts();
    else
      break;
  }
  const auto* name = dyn_cast<DeclRefExpr>(at);
  return name ? name->getDecl() : nullptr;
}
AccOperand AccReader::operand(AccDataKind kind, const Expr& e) {
  AccOperand o;
  o.data.kind = kind;
  o.data.name = hostText(e);
  o.root = rootOf(e);
  o.data.variable = o.root ? o.root->getNameAsString() : "this";
  o.written = &e;
  o.data.loc = unit.loc(e.getBeginLoc());
  const auto* section = dyn_cast<ArraySectionExpr>(e.IgnoreParenImpCasts());
  if (!section) {
    o.data.address = "&" + o.data.name;
    o.data.bytes = "sizeof(" + o.data.name + ")";
    return o;
  }
  o.isWhole = false;
  std::string at, count = "1";
  const Expr* x = section;
  std::string suffix;
  while (const auto* s = dyn_cast<ArraySectionExpr>(x->IgnoreParenImpCasts())) {
    std::string lower = s->getLowerBound() ? hostText(*s->getLowerBound()) : "0";
    suffix = "[" + lower + "]" + suffix;
    count += s->getLength() ? " * (" + hostText(*s->getLength()) + ")" : " * 1";
    x = s->getBase();
  }
  o.reach = x->IgnoreParenImpCasts()->getType()->isPointerType() ? AccReach::Pointer : AccReach::Object;
  at = hostText(*x) + suffix;
  o.data.address = "&" + at;
  o.data.bytes = "(" + count + ") * sizeof(" + at + ")";
  return o;
}
std::vector<const OpenACCClause*> AccReader::chosen(llvm::ArrayRef<const OpenACCClause*> c) const {
  return {c.begin(), c.end()};
}
std::vector<AccOperand> AccReader::data(llvm::ArrayRef<const OpenACCClause*> clauses, bool) {
  std::vector<AccOperand> out;
  for (const OpenACCClause* c : clauses) {
    AccDataKind kind;
    switch (c->getClauseKind()) {
      case OpenACCClauseKind::Copy:
      case OpenACCClauseKind::PCopy:
      case OpenACCClauseKind::PresentOrCopy: kind = AccDataKind::Copy; break;
      case OpenACCClauseKind::CopyIn:
      case OpenACCClauseKind::PCopyIn:
      case OpenACCClauseKind::PresentOrCopyIn: kind = AccDataKind::CopyIn; break;
      case OpenACCClauseKind::CopyOut:
      case OpenACCClauseKind::PCopyOut:
      case OpenACCClauseKind::PresentOrCopyOut: kind = AccDataKind::CopyOut; break;
      case OpenACCClauseKind::Create:
      case OpenACCClauseKind::PCreate:
      case OpenACCClauseKind::PresentOrCreate: kind = AccDataKind::Create; break;
      case OpenACCClauseKind::Present: kind = AccDataKind::Present; break;
      case OpenACCClauseKind::NoCreate: kind = AccDataKind::NoCreate; break;
      case OpenACCClauseKind::DevicePtr: kind = AccDataKind::DevicePtr; break;
      default: continue;
    }
    for (const Expr* e : cast<OpenACCClauseWithVarList>(c)->getVarList()) out.push_back(operand(kind, *e));
  }
  return out;
}
AccAsync AccReader::async(llvm::ArrayRef<const OpenACCClause*>) { return {}; }
AccWait AccReader::wait(llvm::ArrayRef<const OpenACCClause*>) { return {}; }
static AccReductionOp opOf(OpenACCReductionOperator op) {
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
static void readLoop(AccReader& r, UnitImporter& unit, const OpenACCConstructStmt& s, AccLoopClauses& o) {
  o.loc = unit.loc(s.getBeginLoc());
  for (const OpenACCClause* c : s.clauses()) {
    if (isa<OpenACCSeqClause>(c)) o.isSeq = true;
    if (isa<OpenACCAutoClause>(c)) o.isAuto = true;
    if (isa<OpenACCIndependentClause>(c)) o.isIndependent = true;
    if (const auto* g = dyn_cast<OpenACCGangClause>(c)) {
      o.gang = true;
      for (unsigned i = 0; i < g->getNumExprs(); ++i) {
        auto [kind, e] = g->getExpr(i);
        if (kind == OpenACCGangKind::Static) {
          if (isa<OpenACCAsteriskSizeExpr>(e))
            o.gangStaticIsStar = true;
          else
            o.gangStatic = e;
        } else if (kind == OpenACCGangKind::Num)
          o.gangNum = e;
        else
          o.gangDim = unsigned(constantInt(*e, unit.ast).value_or(1));
      }
    }
    if (const auto* w = dyn_cast<OpenACCWorkerClause>(c)) {
      o.worker = true;
      o.workerNum = w->getIntExpr();
    }
    if (const auto* w = dyn_cast<OpenACCVectorClause>(c)) {
      o.vector = true;
      o.vectorLength = w->getIntExpr();
    }
    if (const auto* w = dyn_cast<OpenACCCollapseClause>(c)) {
      o.collapse = unsigned(constantInt(*w->getLoopCount(), unit.ast).value_or(1));
      o.collapseForce = w->hasForce();
    }
    if (const auto* w = dyn_cast<OpenACCTileClause>(c))
      for (const Expr* e : w->getSizeExprs())
        o.tile.push_back(isa<OpenACCAsteriskSizeExpr>(e) ? 0 : constantInt(*e, unit.ast).value_or(0));
    if (const auto* p = dyn_cast<OpenACCPrivateClause>(c))
      for (const Expr* e : p->getVarList())
        o.privates.push_back({r.rootOf(*e), e, true, unit.loc(e->getBeginLoc())});
    if (const auto* p = dyn_cast<OpenACCReductionClause>(c))
      for (const Expr* e : p->getVarList())
        o.reductions.push_back(
            {opOf(p->getReductionOp()), {r.rootOf(*e), e, true, unit.loc(e->getBeginLoc())}});
  }
}
AccLoopClauses AccReader::loop(const OpenACCLoopConstruct& s) {
  AccLoopClauses o;
  readLoop(*this, unit, s, o);
  return o;
}
AccComputeClauses AccReader::compute(const OpenACCConstructStmt& s) {
  AccComputeClauses o;
  o.loc = unit.loc(s.getBeginLoc());
  const OpenACCDirectiveKind k = s.getDirectiveKind();
  o.isCombined = isa<OpenACCCombinedConstruct>(s);
  if (k == OpenACCDirectiveKind::Kernels || k == OpenACCDirectiveKind::KernelsLoop)
    o.construct = AccConstruct::Kernels;
  if (k == OpenACCDirectiveKind::Serial || k == OpenACCDirectiveKind::SerialLoop)
    o.construct = AccConstruct::Serial;
  o.data = data(s.clauses());
  AccLoopClauses l;
  readLoop(*this, unit, s, l);
  if (o.isCombined)
    o.loop = l;
  else {
    o.privates = l.privates;
    o.reductions = l.reductions;
  }
  for (const OpenACCClause* c : s.clauses()) {
    if (const auto* p = dyn_cast<OpenACCFirstPrivateClause>(c))
      for (const Expr* e : p->getVarList())
        o.firstPrivates.push_back({rootOf(*e), e, true, unit.loc(e->getBeginLoc())});
    if (const auto* n = dyn_cast<OpenACCNumGangsClause>(c))
      for (size_t i = 0; i < n->getIntExprs().size() && i < 3; ++i)
        o.numGangs[i] = value(*n->getIntExprs()[i]);
    if (const auto* n = dyn_cast<OpenACCNumWorkersClause>(c)) o.numWorkers = value(*n->getIntExpr());
    if (const auto* n = dyn_cast<OpenACCVectorLengthClause>(c)) o.vectorLength = value(*n->getIntExpr());
    if (const auto* n = dyn_cast<OpenACCIfClause>(c)) o.condition = value(*n->getConditionExpr());
    if (const auto* d = dyn_cast<OpenACCDefaultClause>(c))
      o.defaultClause = d->getDefaultClauseKind() == OpenACCDefaultClauseKind::None ? AccDefault::None
                                                                                    : AccDefault::Present;
  }
  return o;
}
std::optional<AccDirective> AccReader::directive(const OpenACCConstructStmt&) { return std::nullopt; }
AccDirective AccReader::declare(const OpenACCDeclareDecl&, const CompoundStmt*) { return {}; }
const std::map<const VarDecl*, AccDataKind>& AccReader::declared() {
  static const std::map<const VarDecl*, AccDataKind> none;
  return none;
}
std::optional<AccRoutine> AccReader::routine(const FunctionDecl&) { return std::nullopt; }
std::optional<AccPlace> AccReader::place(const OpenACCConstructStmt& s) const {
  const auto parts = static_cast<const Stmt&>(s).children();
  const Stmt* of = parts.begin() != parts.end() ? *parts.begin() : nullptr;
  if (!of) return AccPlace{};
  FileRange r = unit.fileRange(of->getBeginLoc(), of->getEndLoc());
  if (!r.valid()) return std::nullopt;
  SourceLocation semi =
      Lexer::findLocationAfterToken(of->getEndLoc(), tok::semi, unit.sources, unit.ast.getLangOpts(), false);
  if (!isa<CompoundStmt>(of) && semi.isValid()) r.end = unit.sources.getFileOffset(semi);
  return AccPlace{r.file, r.begin, r.end};
}
void AccReader::check(const FunctionDecl&) {}
}  // namespace hone::frontend
