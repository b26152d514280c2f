// Short ways to build IR in the tests of emission.
#pragma once

#include "emit/Emit.h"
#include "ir/Kernel.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::test {

inline ir::VarPtr variable(std::string name, ir::TypePtr type, ir::Space space = ir::Space::Private) {
  auto v = std::make_shared<ir::Variable>();
  v->name = std::move(name);
  v->type = std::move(type);
  v->space = space;
  return v;
}

inline ir::VarPtr param(std::string name, ir::TypePtr type) {
  auto v = std::make_shared<ir::Variable>();
  v->name = std::move(name);
  v->type = std::move(type);
  v->storage = ir::Storage::Param;
  return v;
}

// std::ref would be found instead of ir::ref.
inline ir::ExprPtr use(const ir::VarPtr& v) { return ir::ref(v); }

inline ir::StmtPtr declare(const ir::VarPtr& v, ir::ExprPtr init = nullptr) {
  return ir::makeStmt(ir::Declare{v, std::move(init)});
}

inline ir::StmtPtr compound(ir::ExprPtr place, ir::BinaryOp op, ir::ExprPtr value, bool increment = false) {
  return ir::makeStmt(ir::Assign{std::move(place), op, std::move(value), increment});
}

inline ir::TypePtr floatPointer() { return ir::pointerType(ir::floatType(32), ir::Space::Global); }
inline ir::TypePtr intPointer() { return ir::pointerType(ir::int32(), ir::Space::Global); }

// The statements of a kernel body as printed, without the outer braces and their indentation.
inline std::string bodyText(ir::StmtList stmts, std::vector<ir::VarPtr> params = {},
                            ir::Language to = ir::Language::Cuda, ir::Language from = ir::Language::Cuda) {
  ir::Kernel kernel;
  kernel.name = "k";
  kernel.language = from;
  kernel.params = std::move(params);
  kernel.body = ir::block(std::move(stmts));
  emit::EmitOptions options;
  options.language = to;
  emit::EmitResult result = emit::emitBody(kernel, options);
  if (!result.ok()) return "error: " + result.errors[0].reason;
  std::string text = result.text.substr(2, result.text.size() - 3), out;
  for (size_t i = 0; i < text.size();) {
    size_t end = text.find('\n', i);
    size_t skip = text.compare(i, 2, "  ") == 0 ? 2 : 0;
    out += text.substr(i + skip, end - i - skip) + "\n";
    i = end + 1;
  }
  return out;
}

inline std::string text(const ir::ExprPtr& e, ir::Language language = ir::Language::Cuda) {
  return emit::emitExpr(e, language);
}

}  // namespace hone::test
