// Loops of compute constructs and routines: what their directives say, and variables of which each iteration
// has its own.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/AccBodies.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

const Stmt* withoutAttributes(const Stmt* s) {
  while (const auto* attributed = dyn_cast_or_null<AttributedStmt>(s)) s = attributed->getSubStmt();
  return s;
}

/// The loops that a directive over `count` nested loops speaks for, outermost first.
std::vector<const ForStmt*> nestOf(const Stmt* s, size_t count) {
  std::vector<const ForStmt*> nest;
  const auto* at = dyn_cast_or_null<ForStmt>(withoutAttributes(s));
  while (at) {
    nest.push_back(at);
    if (nest.size() >= count) break;
    const Stmt* inner = withoutAttributes(at->getBody());
    const ForStmt* next = dyn_cast_or_null<ForStmt>(inner);
    while (const auto* compound = dyn_cast_or_null<CompoundStmt>(inner)) {
      inner = nullptr;
      for (const Stmt* child : compound->body()) {
        child = withoutAttributes(child);
        if (const auto* found = dyn_cast<ForStmt>(child); found && !next) next = found;
        if (isa<CompoundStmt>(child) && !inner) inner = child;
      }
      if (next) break;
    }
    at = next;
  }
  return nest;
}

/// The variable that the head of a loop sets without declaring it.
const VarDecl* setByHead(const ForStmt& s) {
  const auto* set = dyn_cast_or_null<BinaryOperator>(s.getInit());
  if (!set || set->getOpcode() != BO_Assign) return nullptr;
  const auto* name = dyn_cast<DeclRefExpr>(set->getLHS()->IgnoreParens());
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

unsigned mentionsOf(const Stmt* s, const ValueDecl* decl) {
  if (!s) return 0;
  const auto* name = dyn_cast<DeclRefExpr>(s);
  unsigned n = name && name->getDecl() == decl;
  for (const Stmt* child : s->children()) n += mentionsOf(child, decl);
  return n;
}

/// Whether all that names the variable are loops that set it in their heads, so that each may have its own.
bool isSetByEachLoop(const Stmt* s, const VarDecl& decl) {
  if (!s) return true;
  if (const auto* loop = dyn_cast<ForStmt>(s); loop && setByHead(*loop) == &decl) return true;
  if (const auto* name = dyn_cast<DeclRefExpr>(s); name && name->getDecl() == &decl) return false;
  for (const Stmt* child : s->children())
    if (!isSetByEachLoop(child, decl)) return false;
  return true;
}

std::shared_ptr<ir::Variable> ownVariable(UnitImporter& unit, const VarDecl& decl) {
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->type = unit.type(decl.getType().getNonReferenceType().getUnqualifiedType(), decl.getLocation());
  var->loc = unit.loc(decl.getLocation());
  return var;
}

/// Gives variables another meaning for as long as it lives.
template <typename Locals> class Replaced {
 public:
  explicit Replaced(Locals& of) : locals(of) {}
  ~Replaced() {
    for (auto it = before.rbegin(); it != before.rend(); ++it)
      if (it->second)
        locals[it->first] = it->second;
      else
        locals.erase(it->first);
  }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

  void replace(const ValueDecl* decl, const ir::VarPtr& var) {
    const auto known = locals.find(decl);
    before.emplace_back(decl, known == locals.end() ? nullptr : known->second);
    locals[decl] = var;
  }

 private:
  Locals& locals;
  std::vector<std::pair<const ValueDecl*, ir::VarPtr>> before;
};

}  // namespace

bool AccBodies::statement(BodyImporter& body, const Stmt& s) {
  if (const auto* directive = dyn_cast<OpenACCLoopConstruct>(&s)) {
    loop(body, directive->getLoop(), reader.loop(*directive));
    return true;
  }
  if (const auto* directive = dyn_cast<OpenACCAtomicConstruct>(&s)) {
    atomic(body, *directive);
    return true;
  }
  if (isa<OpenACCCacheConstruct>(s)) return true;  // a hint
  if (isa<OpenACCConstructStmt>(s))
    unit.refuse("a directive of the host in code for the device", s.getBeginLoc());
  if (const auto* plain = dyn_cast<ForStmt>(withoutAttributes(&s))) {
    plainLoop(body, *plain, unrollOf(body, &s));
    return true;
  }
  return false;
}

void AccBodies::note(BodyImporter& body, const Stmt& s, AccLoop made) {
  if (!body.lastFor) unit.unexpected("loop that is no for", s.getBeginLoc());
  result.notes.kept.push_back(body.lastFor);
  result.notes.loops[body.lastFor.get()] = std::move(made);
}

void AccBodies::loop(BodyImporter& body, const Stmt* s, const AccLoopClauses& clauses) {
  refuseUnread(clauses);
  if (isa<CXXForRangeStmt>(withoutAttributes(s))) unit.refuse("range-based for", s->getBeginLoc());
  const std::vector<const ForStmt*> nest = nestOf(s, std::max<size_t>(clauses.collapse, clauses.tile.size()));
  if (nest.empty()) unit.unexpected("loop directive without a loop", s->getBeginLoc());
  AccLoop made;
  made.isSeq = clauses.isSeq;
  made.isAuto = clauses.isAuto;
  made.isIndependent = clauses.isIndependent;
  made.gang = clauses.gang;
  made.worker = clauses.worker;
  made.vector = clauses.vector;
  const auto argument = [&](const Expr* e) { return e ? body.value(e) : nullptr; };
  made.gangNum = argument(clauses.gangNum);
  made.gangStatic = argument(clauses.gangStatic);
  made.workerNum = argument(clauses.workerNum);
  made.vectorLength = argument(clauses.vectorLength);
  made.gangStaticIsStar = clauses.gangStaticIsStar;
  made.gangDim = clauses.gangDim;
  made.collapse = clauses.collapse;
  made.collapseForce = clauses.collapseForce;
  made.tile = clauses.tile;
  made.loc = clauses.loc;
  if (scope && scope->body.get() == &body) nestTrips(nest, made);
  made.reductions = reductions(body, clauses.reductions);

  Replaced own(body.locals);
  std::map<const ValueDecl*, ir::VarPtr> none;
  Replaced ownObjects(scope ? scope->objects : none);
  std::set<const VarDecl*> counters;
  for (const ForStmt* one : nest) {
    if (one != nest[0]) associated.insert(one);
    const VarDecl* counter = setByHead(*one);
    if (!counter || !counters.insert(counter).second) continue;
    if (scope && scope->body.get() == &body) keep(*counter, hostName(*counter, nullptr));
    const ir::VarPtr var = ownVariable(unit, *counter);
    own.replace(counter, var);
    if (mentionsOf(one, counter) == mentionsOf(s, counter))
      body.ownCounters.insert(var.get());
    else
      made.privates.push_back(var);
  }
  for (const AccListed& listed : clauses.privates) {
    const auto* decl = dyn_cast_or_null<VarDecl>(listed.var);
    const bool isRegion = scope && scope->body.get() == &body;
    if (!decl || (!isRegion && !listed.isWhole)) {
      const SourceLocation at = listed.written ? listed.written->getBeginLoc() : s->getBeginLoc();
      unit.refuse("private with a part of a variable; name the whole variable", at);
    }
    if (counters.contains(decl)) continue;
    const std::string host = hostName(*decl, listed.isWhole ? listed.written : nullptr);
    if (isRegion) keep(*decl, host);
    const auto section = isRegion ? ownSection(listed, false, true) : std::nullopt;
    if (isFlatArray(decl->getType().getNonReferenceType(), unit.ast)) {
      if (!isRegion || scope->inside.contains(decl))
        unit.refuse(
            "internal: private array '" + decl->getNameAsString() + "' of a length that was refused before",
            listed.written ? listed.written->getBeginLoc() : s->getBeginLoc());
      const ir::VarPtr var = ownPointer(*decl, s->getBeginLoc());
      made.ownSections.emplace_back(var, ownArray(*decl, host, false));
      made.privates.push_back(var);
      ownObjects.replace(cast<ValueDecl>(decl->getCanonicalDecl()), var);
      continue;
    }
    refuseConstructor(*decl, s->getBeginLoc());
    const auto var = ownVariable(unit, *decl);
    if (section) {
      var->type = ir::withSpace(var->type, ir::Space::Global);
      made.ownSections.emplace_back(var, *section);
    }
    own.replace(decl, var);
    made.privates.push_back(var);
  }
  body.loop(nest[0], unrollOf(body, s));
  note(body, *s, std::move(made));
}

void AccBodies::plainLoop(BodyImporter& body, const ForStmt& s, int unroll) {
  Replaced own(body.locals);
  // A counter declared around the loop is the loop's own where nobody asks for its value.
  const VarDecl* counter = setByHead(s);
  if (counter && counter->hasLocalStorage() && counter->getParentFunctionOrMethod() == &body.fn &&
      !counter->getType()->isReferenceType() && isSetByEachLoop(body.fn.getBody(), *counter)) {
    const ir::VarPtr var = ownVariable(unit, *counter);
    own.replace(counter, var);
    body.ownCounters.insert(var.get());
  }
  const bool isRegion = scope && scope->body.get() == &body;
  body.loop(&s, unroll);
  if (associated.contains(&s)) return;
  if (isRegion && scope->clauses.construct != AccConstruct::Kernels) return;
  if (!isRegion && levelOf(body.fn) == AccLevel::Seq) return;
  AccLoop made;
  made.isImplicit = true;
  made.loc = unit.loc(s.getBeginLoc());
  if (isRegion) made.hostTrips = trips(s);
  note(body, s, std::move(made));
}

int AccBodies::unrollOf(BodyImporter& body, const Stmt* s) {
  const auto* attributed = dyn_cast<AttributedStmt>(s);
  return attributed ? body.unrollHint(*attributed) : 0;
}

void AccBodies::refuseConstructor(const VarDecl& decl, SourceLocation at) {
  const CXXRecordDecl* record = unit.ast.getBaseElementType(decl.getType())->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return;
  if (unit.runsDestructor(decl.getType()))
    unit.refuse("object '" + decl.getNameAsString() + "' with a destructor", at);
  if (!record->hasTrivialDefaultConstructor())
    unit.refuse(
        "private object '" + decl.getNameAsString() + "' with a constructor; declare it inside of the loop",
        at);
}

}  // namespace hone::frontend
