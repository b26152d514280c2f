// Kernels, device functions and global variables.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/BitFields.h"
#include "frontend/ConstantValues.h"
#include "frontend/FunctionEffects.h"
#include "frontend/Importer.h"
#include "frontend/InstantiateNow.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// Const references may then be passed by value: what they refer to does not change meanwhile.
bool onlyReads(const FunctionDecl& fn, FunctionEffects& effects) {
  const QualType result = fn.getReturnType();
  if (result->isReferenceType() || result->isPointerType()) return false;
  if (const auto* method = dyn_cast<CXXMethodDecl>(&fn))
    if (method->isInstance() && !method->isConst() && !isa<CXXConstructorDecl>(fn)) return false;
  if (const auto* method = dyn_cast<CXXMethodDecl>(&fn); method && method->getParent()->isLambda())
    return false;
  bool hasReference = false;
  for (const ParmVarDecl* p : fn.parameters()) {
    const QualType t = p->getType();
    hasReference |= t->isReferenceType();
    if ((t->isReferenceType() || t->isPointerType()) && !t->getPointeeType().isConstQualified()) return false;
  }
  return !hasReference || effects.takesCopies(fn);
}

/// The first temporary below whose end would run the user's code.
const Expr* destroyedTemporary(const Stmt* s, const UnitImporter& unit) {
  if (!s) return nullptr;
  if (const auto* held = dyn_cast<CXXBindTemporaryExpr>(s); held && unit.runsDestructor(held->getType()))
    return held;
  for (const Stmt* child : s->children())
    if (const Expr* found = destroyedTemporary(child, unit)) return found;
  return nullptr;
}

/// `cta = this_thread_block()` that served for barriers alone, which are statements of their own here: it
/// says nothing about the launch.
class UnusedBlocks : public ir::Rewriter {
 public:
  explicit UnusedBlocks(const ir::StmtPtr& body) {
    ir::walkExprs(body, [&](const ir::Expr& e) {
      if (const auto* use = e.as<ir::VarRef>()) used.insert(use->var.get());
    });
  }

 private:
  std::set<const ir::Variable*> used;
  ir::StmtList mapStmt(const ir::StmtPtr& s) override {
    const auto* declared = ir::as<ir::Declare>(s);
    const auto* made = declared ? ir::as<ir::Call>(declared->init) : nullptr;
    const bool isBlock = made && made->intrinsic && made->intrinsic->id == "this_thread_block";
    return isBlock && !used.contains(declared->var.get()) ? ir::StmtList{} : ir::StmtList{s};
  }
};

}  // namespace

FunctionEffects& UnitImporter::effects() {
  if (!functionEffects)
    functionEffects = std::make_shared<FunctionEffects>([this](SourceLocation at) { return isUserCode(at); });
  return *functionEffects;
}

std::vector<ir::VarPtr> BodyImporter::parameters(bool isKernel) {
  std::vector<ir::VarPtr> params;
  if (const auto* method = dyn_cast<CXXMethodDecl>(&fn); method && method->isInstance()) {
    auto self = std::make_shared<ir::Variable>();
    self->name = "this";
    self->storage = ir::Storage::Param;
    const QualType pointee = method->getThisType()->getPointeeType();
    self->type =
        ir::pointerType(unit.type(pointee, fn.getLocation()), ir::Space::Generic, pointee.isConstQualified());
    self->loc = unit.loc(fn.getLocation());
    thisVar = self;
    params.push_back(self);
    noteCaptures(*method);
  }
  // Files that are linked must agree without seeing the body.
  const bool byValue = !unit.isLinked(fn) && onlyReads(fn, unit.effects());
  for (const ParmVarDecl* p : fn.parameters()) {
    auto var = std::make_shared<ir::Variable>();
    var->name = p->getNameAsString();
    var->storage = ir::Storage::Param;
    var->loc = unit.loc(p->getLocation());
    QualType t = p->getType();
    if (unit.runsDestructor(t)) unit.refuse("object '" + var->name + "' with a destructor", p->getLocation());
    if (t->isReferenceType() && byValue && !isKernel && !t->getPointeeType()->isArrayType()) {
      t = t.getNonReferenceType();
      var->isConst = true;
    } else if (t->isReferenceType()) {
      var->isReference = true;
      if (isKernel) unit.refuse("kernel parameter '" + var->name + "' is a reference", p->getLocation());
    }
    var->type = unit.type(t, p->getLocation());
    if (p->getTypeSourceInfo())
      var->type = unit.withMacroName(var->type, p->getTypeSourceInfo()->getTypeLoc());
    if (!var->isReference) {
      var->isConst = var->isConst || t.isConstQualified();
      var->isVolatile = t.isVolatileQualified();
    }
    if (isKernel && !unit.openCL && var->type->isPointer())
      var->type = ir::withSpace(var->type, ir::Space::Global);
    if (isKernel) unit.refuseHugeElements(*var, *var->type, p->getLocation());
    locals[p] = var;
    params.push_back(var);
  }
  return params;
}

void BodyImporter::constructorInitializers(const CXXConstructorDecl& ctor) {
  // Bases make themselves objects of their own class first; members may call functions of this one.
  bool hasClass = !ctor.getParent()->isPolymorphic();
  const auto giveClass = [&](SourceLocation where) {
    if (std::exchange(hasClass, true)) return;
    const ir::SourceLoc at = unit.loc(where);
    writesMemory = true;
    out->push_back(
        unit.giveClass(ir::deref(ir::ref(thisVar, at), at), *ctor.getParent(), *ctor.getParent(), at));
  };
  for (const CXXCtorInitializer* init : ctor.inits()) {
    const ir::SourceLoc at = unit.loc(init->getSourceLocation());
    if (!init->isBaseInitializer()) giveClass(init->getSourceLocation());
    ir::ExprPtr object = ir::deref(ir::ref(thisVar, at), at);
    ir::ExprPtr target;
    if (init->isAnyMemberInitializer()) {
      if (init->isIndirectMemberInitializer())
        unit.refuse("initializer of an unnamed member", init->getSourceLocation());
      target = ir::member(object, fieldNumber(*init->getMember()), at);
      if (target->type->is(ir::TypeKind::Array)) {
        initializeArray(target, init->getInit());
        continue;
      }
    } else if (init->isBaseInitializer()) {
      ir::TypePtr base = unit.type(QualType(init->getBaseClass(), 0), init->getSourceLocation());
      const auto& bases = object->type->record->bases;
      for (size_t i = 0; i < bases.size(); ++i)
        if (ir::sameType(bases[i], base)) target = ir::makeExpr(base, ir::Member{object, 0, int(i)}, at);
      if (!target) unit.unexpected("base class", init->getSourceLocation());
    } else {
      unit.refuse("delegating constructor", init->getSourceLocation());
    }
    const Expr* e = unwrap(init->getInit());
    if (const CXXRecordDecl* base =
            init->isBaseInitializer() ? init->getBaseClass()->getAsCXXRecordDecl() : nullptr;
        base && base->isPolymorphic()) {
      constructAt(addressOf(target), e, *e);
      continue;
    }
    ir::ExprPtr v;
    if (init->isAnyMemberInitializer() && init->getMember()->getType()->isReferenceType()) {
      v = addressOf(place(e));
    } else if (const auto* made = dyn_cast<CXXConstructExpr>(e)) {
      const Expr* root = std::exchange(rootCall, made);
      v = construct(*made);
      rootCall = root;
      if (!v || leavesUnset(v)) continue;
    } else {
      v = rootValue(e);
    }
    emit(ir::Assign{target, std::nullopt, v, false}, at);
  }
  giveClass(ctor.getLocation());
}

void BodyImporter::checkTemporaries(const Stmt* s) const {
  if (const Expr* held = destroyedTemporary(s, unit)) refuse("temporary object with a destructor", held);
}

ir::StmtPtr BodyImporter::body() {
  const Stmt* source = fn.getBody();
  checkTemporaries(source);
  ir::StmtList list;
  out = &list;
  noteLengths();
  if (const auto* ctor = dyn_cast<CXXConstructorDecl>(&fn)) constructorInitializers(*ctor);
  const auto* compound = dyn_cast_or_null<CompoundStmt>(source);
  if (!compound) unit.unexpected("body that is no block", fn.getLocation());
  // Comments are kept for kernels only: their bodies are the ones printed back.
  keepLayout = fn.hasAttr<CUDAGlobalAttr>() || fn.hasAttr<DeviceKernelAttr>();
  if (keepLayout)
    pendingComments = unit.comments(unit.fileRange(compound->getLBracLoc(), compound->getRBracLoc()));
  statements(*compound);
  out = nullptr;
  return ir::block(std::move(list), unit.loc(compound->getLBracLoc()));
}

namespace {

ir::FunctionPtr runOnly(ir::Function function) {
  function.isRunOnly = true;
  return std::make_shared<ir::Function>(std::move(function));
}

}  // namespace

ir::FunctionPtr UnitImporter::function(const FunctionDecl& declared, SourceLocation at) {
  if (!declared.getDefinition()) instantiateNow(source.sema(), declared, at);
  const FunctionDecl* definition = declared.getDefinition();
  auto refuseErrors = [&](const FunctionDecl& fn) {
    if (const Diagnostic* error = errorIn(fn))
      throw Refusal{"Clang: " + error->text + ", in '" + qualifiedName(fn) + "'",
                    {ir::internFile(error->file), error->line, error->column}};
  };
  if (!definition || !definition->hasBody()) {
    refuseErrors(declared);
    if (declared.isPureVirtual()) refuse("virtual function", at);
    if (declared.isDefaulted() || declared.isImplicit())
      refuse("implicit function '" + qualifiedName(declared) + "'", at);
    if (isLinked(declared) && (declared.hasAttr<CUDADeviceAttr>() || extension))
      return definedElsewhere(*declared.getCanonicalDecl());
    refuse("function '" + qualifiedName(declared) + "' " + bodyElsewhere, at);
  }
  const FunctionDecl& decl = *definition;
  if (auto it = functions.find(&decl); it != functions.end()) return it->second;
  const std::string name = qualifiedName(decl);
  if (ir::FunctionPtr around = unfinished(decl)) return around;
  if (auto it = refusedFunctions.find(&decl); it != refusedFunctions.end())
    throw Refusal{it->second.reason, it->second.loc};
  if (decl.isVariadic()) refuse("function '" + name + "' with a variable number of arguments", at);
  if (const auto* method = dyn_cast<CXXMethodDecl>(&decl); method && method->isVirtual() && !kernelsToRun)
    refuse("virtual function '" + name + "'", at);
  if (decl.hasAttr<CUDAGlobalAttr>()) unexpected("call of a kernel without a launch", at);
  refuseErrors(decl);

  inProgress.push_back({&decl, nullptr});
  const size_t before = module.functions.size();
  const bool wasToRun = toRun;
  ir::FunctionPtr made;
  try {
    try {
      made = functionOf(decl, name);
      if (const auto* note = decl.getAttr<AnnotateAttr>(); note && note->getAnnotation() == "hone_run_only")
        made = runOnly(*made);
    } catch (const Refusal&) {
      if (toRun || decl.getParentFunctionOrMethod()) throw;
      // Kernels call it by its name, so that its own text need not be printed.
      toRun = true;
      made = runOnly(*functionOf(decl, name));
    }
  } catch (Refusal& refusal) {
    toRun = wasToRun;
    if (inProgress.back().callsItself) forgetFunctions(before);
    inProgress.pop_back();
    if (refusal.reason.rfind("recursion", 0) != 0 && refusal.reason.find(", in '") == std::string::npos)
      refusal.reason += ", in '" + name + "'";
    refusedFunctions.emplace(&decl, refusal);
    throw;
  }
  toRun = wasToRun;
  inProgress.pop_back();
  functions[&decl] = made;
  module.functions.push_back(made);
  if (extension) extension->imported(decl, made);
  return made;
}

bool UnitImporter::isLinked(const FunctionDecl& decl) const {
  return (linksDevice || (extension && extension->isLinked(decl))) && decl.hasExternalFormalLinkage();
}

ir::FunctionPtr UnitImporter::definedElsewhere(const FunctionDecl& decl) {
  if (auto it = functions.find(&decl); it != functions.end()) return it->second;
  BodyImporter importer(*this, decl);
  ir::FunctionPtr made = declaredFunction(decl, qualifiedName(decl));
  made->params = importer.parameters(false);
  made->writesMemory = made->readsMemory = made->usesCoords = made->synchronizes = true;
  functions[&decl] = made;
  module.functions.push_back(made);
  if (extension) extension->imported(decl, made);
  return made;
}

// A function that is called while it is being imported: all that is known of it is its signature.
ir::FunctionPtr UnitImporter::unfinished(const FunctionDecl& decl) {
  for (Started& around : inProgress) {
    if (around.decl != &decl) continue;
    if ((!kernelsToRun && !extension) || !around.made)
      refuse("recursion in device function '" + qualifiedName(decl) + "'", decl.getLocation());
    around.callsItself = true;
    ir::Function& fn = *around.made;
    fn.writesMemory = fn.readsMemory = fn.usesCoords = fn.synchronizes = true;
    return around.made;
  }
  return nullptr;
}

// Functions imported since, which may call one that was refused.
void UnitImporter::forgetFunctions(size_t from) {
  for (size_t i = from; i < module.functions.size(); ++i)
    std::erase_if(functions, [&](const auto& known) { return known.second == module.functions[i]; });
  module.functions.resize(from);
}

/// All that a declaration says but for the parameters.
ir::FunctionPtr UnitImporter::declaredFunction(const FunctionDecl& decl, const std::string& name) {
  auto made = std::make_shared<ir::Function>();
  made->name = name;
  made->loc = loc(decl.getLocation());
  if (isLinked(decl)) made->linkageName = ASTNameGenerator(ast).getName(&decl);
  const auto* method = dyn_cast<CXXMethodDecl>(&decl);
  if (isa<CXXConstructorDecl>(decl))
    made->kind = ir::FunctionKind::Constructor;
  else if (isa<CXXConversionDecl>(decl))
    made->kind = ir::FunctionKind::Conversion;
  else if (decl.isOverloadedOperator())
    made->kind = ir::FunctionKind::Operator;
  else if (method)
    made->kind = method->isStatic() ? ir::FunctionKind::StaticMethod : ir::FunctionKind::Method;
  made->returnsReference = decl.getReturnType()->isReferenceType();
  made->returnType =
      isa<CXXConstructorDecl>(decl) ? ir::voidType() : type(decl.getReturnType(), decl.getLocation());
  return made;
}

ir::FunctionPtr UnitImporter::functionOf(const FunctionDecl& decl, const std::string& name) {
  ir::FunctionPtr made = declaredFunction(decl, name);
  BodyImporter importer(*this, decl);
  made->params = importer.parameters(false);
  if (!isa<CXXConstructorDecl>(decl)) inProgress.back().made = made;
  made->body = importer.body();
  // What gives nothing back is called for something: to wait, if for nothing else.
  made->writesMemory =
      importer.writesMemory || (!isa<CXXConstructorDecl>(decl) && decl.getReturnType()->isVoidType());
  made->readsMemory = importer.readsMemory;
  made->usesCoords = importer.usesCoords;
  made->synchronizes = importer.synchronizes;
  return made;
}

const ir::Function* UnitImporter::imported(const FunctionDecl& definition) const {
  auto known = functions.find(&definition);
  return known == functions.end() ? nullptr : known->second.get();
}

void UnitImporter::refuseHugeElements(const ir::Variable& var, const ir::Type& type,
                                      SourceLocation at) const {
  constexpr uint64_t most = uint64_t{1} << 20;
  const ir::Type* element = &type;
  if (type.isPointer())
    element = type.element.get();
  else
    while (element->is(ir::TypeKind::Array)) element = element->element.get();
  if (ir::leafCount(*element) > most)
    refuse("'" + var.name + "' has elements of more than " + std::to_string(most) + " numbers each", at);
  if (!type.is(ir::TypeKind::Struct)) return;
  for (const ir::Field& field : type.record->fields)
    if (field.type->isPointer()) refuseHugeElements(var, *field.type, at);
}

ir::VarPtr UnitImporter::global(const VarDecl& declared, SourceLocation at) {
  const VarDecl& decl = declared.getDefinition() ? *declared.getDefinition() : declared;
  if (auto it = globals.find(decl.getCanonicalDecl()); it != globals.end()) return it->second;
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->spelling = qualifiedName(decl);
  var->linkageName = ASTNameGenerator(ast).getName(&decl);
  var->storage = ir::Storage::Global;
  var->loc = loc(decl.getLocation());
  var->type = declaredType(decl);
  if (decl.getType()->isReferenceType()) refuse("global reference '" + var->name + "'", at);
  refuseHugeElements(*var, *var->type, at);
  if (const auto* record = ast.getBaseElementType(decl.getType())->getAsCXXRecordDecl();
      record && record->hasDefinition() && record->isPolymorphic() && !decl.hasAttr<CUDASharedAttr>())
    refuse("global object '" + var->name + "' with virtual functions", at);
  const QualType element = ast.getBaseElementType(decl.getType());
  var->isConst = element.isConstQualified();
  var->isConstexpr = decl.isConstexpr();
  var->isVolatile = element.isVolatileQualified();
  if (decl.hasAttr<CUDASharedAttr>()) {
    var->space = ir::Space::Shared;
    var->isDynamicShared =
        decl.hasExternalStorage() || (var->type->is(ir::TypeKind::Array) && var->type->extent < 0);
  } else if (decl.hasAttr<CUDAConstantAttr>() ||
             (openCL && decl.getType().getAddressSpace() == LangAS::opencl_constant)) {
    var->space = ir::Space::Constant;
  } else if (decl.hasAttr<CUDADeviceAttr>() || decl.hasAttr<HIPManagedAttr>() || openCL ||
             (extension && extension->isOnDevice(decl))) {
    var->space = ir::Space::Global;
    const auto* note = decl.getAttr<AnnotateAttr>();
    var->isManaged = decl.hasAttr<HIPManagedAttr>() || (note && note->getAnnotation() == "hone_managed");
  } else if (decl.isConstexpr() || var->isConst) {
    var->space = ir::Space::Constant;
  } else if (var->type->is(ir::TypeKind::Handle)) {  // a texture reference
    var->space = ir::Space::Constant;
  } else {
    refuse("host variable '" + var->name + "' used in device code", at);
  }
  if (decl.isStaticLocal()) refuse("static variable '" + var->name + "' of another function", at);
  if (isa<ClassTemplateSpecializationDecl>(decl.getDeclContext()) && !toRun)
    refuse("static member '" + var->spelling + "' of a class template", at);
  if (decl.hasInit() && !decl.getInit()->isValueDependent() && !var->type->is(ir::TypeKind::Handle))
    if (const APValue* initial = decl.evaluateValue())
      var->init = constantFrom(*initial, var->type, var->loc);
  globals[decl.getCanonicalDecl()] = var;
  module.globals.push_back(var);
  if (extension) extension->placed(decl, var);
  return var;
}

ir::KernelPtr UnitImporter::kernel(const FunctionDecl& decl) {
  if (const Diagnostic* error = errorIn(decl))
    throw Refusal{"Clang: " + error->text, {ir::internFile(error->file), error->line, error->column}};
  auto made = std::make_shared<ir::Kernel>();
  made->name = decl.getNameAsString();
  made->qualifiedName = decl.getQualifiedNameAsString();
  made->linkageName = ASTNameGenerator(ast).getName(&decl);
  made->language = openCL ? ir::Language::OpenCL : ir::Language::Cuda;
  made->loc = loc(decl.getLocation());
  made->isExternC = decl.isExternC() && !openCL;
  made->isStatic = decl.getStorageClass() == SC_Static;
  if (const TemplateArgumentList* args = decl.getTemplateSpecializationArgs()) {
    const TemplateParameterList* params =
        decl.getPrimaryTemplate() ? decl.getPrimaryTemplate()->getTemplateParameters() : nullptr;
    for (unsigned i = 0; i < args->size(); ++i) {
      const TemplateArgument& arg = (*args)[i];
      ir::TemplateArg out;
      if (params && i < params->size()) out.param = params->getParam(i)->getNameAsString();
      switch (arg.getKind()) {
        case TemplateArgument::Type:
          out.text = typeName(arg.getAsType());
          out.type = type(arg.getAsType(), decl.getLocation());
          break;
        case TemplateArgument::Integral:
          out.isType = false;
          out.value = asInt64(arg.getAsIntegral());
          out.type = type(arg.getIntegralType(), decl.getLocation());
          out.text = arg.getIntegralType()->isBooleanType() ? (*out.value ? "true" : "false")
                                                            : std::to_string(*out.value);
          break;
        default: {
          out.isType = false;
          PrintingPolicy policy(ast.getLangOpts());
          llvm::raw_string_ostream stream(out.text);
          arg.print(policy, stream, true);
        }
      }
      made->templateArgs.push_back(std::move(out));
    }
  }
  if (const auto* bounds = decl.getAttr<CUDALaunchBoundsAttr>()) {
    ir::LaunchBounds b;
    auto read = [&](const Expr* e) { return e ? int(constantInt(*e, ast).value_or(0)) : 0; };
    b.maxThreads = read(bounds->getMaxThreads());
    b.minBlocks = read(bounds->getMinBlocks());
    b.maxCluster = read(bounds->getMaxBlocks());
    made->launchBounds = b;
  }
  if (const auto* size = decl.getAttr<ReqdWorkGroupSizeAttr>()) {
    std::array<unsigned, 3> shape{};
    const Expr* dims[3] = {size->getXDim(), size->getYDim(), size->getZDim()};
    for (int i = 0; i < 3; ++i) shape[size_t(i)] = unsigned(constantInt(*dims[i], ast).value_or(1));
    made->requiredBlock = shape;
  }
  BodyImporter importer(*this, decl);
  made->params = importer.parameters(true);
  const ir::StmtPtr body = importer.body();
  made->body = UnusedBlocks(body).rewriteBlock(body);
  return made;
}

}  // namespace hone::frontend
