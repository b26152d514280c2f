// Short ways to write IR in tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "ir/Dump.h"
#include "ir/Verify.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir::test {

inline TypePtr f32() { return floatType(32); }
inline TypePtr f64() { return floatType(64); }
inline TypePtr ptr(TypePtr element, Space space = Space::Global) {
  return pointerType(std::move(element), space);
}

inline std::shared_ptr<Variable> variable(std::string name, TypePtr type, Storage storage = Storage::Local,
                                          Space space = Space::Private) {
  auto var = std::make_shared<Variable>();
  var->name = std::move(name);
  var->type = std::move(type);
  var->storage = storage;
  var->space = space;
  return var;
}
inline VarPtr local(std::string name, TypePtr type = int32()) {
  return variable(std::move(name), std::move(type));
}
inline VarPtr param(std::string name, TypePtr type = int32()) {
  return variable(std::move(name), std::move(type), Storage::Param);
}
inline VarPtr shared(std::string name, TypePtr type) {
  return variable(std::move(name), std::move(type), Storage::Local, Space::Shared);
}

inline StmtPtr declare(const VarPtr& var, ExprPtr init = nullptr) {
  return makeStmt(Declare{var, std::move(init)});
}
inline StmtPtr update(ExprPtr place, BinaryOp op, ExprPtr value) {
  return makeStmt(Assign{std::move(place), op, std::move(value), false});
}
inline StmtPtr ifThen(ExprPtr cond, StmtList then) {
  return makeStmt(If{std::move(cond), block(std::move(then)), nullptr});
}
inline StmtPtr ifElse(ExprPtr cond, StmtList then, StmtList otherwise) {
  return makeStmt(If{std::move(cond), block(std::move(then)), block(std::move(otherwise))});
}
inline StmtPtr forLoop(StmtList init, ExprPtr cond, StmtList step, StmtList body) {
  return makeStmt(For{std::move(init), std::move(cond), std::move(step), block(std::move(body)), 0});
}
inline StmtPtr whileLoop(ExprPtr cond, StmtList body) {
  return makeStmt(While{std::move(cond), block(std::move(body)), 0});
}
inline StmtPtr ret(ExprPtr value = nullptr) { return makeStmt(Return{std::move(value)}); }
inline StmtPtr breakOut() { return makeStmt(Break{}); }

inline ExprPtr at(const VarPtr& array, ExprPtr index) { return subscript(ref(array), {std::move(index)}); }
inline ExprPtr lit(int64_t value) { return intLit(value); }
inline ExprPtr lt(ExprPtr a, ExprPtr b) { return binary(BinaryOp::Lt, std::move(a), std::move(b)); }
inline ExprPtr add(ExprPtr a, ExprPtr b) { return binary(BinaryOp::Add, std::move(a), std::move(b)); }
inline ExprPtr mul(ExprPtr a, ExprPtr b) { return binary(BinaryOp::Mul, std::move(a), std::move(b)); }
inline ExprPtr tid(unsigned axis = 0) { return coord(CoordKind::ThreadIdx, axis); }
inline ExprPtr globalId(unsigned axis = 0) {
  return add(mul(coord(CoordKind::BlockIdx, axis), coord(CoordKind::BlockDim, axis)), tid(axis));
}

inline ExprPtr call(const FunctionPtr& f, std::vector<ExprPtr> args) {
  Call node;
  node.function = f;
  node.args = std::move(args);
  return makeExpr(f->returnType, std::move(node));
}
inline ExprPtr call(std::string_view id, TypePtr type, std::vector<ExprPtr> args) {
  Call node;
  node.intrinsic = &intrinsic(id);
  node.args = std::move(args);
  return makeExpr(std::move(type), std::move(node));
}
inline StmtPtr eval(ExprPtr e) { return makeStmt(Eval{std::move(e)}); }

inline FunctionPtr function(std::string name, TypePtr result, std::vector<VarPtr> params, StmtList body) {
  auto f = std::make_shared<Function>();
  f->name = std::move(name);
  f->returnType = std::move(result);
  f->params = std::move(params);
  f->body = block(std::move(body));
  return f;
}
inline KernelPtr kernel(std::vector<VarPtr> params, StmtList body, std::string name = "k") {
  auto k = std::make_shared<Kernel>();
  k->name = k->qualifiedName = std::move(name);
  k->params = std::move(params);
  k->body = block(std::move(body));
  return k;
}

inline SourceLoc lineOf(unsigned line) { return {internFile("test.cu"), line, 1}; }

inline std::string joinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}
// The numbers of the rules that a list of violations names, in order, each once.
inline std::vector<int> rules(const std::vector<std::string>& violations) {
  std::vector<int> result;
  for (const std::string& violation : violations) {
    size_t start = violation.find("rule ");
    if (start != std::string::npos) result.push_back(std::stoi(violation.substr(start + 5)));
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace hone::ir::test
