// Closures: an object with a member for each capture, and a call that reads its captures from there.
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

// Which members of the closure stand for which variables, where this is the call of one.
void BodyImporter::noteCaptures(const CXXMethodDecl& call) {
  if (!call.getParent()->isLambda()) return;
  llvm::DenseMap<const ValueDecl*, FieldDecl*> fields;
  FieldDecl* self = nullptr;
  call.getParent()->getCaptureFields(fields, self);
  for (const auto& [variable, field] : fields) captures[variable] = field;
  capturedThis = self;
}

ir::ExprPtr BodyImporter::captured(const ValueDecl& decl, ir::SourceLoc at) {
  const auto it = captures.find(&decl);
  if (it == captures.end()) return nullptr;
  ir::ExprPtr object = ir::deref(ir::ref(thisVar, at), at);
  return fieldPlace(object, *it->second, at);
}

// `this` in a closure is the object around it: its address, or a copy.
ir::ExprPtr BodyImporter::thisPointer(ir::SourceLoc at) {
  if (unit.extension)
    if (ir::ExprPtr outer = unit.extension->self(*this, at)) return outer;
  ir::ExprPtr self = ir::ref(thisVar, at);
  if (!capturedThis) return self;
  ir::ExprPtr held = fieldPlace(ir::deref(self, at), *capturedThis, at);
  return held->type->isPointer() ? held : addressOf(held);
}

ir::ExprPtr BodyImporter::closure(const LambdaExpr& e) {
  if (!unit.toRun)
    refuse(
        "a lambda is part of it, whose type new text cannot name: write a function, or a struct with "
        "operator()",
        &e);
  std::vector<const Expr*> parts(e.capture_init_begin(), e.capture_init_end());
  std::set<size_t> bound;
  size_t at = 0;
  for (const FieldDecl* field : e.getLambdaClass()->fields()) {
    if (field->getType()->isReferenceType()) bound.insert(at);
    if (field->getType()->isArrayType()) refuse("array held by a lambda", &e);
    ++at;
  }
  return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), ir::Construct{sequenced(parts, bound)},
                      loc(&e));
}

}  // namespace hone::frontend
