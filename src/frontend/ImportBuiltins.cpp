// Calls that the IR has statements or coordinates for: ids of OpenCL, barriers and fences, printf, assert.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"
#include "ir/PrintfFormat.h"
#include "llvm/ADT/StringRef.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

bool BodyImporter::workItemFunction(const CallExpr& e, const std::string& name, ir::ExprPtr& result) {
  static const std::pair<const char*, ir::CoordKind> table[] = {
      {"get_global_id", ir::CoordKind::GlobalId},        {"get_local_id", ir::CoordKind::ThreadIdx},
      {"get_group_id", ir::CoordKind::BlockIdx},         {"get_local_size", ir::CoordKind::BlockDim},
      {"get_num_groups", ir::CoordKind::GridDim},        {"get_global_size", ir::CoordKind::GlobalSize},
      {"get_global_offset", ir::CoordKind::GlobalOffset}};
  const ir::SourceLoc at = loc(&e);
  if (name == "get_work_dim") {
    usesCoords = true;
    result = ir::coord(ir::CoordKind::WorkDim, 0, ir::uint32(), at);
    return true;
  }
  for (auto [fnName, kind] : table) {
    if (name != fnName) continue;
    auto axis = constantInt(*e.getArg(0), unit.ast);
    if (!axis) refuse(name + " with a dimension not known at compile time", &e);
    usesCoords = true;
    ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
    if (*axis < 0 || *axis > 2) {
      const bool isSize = kind == ir::CoordKind::BlockDim || kind == ir::CoordKind::GridDim ||
                          kind == ir::CoordKind::GlobalSize;
      result = ir::intLit(isSize ? 1 : 0, type, at);
    } else {
      result = ir::coord(kind, unsigned(*axis), type, at);
    }
    return true;
  }
  return false;
}

bool BodyImporter::syncOrPrint(const CallExpr& e, const std::string& name) {
  const ir::SourceLoc at = loc(&e);
  if (name == "hone_grid_sync") {  // hone.h, hone.clh
    emit(ir::Barrier{ir::SyncScope::Grid, nullptr, true, true}, at);
    synchronizes = true;
    return true;
  }
  if (!unit.openCL) {
    if (name == "__syncthreads" || name == "__builtin_ptx_bar_sync" || name == "__nvvm_bar0" ||
        name == "__barrier_sync") {
      if (name == "__barrier_sync") return false;
      emit(ir::Barrier{ir::SyncScope::Block, nullptr, true, true}, at);
      synchronizes = true;
      return true;
    }
    if (name == "__syncwarp") {
      ir::ExprPtr mask;
      if (e.getNumArgs() == 1 && !isa<CXXDefaultArgExpr>(e.getArg(0))) mask = value(e.getArg(0));
      emit(ir::Barrier{ir::SyncScope::Warp, mask, true, true}, at);
      synchronizes = true;
      return true;
    }
    if (name == "__threadfence" || name == "__threadfence_block" || name == "__threadfence_system") {
      const auto scope = name == "__threadfence"         ? ir::SyncScope::Device
                         : name == "__threadfence_block" ? ir::SyncScope::Block
                                                         : ir::SyncScope::System;
      emit(ir::Fence{scope, true, true}, at);
      writesMemory = true;
      return true;
    }
  } else {
    if (name == "barrier" || name == "work_group_barrier") {
      auto flags = constantInt(*e.getArg(0), unit.ast);
      if (!flags) refuse("barrier with flags not known at compile time", &e);
      constexpr int64_t workGroup = 1;  // memory_scope_work_group
      if (e.getNumArgs() > 1 && constantInt(*e.getArg(1), unit.ast) != workGroup)
        refuse("work_group_barrier with a memory scope other than the work-group", &e);
      emit(ir::Barrier{ir::SyncScope::Block, nullptr, (*flags & 1) != 0, (*flags & 2) != 0}, at);
      synchronizes = true;
      return true;
    }
    if (name == "sub_group_barrier") {
      auto flags = constantInt(*e.getArg(0), unit.ast);
      if (!flags) refuse("barrier with flags not known at compile time", &e);
      emit(ir::Barrier{ir::SyncScope::Warp, nullptr, (*flags & 1) != 0, (*flags & 2) != 0}, at);
      synchronizes = true;
      return true;
    }
    if (name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence") {
      auto flags = constantInt(*e.getArg(0), unit.ast);
      if (!flags) refuse("fence with flags not known at compile time", &e);
      emit(ir::Fence{ir::SyncScope::Device, (*flags & 1) != 0, (*flags & 2) != 0}, at);
      writesMemory = true;
      return true;
    }
  }
  if (name == "printf" || name == "__builtin_printf") {
    printfStatement(e);
    return true;
  }
  return false;
}

namespace {

// The bytes of a literal up to its first zero: so the device prints wide ones too.
std::string bytesOf(const StringLiteral& literal) {
  const std::string bytes = literal.getBytes().str();
  return bytes.substr(0, bytes.find('\0'));
}

}  // namespace

ir::Call BodyImporter::printfCall(const CallExpr& e) {
  const auto* format = e.getNumArgs() ? dyn_cast<StringLiteral>(e.getArg(0)->IgnoreParenImpCasts()) : nullptr;
  if (!format) refuse("printf whose format is no string literal", &e);
  ir::Call node;
  node.intrinsic = &ir::intrinsic("printf");
  node.format = format->getString().str();
  noteIntrinsic(*node.intrinsic);
  size_t done = 0;
  for (unsigned i = 1; i < e.getNumArgs(); ++i) {
    const auto conversion = ir::nextConversion(node.format, done);
    const std::string rest = node.format.substr(done);
    if (!conversion && std::count(rest.begin(), rest.end(), '%') % 2)
      refuse("printf format '" + node.format + "'", &e);
    if (!conversion) refuse("printf with more arguments than its format names", &e);
    for (unsigned star = 0; star < conversion->stars; ++star, ++i) {
      if (i + 1 >= e.getNumArgs()) refuse("printf with fewer arguments than its format names", &e);
      node.args.push_back(value(e.getArg(i)));
    }
    if (const auto* text = dyn_cast<StringLiteral>(e.getArg(i)->IgnoreParenImpCasts())) {
      if (conversion->stars || conversion->text.back() != 's') refuse("string argument of printf", &e);
      node.texts.push_back(bytesOf(*text));
      node.args.push_back(ir::makeExpr(ir::pointerType(ir::charType(), ir::Space::Generic, true),
                                       ir::NullPointer{}, loc(e.getArg(i))));
    } else {
      ir::ExprPtr arg = value(e.getArg(i));
      if (arg->is<ir::NullPointer>()) refuse("null pointer given to printf", &e);
      node.args.push_back(std::move(arg));
    }
    done = conversion->end;
  }
  return node;
}

void BodyImporter::printfStatement(const CallExpr& e) {
  const ir::Call call = printfCall(e);
  auto [format, args] = ir::withTexts(call);
  emit(ir::Printf{std::move(format), std::move(args)}, loc(&e));
}

namespace {

// assert(c) in GNU C: (void)sizeof …, ({ if (c) ; else __assert_fail(…); })
const IfStmt* ifOfAssertion(const Expr* e) {
  const auto* comma = dyn_cast<BinaryOperator>(e);
  if (!comma || comma->getOpcode() != BO_Comma) return nullptr;
  const auto* whole = dyn_cast<StmtExpr>(comma->getRHS()->IgnoreParens());
  if (!whole || whole->getSubStmt()->size() != 1) return nullptr;
  const auto* choice = dyn_cast<IfStmt>(whole->getSubStmt()->body_front());
  const bool isOne = choice && isa<NullStmt>(choice->getThen()) && isa_and_nonnull<Expr>(choice->getElse());
  return isOne ? choice : nullptr;
}

}  // namespace

// assert(c) as the C libraries expand it: c ? (void)0 : __assert_fail(…)
bool BodyImporter::assertion(const Expr* e) {
  const Expr* inner = unwrap(e);
  if (const auto* cast = dyn_cast<CastExpr>(inner); cast && cast->getCastKind() == CK_ToVoid)
    inner = unwrap(cast->getSubExpr());
  const Expr* failing = nullptr;
  const Expr* tested = nullptr;
  if (const IfStmt* choice = ifOfAssertion(inner->IgnoreParens())) {
    failing = unwrap(cast<Expr>(choice->getElse()));
    tested = choice->getCond();
  } else if (const auto* cond = dyn_cast<ConditionalOperator>(inner)) {
    failing = unwrap(cond->getFalseExpr());
    tested = cond->getCond();
  } else if (const auto* direct = dyn_cast<CallExpr>(inner);
             direct && direct->getDirectCallee() && direct->getNumArgs() == 1 &&
             direct->getDirectCallee()->getDeclName().isIdentifier() &&
             direct->getDirectCallee()->getName() == "assert" &&
             !unit.isUserCode(direct->getDirectCallee()->getLocation())) {
    emit(ir::Assert{condition(direct->getArg(0)), unit.text(direct->getArg(0)->getSourceRange())}, loc(e));
    writesMemory = true;
    return true;
  }
  const auto* fail = dyn_cast_or_null<CallExpr>(failing);
  if (!fail || !fail->getDirectCallee() || !fail->getDirectCallee()->getDeclName().isIdentifier())
    return false;
  llvm::StringRef name = fail->getDirectCallee()->getName();
  if (name != "__assert_fail" && name != "__assertfail" && name != "__assert_rtn" && name != "_wassert")
    return false;
  std::string text;
  for (const Expr* arg : fail->arguments())
    if (const auto* s = dyn_cast<StringLiteral>(arg->IgnoreParenImpCasts());
        s && text.empty() && s->getCharByteWidth() == 1)
      text = s->getString().str();
  const Expr* bare = tested;
  if (const auto* cast = dyn_cast<CXXStaticCastExpr>(unwrap(tested))) bare = cast->getSubExpr();
  emit(ir::Assert{condition(bare), text}, loc(e));
  writesMemory = true;
  return true;
}

}  // namespace hone::frontend
