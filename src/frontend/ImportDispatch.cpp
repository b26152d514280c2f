// Calls that are decided while the kernel runs: of virtual functions, and through pointers to functions. Each
// becomes a choice among the functions that it may lead to, by numbers that stand for functions and classes.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "frontend/DispatchTargets.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

const DispatchTargets& UnitImporter::dispatchTargets() {
  if (!targets)
    targets = std::make_shared<DispatchTargets>(ast, [this](SourceLocation at) { return isUserCode(at); });
  return *targets;
}

// A constructor that makes its object where it is told to, and not as a value.
ir::FunctionPtr UnitImporter::constructorInPlace(const CXXConstructorDecl& decl, SourceLocation at) {
  const ir::FunctionPtr byValue = function(decl, at);
  ir::FunctionPtr& made = inPlace[byValue.get()];
  if (!made) {
    made = std::make_shared<ir::Function>(*byValue);
    made->kind = ir::FunctionKind::Method;
    made->name += " in place";
    made->writesMemory = true;
    module.functions.push_back(made);
  }
  return made;
}

namespace {

ir::ExprPtr idLiteral(uint64_t id, ir::SourceLoc at) {
  return ir::makeExpr(ir::uint64(), ir::IntLiteral{id, "", ""}, at);
}

}  // namespace

// Where an object has the number of its class.
ir::ExprPtr UnitImporter::classIdOf(ir::ExprPtr object, const CXXRecordDecl& record, ir::SourceLoc at) {
  if (hasOwnClassId(record)) return ir::member(std::move(object), 0, at);
  for (const CXXBaseSpecifier& specifier : record.bases()) {
    const CXXRecordDecl* base = specifier.getType()->getAsCXXRecordDecl();
    if (!base || !base->isPolymorphic()) continue;
    const auto index = int(&specifier - record.bases_begin());
    const ir::TypePtr type = object->type->record->bases[size_t(index)];
    return classIdOf(ir::makeExpr(type, ir::Member{std::move(object), 0, index}, at), *base, at);
  }
  unexpected("class without virtual functions", record.getLocation());
}

// Makes what is an object of `record` in the text one of class `as`.
ir::StmtPtr UnitImporter::giveClass(const ir::ExprPtr& object, const CXXRecordDecl& record,
                                    const CXXRecordDecl& as, ir::SourceLoc at) {
  return ir::assign(classIdOf(object, record, at), idLiteral(dispatchId(as), at), at);
}

ir::ExprPtr BodyImporter::functionValue(const FunctionDecl& callee, const Expr* e) {
  if (!unit.kernelsToRun || !callee.hasAttr<CUDADeviceAttr>()) refuse("address of a function", e);
  return idLiteral(dispatchId(callee), loc(e));
}

// The choice by `id`; what it cannot be ends the kernel with a finding. Arguments may be repeated.
ir::ExprPtr BodyImporter::choose(const Expr& e, const ir::ExprPtr& id,
                                 const std::vector<DispatchTarget>& among,
                                 const std::vector<ir::ExprPtr>& args, bool isObject) {
  const ir::SourceLoc at = loc(&e);
  const ir::TypePtr type = among.front().function->returnType;
  ir::VarPtr result;
  if (!type->is(ir::TypeKind::Void)) {
    auto var = std::make_shared<ir::Variable>();
    var->name = "result";
    var->type = type;
    var->loc = at;
    result = var;
    emit(ir::Declare{result, nullptr}, at);
  }
  ir::Call wrong;
  wrong.intrinsic = &ir::intrinsic("bad_call");
  wrong.args = {ir::boolLit(isObject, at)};
  ir::StmtPtr otherwise =
      ir::block({ir::makeStmt(ir::Eval{ir::makeExpr(ir::voidType(), std::move(wrong), at)}, at)}, at);
  for (size_t i = among.size(); i-- > 0;) {
    const ir::FunctionPtr& function = among[i].function;
    if (!ir::sameType(function->returnType, type)) refuse("overriders that return different types", &e);
    ir::ExprPtr isThis;
    for (const uint64_t one : among[i].ids) {
      ir::ExprPtr equal = ir::binary(ir::BinaryOp::Eq, id, idLiteral(one, at), at);
      isThis = isThis ? ir::binary(ir::BinaryOp::LogicalOr, isThis, equal, at) : equal;
    }
    ir::Call call;
    call.function = function;
    call.args = args;
    if (isObject) call.args[0] = ir::convert(call.args[0], function->params[0]->type, true);
    writesMemory = writesMemory || function->writesMemory;
    readsMemory = readsMemory || function->readsMemory;
    usesCoords = usesCoords || function->usesCoords;
    synchronizes = synchronizes || function->synchronizes;
    ir::ExprPtr value = ir::makeExpr(type, std::move(call), at);
    ir::StmtPtr step = result ? ir::makeStmt(ir::Assign{ir::ref(result, at), std::nullopt, value, false}, at)
                              : ir::makeStmt(ir::Eval{value}, at);
    otherwise = ir::block({ir::makeStmt(ir::If{isThis, ir::block({step}, at), otherwise}, at)}, at);
  }
  emit(otherwise->node, at);
  return result ? ir::ref(result, at) : nullptr;
}

// Functions by the classes of objects that they are for.
std::vector<BodyImporter::DispatchTarget> BodyImporter::targetsOf(
    const CXXRecordDecl& base, const std::function<ir::FunctionPtr(const CXXRecordDecl&)>& of) {
  std::vector<DispatchTarget> among;
  for (const CXXRecordDecl* one : unit.dispatchTargets().objectsOf(base)) {
    const ir::FunctionPtr function = of(*one);
    if (!function) continue;
    auto known = among.begin();
    while (known != among.end() && known->function != function) ++known;
    if (known == among.end()) known = among.insert(among.end(), DispatchTarget{{}, function});
    known->ids.push_back(dispatchId(*one));
  }
  return among;
}

ir::ExprPtr BodyImporter::virtualCall(const Expr& e, const CXXMethodDecl& method,
                                      llvm::ArrayRef<const Expr*> args, const Expr* object) {
  if (isa<CXXDestructorDecl>(method)) refuse("call of a virtual destructor", &e);
  const CXXRecordDecl& base = *method.getParent();
  const CXXMethodDecl* first = nullptr;
  const std::vector<DispatchTarget> among = targetsOf(base, [&](const CXXRecordDecl& one) -> ir::FunctionPtr {
    const CXXMethodDecl* own = method.getCorrespondingMethodInClass(&one, true);
    if (!own || own->isPureVirtual() || !own->hasAttr<CUDADeviceAttr>()) return nullptr;
    if (!first) first = own;
    return unit.function(*own, e.getBeginLoc());
  });
  if (among.empty())
    refuse(
        "virtual function '" + unit.qualifiedName(method) + "', which no class in sight has for the device",
        &e);
  const ir::SourceLoc at = loc(&e);
  ir::Call node;
  node.args.push_back(reusable(objectPointer(object, method), "object"));
  callArguments(e, *first, *among.front().function, 1, args, node.args);
  for (ir::ExprPtr& arg : node.args) arg = reusable(arg, "argument");
  const ir::TypePtr type =
      ir::pointerType(unit.type(QualType(unit.ast.getCanonicalTagType(&base)), e.getBeginLoc()),
                      node.args[0]->type->space, node.args[0]->type->isConst);
  readsMemory = true;
  const ir::ExprPtr whole = ir::deref(ir::convert(node.args[0], type, true), at);
  const ir::ExprPtr id = temporary("class", unit.classIdOf(whole, base, at));
  return choose(e, id, among, node.args, true);
}

ir::ExprPtr BodyImporter::pointerCall(const CallExpr& e) {
  const Expr* callee = e.getCallee()->IgnoreParenImpCasts();
  if (const auto* deref = dyn_cast<UnaryOperator>(callee); deref && deref->getOpcode() == UO_Deref)
    callee = deref->getSubExpr()->IgnoreParens();
  QualType type = e.getCallee()->getType();
  if (!unit.kernelsToRun || !type->isPointerType()) refuse("call through a function pointer", &e);
  type = type->getPointeeType();
  const FunctionDecl* first = nullptr;
  std::vector<DispatchTarget> among;
  for (const FunctionDecl* fn : unit.dispatchTargets().functionsOf(type)) {
    const ir::FunctionPtr function = unit.function(*fn, e.getBeginLoc());
    if (!first) first = fn->getDefinition() ? fn->getDefinition() : fn;
    among.push_back({{dispatchId(*fn)}, function});
  }
  if (among.empty())
    refuse("call through a function pointer, and no function of its type has its address taken here", &e);
  const ir::ExprPtr id =
      temporary("function",
                callee->isGLValue() && !callee->getType()->isFunctionType() ? place(callee) : value(callee));
  std::vector<const Expr*> given(e.arg_begin(), e.arg_end());
  std::vector<ir::ExprPtr> args;
  callArguments(e, *first, *among.front().function, 0, given, args);
  for (ir::ExprPtr& arg : args) arg = reusable(arg, "argument");
  return choose(e, id, among, args, false);
}

}  // namespace hone::frontend
