// Functions of the host's compiler and of OpenACC that bodies call by names of their own.
#include <limits>

#include "clang/AST/ASTContext.h"
#include "frontend/AccBodies.h"
#include "ir/intrinsics/Intrinsics.h"
#include "llvm/ADT/StringSwitch.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// What the device calls a function that counts bits.
std::string bitCount(llvm::StringRef name) {
  return llvm::StringSwitch<std::string>(name)
      .Case("__builtin_popcount", "__popc")
      .Cases({"__builtin_popcountl", "__builtin_popcountll"}, "__popcll")
      .Case("__builtin_clz", "__clz")
      .Cases({"__builtin_clzl", "__builtin_clzll"}, "__clzll")
      .Case("__builtin_ffs", "__ffs")
      .Cases({"__builtin_ffsl", "__builtin_ffsll"}, "__ffsll")
      .Default("");
}

ir::ExprPtr equal(const ir::ExprPtr& a, const ir::ExprPtr& b) {
  return ir::makeExpr(ir::boolType(), ir::Binary{ir::BinaryOp::Eq, a, b}, a->loc);
}

}  // namespace

// Code for the device runs there and nowhere else; which device is asked about may be known at run time only.
ir::ExprPtr AccBodies::onDeviceCall(BodyImporter& body, const CallExpr& e) {
  const ir::SourceLoc at = unit.loc(e.getBeginLoc());
  const ir::ExprPtr asked = ir::convert(body.value(e.getArg(0)), ir::int32());
  ir::ExprPtr is;
  for (const char* device :
       {"acc_device_not_host", "acc_device_nvidia", "acc_device_default", "acc_device_current"})
    for (const NamedDecl* found :
         unit.ast.getTranslationUnitDecl()->lookup(DeclarationName(&unit.ast.Idents.get(device)))) {
      const auto* constant = dyn_cast<EnumConstantDecl>(found);
      if (!constant) continue;
      const ir::ExprPtr same =
          equal(asked, ir::intLit(constant->getInitVal().getSExtValue(), ir::int32(), at));
      is = is ? ir::makeExpr(ir::boolType(), ir::Binary{ir::BinaryOp::LogicalOr, is, same}, at) : same;
    }
  return !is ? nullptr : ir::convert(is, unit.type(e.getType(), e.getBeginLoc()));
}

ir::ExprPtr AccBodies::libraryCall(BodyImporter& body, const CallExpr& e, const std::string& name) {
  if (e.getNumArgs() != 1) return nullptr;
  if (name == "acc_on_device") return onDeviceCall(body, e);
  const ir::SourceLoc at = unit.loc(e.getBeginLoc());
  if (name == "__builtin_isinf_sign") {  // the C library's isinf: 1, -1 or 0
    const ir::ExprPtr x = body.value(e.getArg(0));
    const double infinity = std::numeric_limits<double>::infinity();
    const auto is = [&](double limit) {
      return ir::convert(equal(x, ir::floatLit(limit, x->type, at)), ir::int32());
    };
    return ir::binary(ir::BinaryOp::Sub, is(infinity), is(-infinity), at);
  }
  const std::string known = bitCount(name);
  if (known.empty()) return nullptr;
  ir::ExprPtr bits = body.value(e.getArg(0));
  if (known.find("clz") != std::string::npos) bits = ir::convert(bits, ir::intType(bits->type->bits, true));
  const std::vector<ir::TypePtr> types = {bits->type};
  ir::Call node;
  node.args = {std::move(bits)};
  node.intrinsic = ir::findIntrinsic(ir::Language::Cuda, known, types);
  if (!node.intrinsic) return nullptr;
  node.spelling = known;
  return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), std::move(node), at);
}

}  // namespace hone::frontend
