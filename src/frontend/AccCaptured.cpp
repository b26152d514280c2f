// How a region sees the host's variables: clauses first, then OpenACC's rules for what no clause names.
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "frontend/AccText.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// What kernels take as parameters has its limits.
constexpr int64_t mostBytesByValue = 2048;

AccData impliedData(AccDataKind kind, const std::string& host, ir::SourceLoc at) {
  AccData data;
  data.kind = kind;
  data.isImplicit = true;
  data.name = data.variable = host.starts_with("::") ? host.substr(2) : host;
  data.address = "&" + host;
  data.bytes = data.elementBytes = "sizeof(" + host + ")";
  data.loc = at;
  return data;
}

/// The address of an object that has the value of an expression, for host text of either language.
std::string heldPointer(const std::string& pointer) { return "(void *[]){(void *)(" + pointer + ")}"; }

}  // namespace

// Instantiations have one text, in which a parameter of the template has its own name.
std::string AccBodies::hostName(const VarDecl& var, const Expr* written) const {
  if (!scope) return reader.hostName(var, written);
  const auto given = scope->givenReferences.find(var.getCanonicalDecl());
  return given == scope->givenReferences.end() ? reader.hostName(var, written) : given->second;
}

ir::ExprPtr AccBodies::outside(BodyImporter& body, const Expr& e, const VarDecl& var) {
  if (!scope || scope->body.get() != &body) return linked(var, unit.loc(e.getBeginLoc()));
  return captureVariable(var, hostName(var, &e), e.getBeginLoc());
}

ir::ExprPtr AccBodies::self(BodyImporter& body, ir::SourceLoc at) {
  if (!scope || scope->body.get() != &body) return nullptr;
  return captureSelf(at);
}

ir::VarPtr AccBodies::add(AccCaptured captured, Scope::From from, size_t data) {
  ir::VarPtr var = captured.var;
  scope->made.captured.push_back(std::move(captured));
  scope->dataOf.push_back({from, data});
  return var;
}

ir::ExprPtr AccBodies::captureSelf(ir::SourceLoc at) {
  if (scope->self) return ir::ref(scope->self, at);
  const auto* method = dyn_cast<CXXMethodDecl>(scope->site.function);
  while (method && method->getParent()->isLambda())
    method = dyn_cast_or_null<CXXMethodDecl>(method->getParent()->getParentFunctionOrMethod());
  if (!method) unit.unexpected("this outside of a class", scope->site.function->getLocation());
  const QualType pointee = method->getThisType()->getPointeeType();
  auto var = std::make_shared<ir::Variable>();
  var->name = "self";
  var->storage = ir::Storage::Param;
  var->type = ir::pointerType(unit.type(pointee, scope->site.function->getLocation()), ir::Space::Global,
                              pointee.isConstQualified());
  var->loc = at;
  scope->self = var;
  Scope::From from = Scope::From::First;
  size_t data = 0;
  const std::vector<AccOperand>& operands = scope->clauses.data;
  // The object, or a section of objects that it begins, before its members.
  const auto find = [&](bool isMember) {
    for (size_t i = 0; i < operands.size() && from == Scope::From::First; ++i)
      if (!operands[i].root && operands[i].reach == AccReach::Pointer &&
          (isMember ? operands[i].isPlacedMember() : operands[i].members.empty()))
        from = Scope::From::Clauses, data = i;
  };
  find(false);
  if (from == Scope::From::First && !usesOtherParts(nullptr)) find(true);
  if (from == Scope::From::First) {
    AccData whole =
        impliedData(pointee.isConstQualified() ? AccDataKind::CopyIn : AccDataKind::Copy, "this", at);
    whole.address = "this";
    whole.bytes = whole.elementBytes = "sizeof(*this)";
    data = scope->firstData.size();
    scope->firstData.push_back(std::move(whole));
  }
  add({"this", AccSeen::Pointer, var, heldPointer("this"), -1, at}, from, data);
  return ir::ref(scope->self, at);
}

// A copy of the host's value. No language passes arrays by value: they travel in a record.
ir::ExprPtr AccBodies::byValue(const VarDecl& decl, const std::string& host, SourceLocation at) {
  const QualType type = decl.getType().getNonReferenceType();
  const ir::SourceLoc loc = unit.loc(decl.getLocation());
  if (unit.runsDestructor(type))
    unit.refuse("object '" + unit.qualifiedName(decl) + "' with a destructor", at);
  if (scope->changed.contains(decl.getCanonicalDecl())) keep(decl, host);
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->storage = ir::Storage::Param;
  var->loc = loc;
  var->type = unit.type(type, at);
  if (var->type->isPointer()) var->type = ir::withSpace(var->type, ir::Space::Global);
  if (!var->type->is(ir::TypeKind::Array)) {
    add({unit.qualifiedName(decl), AccSeen::Value, var, "&" + host, -1, loc}, Scope::From::None, 0);
    scope->body->locals[&decl] = var;
    return ir::ref(var, unit.loc(at));
  }
  if (unit.ast.getTypeSizeInChars(type).getQuantity() > mostBytesByValue)
    return captureOwnArray(decl, host, at, true);
  auto record = std::make_shared<ir::Record>();
  record->name = "hone_held_" + scope->made.name + "_" + decl.getNameAsString();
  record->fields.push_back({"all", var->type});
  record->offsets.push_back(0);
  record->size = ir::sizeOf(*var->type);
  record->align = ir::alignOf(*var->type);
  result.module.records.push_back(record);
  var->type = ir::structType(record);
  add({unit.qualifiedName(decl), AccSeen::Value, var, "&" + host, -1, loc}, Scope::From::None, 0);
  scope->held[decl.getCanonicalDecl()] = var;
  return ir::member(ir::ref(var, unit.loc(at)), 0, unit.loc(at));
}

// Extents of arrays of variable length are numbers that the host works out by sizeof.
void AccBodies::extents(const VarDecl& decl, const std::string& host) {
  QualType type = decl.getType().getNonReferenceType();
  std::string element = "(" + host + ")";
  const auto step = [&](QualType inner) {
    type = inner;
    element += "[0]";
  };
  while (type->isPointerType() && type->isVariablyModifiedType()) step(type->getPointeeType());
  while (isFlatArray(type, unit.ast)) {
    const ArrayType* array = unit.ast.getAsArrayType(type);
    if (const auto* variable = dyn_cast<VariableArrayType>(array);
        variable && variable->getSizeExpr() && !scope->body->lengths.contains(variable->getSizeExpr())) {
      auto var = std::make_shared<ir::Variable>();
      var->name = decl.getNameAsString() + "_extent";
      var->storage = ir::Storage::Param;
      var->type = ir::int64();
      var->isConst = true;
      var->loc = unit.loc(decl.getLocation());
      scope->body->lengths[variable->getSizeExpr()] = var;
      add({unit.qualifiedName(decl), AccSeen::HostTrips, var,
           "(long long)(sizeof(" + element + ") / sizeof(" + element + "[0]))", -1, var->loc},
          Scope::From::None, 0);
    }
    step(array->getElementType());
  }
}

void AccBodies::refuseUnreachable(const VarDecl& decl, SourceLocation at) {
  const std::string name = unit.qualifiedName(decl);
  if (decl.getTLSKind() != VarDecl::TLS_None) unit.refuse("thread-local variable '" + name + "'", at);
  if (decl.getStorageClass() == SC_Register)
    unit.refuse("variable '" + name + "' has storage class register and so no address", at);
  const QualType type = decl.getType().getNonReferenceType();
  if (type->isFunctionPointerType() || type->isMemberPointerType())
    unit.refuse("pointer to a function '" + name + "', which means another function on the device", at);
  // Objects whose pointers no clause can name: on the device they would lead to the host's memory.
  const CXXRecordDecl* record = unit.ast.getBaseElementType(type)->getAsCXXRecordDecl();
  if (!record || (!record->isLambda() && unit.isUserCode(record->getLocation()))) return;
  if (!ir::holdsPointer(*unit.type(unit.ast.getBaseElementType(type), at))) return;
  if (record->isLambda())
    unit.refuse("lambda '" + name + "' holds pointers or references, which lead to the host's memory", at);
  unit.refuse("object '" + name + "' of class '" + unit.qualifiedName(*record) +
                  "', whose pointers lead to the host's memory; take the pointer to its data outside",
              at);
}

// What a clause of the construct says of a variable, its own memory or what it points to before the rest.
AccBodies::Named AccBodies::namedIn(const VarDecl& key, bool isPointer) const {
  Named best;
  const std::vector<AccOperand>& operands = scope->clauses.data;
  const auto rank = [](const AccOperand& one) {
    return (one.members.empty() ? 0 : 2) + (one.isWhole ? 0 : 1);
  };
  const auto look = [&](AccReach reach) {
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].root || operands[i].root->getCanonicalDecl() != &key) continue;
      best.isDeeper = best.isDeeper || operands[i].reach == AccReach::Deeper;
      const bool isBetter = !best.operand || rank(operands[i]) < rank(operands[*best.operand]);
      const bool isPlaced = operands[i].members.empty() || operands[i].isPlacedMember();
      if (operands[i].reach == reach && isPlaced && isBetter) best.operand = i;
    }
  };
  look(isPointer ? AccReach::Pointer : AccReach::Object);
  if (isPointer && !best.operand) {
    look(AccReach::Object);
    best.isPointerItself = best.operand.has_value();
  }
  best.isPart = best.operand && !operands[*best.operand].members.empty() && usesOtherParts(&key);
  return best;
}

ir::ExprPtr AccBodies::captureVariable(const VarDecl& decl, const std::string& host, SourceLocation at) {
  const ir::SourceLoc loc = unit.loc(at);
  const VarDecl* key = decl.getCanonicalDecl();
  if (const auto known = scope->body->locals.find(&decl); known != scope->body->locals.end())
    return ir::ref(known->second, loc);
  if (const auto known = scope->objects.find(key); known != scope->objects.end())
    return ir::deref(ir::ref(known->second, loc), loc);
  if (const auto known = scope->sections.find(key); known != scope->sections.end())
    return ir::addressOf(ir::subscript(ir::deref(ir::ref(known->second, loc), loc), {ir::intLit(0)}, loc),
                         ir::Space::Global, loc);
  if (const auto known = scope->held.find(key); known != scope->held.end())
    return ir::member(ir::ref(known->second, loc), 0, loc);
  const QualType type = decl.getType().getNonReferenceType();
  const bool isFlat = isFlatArray(type, unit.ast);
  refuseUnreachable(decl, at);
  if (type->isVariablyModifiedType()) extents(decl, host);
  if (scope->privates.contains(key) || scope->ownSections.contains(key))
    return capturePrivate(decl, host, at);
  if (scope->firstPrivates.contains(key)) {
    if (isFlat) return captureOwnArray(decl, host, at, true);
    return byValue(decl, host, at);
  }

  const Named named = namedIn(*key, type->isPointerType());
  const bool isAggregate = type->isArrayType() || type->isRecordType();
  if (const auto given = scope->givenPointers.find(key); given != scope->givenPointers.end())
    return captureGiven(decl, given->second, at, named.operand);
  const bool isVisible = scope->visible.contains(key), isReduced = scope->reduced.contains(key);
  if (!named.operand && !named.isDeeper && !isVisible && !isReduced &&
      scope->clauses.defaultClause == AccDefault::None && scope->undeclared.insert(key).second)
    result.messages.push_back(
        {loc,
         "variable '" + unit.qualifiedName(decl) + "' stands in no data clause, which default(none) asks for",
         true});
  if (type->isPointerType() && !named.isPointerItself) return capturePointer(decl, host, at, named);
  const bool changesInKernels =
      scope->clauses.construct == AccConstruct::Kernels && scope->changed.contains(key);
  if (named.operand || isAggregate || isReduced || isVisible || changesInKernels)
    return captureObject(decl, host, at, named);
  return byValue(decl, host, at);
}

ir::ExprPtr AccBodies::capturePrivate(const VarDecl& decl, const std::string& host, SourceLocation at) {
  const QualType type = decl.getType().getNonReferenceType();
  if (scope->changed.contains(decl.getCanonicalDecl())) keep(decl, host);
  if (isFlatArray(type, unit.ast)) return captureOwnArray(decl, host, at, false);
  refuseConstructor(decl, at);
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->loc = unit.loc(decl.getLocation());
  var->type = unit.type(type, at);
  AccCaptured captured{unit.qualifiedName(decl), AccSeen::Private, var, "", -1, var->loc};
  if (const auto section = scope->ownSections.find(decl.getCanonicalDecl());
      section != scope->ownSections.end()) {
    var->type = ir::withSpace(var->type, ir::Space::Global);
    captured.section = section->second;
  }
  scope->body->locals[&decl] = var;
  add(std::move(captured), Scope::From::None, 0);
  return ir::ref(var, unit.loc(at));
}

std::shared_ptr<ir::Variable> AccBodies::parameterFor(const VarDecl& decl) const {
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->storage = ir::Storage::Param;
  var->loc = unit.loc(decl.getLocation());
  return var;
}

// Without a clause, the device looks up what it has there; where clauses name what lies behind members, it
// needs the object with the members too; likewise where clauses name some of its members.
ir::ExprPtr AccBodies::capturePointer(const VarDecl& decl, const std::string& host, SourceLocation at,
                                      const Named& named) {
  const ir::SourceLoc loc = unit.loc(at);
  Scope::From from = Scope::From::Clauses;
  size_t data = named.operand.value_or(0);
  if (!named.operand || named.isPart) {
    const bool isObject = named.isDeeper || named.isPart;
    AccData implied = impliedData(isObject ? AccDataKind::Copy : AccDataKind::Lookup, host, loc);
    implied.address = host;
    implied.elementBytes = isObject ? "sizeof(*" + host + ")" : "";
    implied.bytes = isObject ? implied.elementBytes : "0";
    from = isObject ? Scope::From::First : Scope::From::Last;
    std::vector<AccData>& list = isObject ? scope->firstData : scope->lastData;
    data = list.size();
    list.push_back(std::move(implied));
  }
  const auto var = parameterFor(decl);
  var->type = ir::withSpace(unit.type(decl.getType().getNonReferenceType(), at), ir::Space::Global);
  scope->body->locals[&decl] =
      add({unit.qualifiedName(decl), AccSeen::Pointer, var, "&" + host, -1, var->loc}, from, data);
  return ir::ref(scope->body->locals[&decl], loc);
}

ir::ExprPtr AccBodies::captureObject(const VarDecl& decl, const std::string& host, SourceLocation at,
                                     const Named& named) {
  const ir::SourceLoc loc = unit.loc(at);
  const QualType type = decl.getType().getNonReferenceType();
  const QualType element = unit.ast.getBaseElementType(type);
  const bool isAggregate = type->isArrayType() || type->isRecordType();
  Scope::From from = Scope::From::Clauses;
  size_t data = named.operand.value_or(0);
  if (!named.operand || named.isPart) {
    if (type->isIncompleteArrayType())
      unit.refuse("array '" + unit.qualifiedName(decl) +
                      "' whose length this file does not know; name its section in a clause",
                  at);
    // What is only changed by way of other data comes back with that.
    const bool isRead = element.isConstQualified() || scope->hidden.contains(decl.getCanonicalDecl());
    AccDataKind kind = isRead ? AccDataKind::CopyIn : AccDataKind::Copy;
    if (isAggregate && scope->clauses.defaultClause == AccDefault::Present && !named.isDeeper)
      kind = AccDataKind::Present;
    from = Scope::From::First;
    data = scope->firstData.size();
    scope->firstData.push_back(impliedData(kind, host, loc));
    scope->firstData.back().elementBytes = "sizeof(" + elementText(type, host) + ")";
  }
  const auto var = parameterFor(decl);
  var->type = ir::pointerType(unit.type(type, at), ir::Space::Global, element.isConstQualified(),
                              element.isVolatileQualified());
  const bool isFlat = isFlatArray(type, unit.ast);
  AccCaptured captured{unit.qualifiedName(decl),
                       isFlat ? AccSeen::Pointer : AccSeen::Object,
                       var,
                       isFlat ? heldPointer(host) : "&" + host,
                       -1,
                       var->loc};
  captured.mayLieInOther = decl.getType()->isReferenceType();
  scope->objects[decl.getCanonicalDecl()] = add(std::move(captured), from, data);
  return ir::deref(ir::ref(var, loc), loc);
}

// A variable that a template's pointer stands for: like what other pointers lead to.
ir::ExprPtr AccBodies::captureGiven(const VarDecl& decl, const std::string& pointer, SourceLocation at,
                                    std::optional<size_t> operand) {
  const QualType type = decl.getType().getNonReferenceType();
  const QualType element = unit.ast.getBaseElementType(type);
  if (!operand) {
    AccData implied = impliedData(AccDataKind::Lookup, pointer, unit.loc(at));
    implied.address = pointer;
    implied.bytes = "0";
    scope->lastData.push_back(std::move(implied));
  }
  const auto var = parameterFor(decl);
  var->type = ir::pointerType(unit.type(type, at), ir::Space::Global, element.isConstQualified(),
                              element.isVolatileQualified());
  scope->objects[decl.getCanonicalDecl()] =
      add({pointer, AccSeen::Pointer, var, heldPointer(pointer), -1, var->loc},
          operand ? Scope::From::Clauses : Scope::From::Last, operand.value_or(scope->lastData.size() - 1));
  return ir::deref(ir::ref(var, unit.loc(at)), unit.loc(at));
}

}  // namespace hone::frontend
