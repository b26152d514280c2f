// new and delete: memory of the device's heap, constructors that work in place, destructors.
#include "clang/AST/ASTContext.h"
#include "frontend/DispatchTargets.h"
#include "frontend/Importer.h"
#include "ir/Build.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

ir::ExprPtr heapCall(const char* id, const ir::TypePtr& type, ir::ExprPtr arg, ir::SourceLoc at) {
  ir::Call node;
  node.intrinsic = &ir::intrinsic(id);
  node.args = {std::move(arg)};
  return ir::makeExpr(type, std::move(node), at);
}

ir::TypePtr bytePointer() { return ir::pointerType(ir::voidType(), ir::Space::Generic); }

}  // namespace

void BodyImporter::constructAt(const ir::ExprPtr& pointer, const Expr* init, const Expr& e) {
  const ir::SourceLoc at = loc(&e);
  const ir::ExprPtr object = ir::deref(pointer, at);
  noteAccess(object, true);
  const auto* made = dyn_cast<CXXConstructExpr>(init);
  const bool isPlain =
      !made || made->getConstructor()->isTrivial() || !object->type->is(ir::TypeKind::Struct);
  if (isPlain) {
    const Expr* saved = std::exchange(rootCall, unwrap(init));
    ir::ExprPtr v = made ? construct(*made) : rootValue(init);
    rootCall = saved;
    if (v) emit(ir::Assign{object, std::nullopt, v, false}, at);
    return;
  }
  if (made->requiresZeroInitialization())
    emit(ir::Assign{object, std::nullopt, zero(object->type, init->getBeginLoc()), false}, at);
  ir::Call node;
  node.function = unit.constructorInPlace(*made->getConstructor(), init->getBeginLoc());
  node.args.push_back(pointer);
  std::vector<const Expr*> args(made->arg_begin(), made->arg_end());
  callArguments(e, *made->getConstructor(), *node.function, 1, args, node.args);
  usesCoords = usesCoords || node.function->usesCoords;
  synchronizes = synchronizes || node.function->synchronizes;
  emit(ir::Eval{ir::makeExpr(ir::voidType(), std::move(node), at)}, at);
}

ir::ExprPtr BodyImporter::newObject(const CXXNewExpr& e) {
  if (!unit.kernelsToRun && !unit.extension) refuse("new in device code", &e);
  const ir::SourceLoc at = loc(&e);
  const QualType type = e.getAllocatedType();
  const FunctionDecl* allocates = e.getOperatorNew();
  if (!allocates || isa<CXXMethodDecl>(allocates) || unit.isUserCode(allocates->getLocation()))
    refuse("operator new of the user's", &e);
  if (e.isArray() && unit.runsDestructor(type)) refuse("new of an array of objects with destructors", &e);
  const ir::TypePtr pointer = unit.type(e.getType(), e.getBeginLoc());
  writesMemory = readsMemory = true;
  ir::ExprPtr count;
  if (e.isArray()) count = reusable(ir::convert(value(*e.getArraySize()), ir::uint64()), "count");
  ir::ExprPtr memory;
  if (allocates->isReservedGlobalPlacementOperator()) {
    memory = value(e.getPlacementArg(0));
  } else {
    const auto each = uint64_t(unit.ast.getTypeSizeInChars(type).getQuantity());
    ir::ExprPtr bytes = ir::makeExpr(ir::uint64(), ir::IntLiteral{each, "", ""}, at);
    if (count) bytes = ir::binary(ir::BinaryOp::Mul, count, bytes, at);
    memory = temporary("memory", heapCall("device_malloc", bytePointer(), bytes, at));
  }
  const ir::ExprPtr made = temporary("made", ir::convert(memory, pointer, true));
  const Expr* init = e.getInitializer();
  if (!init) return made;
  if (!e.isArray()) {
    constructAt(made, init, e);
    return made;
  }
  const auto* each = dyn_cast<CXXConstructExpr>(init);
  const bool isZero = isa<ImplicitValueInitExpr>(init) || (each && each->requiresZeroInitialization());
  if (!isZero && !each) refuse("new of an array with initial values", &e);
  if (each && each->getConstructor()->isTrivial() && !isZero) return made;
  auto index = std::make_shared<ir::Variable>();
  index->name = "element";
  index->type = ir::uint64();
  index->loc = at;
  ir::StmtList body;
  ir::StmtList* outer = std::exchange(out, &body);
  const ir::ExprPtr element = ir::subscript(made, {ir::ref(index, at)}, at);
  if (isZero) emit(ir::Assign{element, std::nullopt, zero(element->type, init->getBeginLoc()), false}, at);
  if (each && !each->getConstructor()->isTrivial()) constructAt(temporary("at", addressOf(element)), each, e);
  out = outer;
  out->push_back(ir::countingLoop({.var = index,
                                   .begin = ir::intLit(0, ir::uint64()),
                                   .end = count,
                                   .body = ir::block(std::move(body), at)},
                                  at));
  return made;
}

void BodyImporter::deleteObject(const CXXDeleteExpr& e) {
  if (!unit.kernelsToRun && !unit.extension) refuse("delete in device code", &e);
  const ir::SourceLoc at = loc(&e);
  const QualType type = e.getDestroyedType();
  const FunctionDecl* frees = e.getOperatorDelete();
  if (frees && (isa<CXXMethodDecl>(frees) || unit.isUserCode(frees->getLocation())))
    refuse("operator delete of the user's", &e);
  if (e.isArrayForm() && unit.runsDestructor(type))
    refuse("delete of an array of objects with destructors", &e);
  writesMemory = readsMemory = true;
  const ir::ExprPtr pointer = reusable(value(e.getArgument()), "deleted");
  ir::StmtList body;
  ir::StmtList* outer = std::exchange(out, &body);
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record && unit.runsDestructor(type)) {
    const CXXDestructorDecl* own = record->getDestructor();
    if (own && own->isVirtual()) {
      const std::vector<DispatchTarget> among =
          targetsOf(*record, [&](const CXXRecordDecl& one) { return unit.destructor(one, e.getBeginLoc()); });
      if (among.empty()) refuse("virtual destructor that no class in sight has for the device", &e);
      const ir::ExprPtr id = temporary("class", unit.classIdOf(ir::deref(pointer, at), *record, at));
      choose(e, id, among, {pointer}, true);
    } else {
      ir::Call call;
      call.function = unit.destructor(*record, e.getBeginLoc());
      call.args = {pointer};
      emit(ir::Eval{ir::makeExpr(ir::voidType(), std::move(call), at)}, at);
    }
  }
  emit(ir::Eval{heapCall("device_free", ir::voidType(), ir::convert(pointer, bytePointer(), true), at)}, at);
  out = outer;
  const ir::ExprPtr null = ir::makeExpr(pointer->type, ir::NullPointer{}, at);
  emit(ir::If{ir::binary(ir::BinaryOp::Ne, pointer, null, at), ir::block(std::move(body), at), nullptr}, at);
}

// The end of a whole object: the destructor's own body, then those of the bases.
ir::FunctionPtr UnitImporter::destructor(const CXXRecordDecl& record, SourceLocation at) {
  if (const auto known = destructors.find(record.getCanonicalDecl()); known != destructors.end())
    return known->second;
  auto fn = std::make_shared<ir::Function>();
  fn->name = "end of " + qualifiedName(record);
  fn->kind = ir::FunctionKind::Method;
  fn->returnType = ir::voidType();
  fn->loc = loc(record.getLocation());
  fn->writesMemory = fn->readsMemory = fn->usesCoords = fn->synchronizes = true;
  const ir::TypePtr whole = type(QualType(ast.getCanonicalTagType(&record)), at);
  auto self = std::make_shared<ir::Variable>();
  self->name = "this";
  self->storage = ir::Storage::Param;
  self->type = ir::pointerType(whole, ir::Space::Generic);
  self->loc = fn->loc;
  fn->params = {self};
  ir::StmtList body;
  const auto call = [&](const ir::FunctionPtr& function, ir::ExprPtr object) {
    ir::Call node;
    node.function = function;
    node.args = {std::move(object)};
    body.push_back(ir::makeStmt(ir::Eval{ir::makeExpr(ir::voidType(), std::move(node), fn->loc)}, fn->loc));
  };
  for (const FieldDecl* field : record.fields())
    if (runsDestructor(field->getType()))
      refuse("member '" + field->getNameAsString() + "' with a destructor", field->getLocation());
  if (const CXXDestructorDecl* own = record.getDestructor(); own && own->isUserProvided())
    call(function(*own, at), ir::ref(self));
  const auto& bases = whole->record->bases;
  for (size_t i = bases.size(); i-- > 0;) {
    const CXXRecordDecl* base = (record.bases_begin() + long(i))->getType()->getAsCXXRecordDecl();
    const QualType baseType = (record.bases_begin() + long(i))->getType();
    if (!base || !runsDestructor(baseType)) continue;
    // From here on it is an object of the base.
    if (base->isPolymorphic()) body.push_back(giveClass(ir::deref(ir::ref(self)), record, *base, fn->loc));
    const ir::ExprPtr part = ir::makeExpr(bases[i], ir::Member{ir::deref(ir::ref(self)), 0, int(i)}, fn->loc);
    call(destructor(*base, at), ir::addressOf(part, ir::Space::Generic));
  }
  fn->body = ir::block(std::move(body), fn->loc);
  module.functions.push_back(fn);
  return destructors[record.getCanonicalDecl()] = fn;
}

}  // namespace hone::frontend
