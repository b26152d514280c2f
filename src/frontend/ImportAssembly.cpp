// Inline assembly: operands, registers, memory, fences and barriers.
#include <bit>
#include <charconv>

#include "clang/AST/ASTContext.h"
#include "frontend/AssemblyImporter.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

void AssemblyImporter::run() {
  const std::string text = operandsNamed();
  readOperands();
  for (const std::string& line : ptx::instructions(text)) instruction(line);
  guard = nullptr;
  for (unsigned i = 0; i < s.getNumOutputs(); ++i) {
    ir::ExprPtr target = body.place(s.getOutputExpr(i));
    body.noteAccess(target, true);
    assign(target, bits(ir::ref(operands[i], at), target->type));
  }
}

std::string AssemblyImporter::operandsNamed() {
  const std::string text = s.getAsmString();
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 >= text.size()) {
      out += text[i];
    } else if (text[i + 1] == '%') {
      out += text[++i];
    } else if (std::isdigit(uint8_t(text[i + 1]))) {
      out += '$';
    } else if (text[i + 1] == '[') {
      const size_t end = text.find(']', i);
      const std::string name = text.substr(i + 2, end - i - 2);
      unsigned number = 0;
      while (number < s.getNumOutputs() + s.getNumInputs() &&
             (number < s.getNumOutputs() ? s.getOutputName(number)
                                         : s.getInputName(number - s.getNumOutputs())) != name)
        ++number;
      out += "$" + std::to_string(number);
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

ir::VarPtr AssemblyImporter::variable(const std::string& name, const ir::TypePtr& type, ir::ExprPtr init) {
  auto var = std::make_shared<ir::Variable>();
  var->name = name;
  var->type = type;
  var->loc = at;
  body.emit(ir::Declare{var, std::move(init)}, at);
  return var;
}

void AssemblyImporter::readOperands() {
  for (unsigned i = 0; i < s.getNumOutputs(); ++i) {
    const Expr* e = s.getOutputExpr(i);
    const ir::TypePtr type = body.unit.type(e->getType(), e->getBeginLoc());
    ir::ExprPtr init;
    if (s.isOutputPlusConstraint(i)) {
      init = body.place(e);
      body.noteAccess(init, false);
    }
    operands.push_back(variable("result", type, init));
  }
  for (unsigned i = 0; i < s.getNumInputs(); ++i) {
    ir::ExprPtr v = body.value(s.getInputExpr(i));
    operands.push_back(variable("operand", v->type, v));
    // An operand tied to an output ("0") starts it.
    const std::string tie = s.getInputConstraint(i);
    if (!tie.empty() && std::isdigit(uint8_t(tie[0])) && size_t(tie[0] - '0') < s.getNumOutputs()) {
      const ir::VarPtr& out = operands[size_t(tie[0] - '0')];
      assign(ir::ref(out, at), bits(ir::ref(operands.back(), at), out->type));
    }
  }
}

ir::ExprPtr AssemblyImporter::bits(const ir::ExprPtr& e, const ir::TypePtr& to) {
  const ir::TypePtr& from = e->type;
  if (ir::sameType(from, to)) return e;
  auto isFloat = [](const ir::TypePtr& t) {
    return t->is(ir::TypeKind::Float) || t->is(ir::TypeKind::BFloat);
  };
  if (isFloat(from)) {
    if (isFloat(to) && from->bits == to->bits) return ir::convert(e, to);
    return bits(reinterpret(e, ir::intType(from->bits, false)), to);
  }
  if (isFloat(to)) return reinterpret(bits(e, ir::intType(to->bits, false)), to);
  return ir::convert(e, to, from->isPointer() || to->isPointer());
}

ir::ExprPtr AssemblyImporter::reinterpret(const ir::ExprPtr& e, const ir::TypePtr& to) {
  ir::Call node;
  node.intrinsic = &ir::intrinsic("as");
  node.args = {e};
  return ir::makeExpr(to, std::move(node), at);
}

void AssemblyImporter::assign(const ir::ExprPtr& target, const ir::ExprPtr& v) {
  ir::ExprPtr to = target, from = v;
  if (guard) {
    ir::StmtList then{ir::makeStmt(ir::Assign{to, std::nullopt, from, false}, at)};
    body.emit(ir::If{guard, ir::block(std::move(then), at), nullptr}, at);
  } else {
    body.emit(ir::Assign{to, std::nullopt, from, false}, at);
  }
}

const ir::VarPtr* AssemblyImporter::registerNamed(const std::string& name) {
  if (name.starts_with('$'))
    if (const auto n = ptx::wholeNumber(name.substr(1)); n && *n < operands.size()) return &operands[*n];
  const auto it = registers.find(name);
  return it == registers.end() ? nullptr : &it->second;
}

ir::ExprPtr AssemblyImporter::call(const std::string& name, std::vector<ir::ExprPtr> args,
                                   const ir::TypePtr& result) {
  std::vector<ir::TypePtr> types;
  for (const ir::ExprPtr& a : args) types.push_back(a->type);
  ir::Call node;
  node.intrinsic = ir::findIntrinsic(ir::Language::Cuda, name, types);
  if (!node.intrinsic) unknown(name);
  node.args = std::move(args);
  body.noteIntrinsic(*node.intrinsic);
  const bool pure = node.intrinsic->isPure();
  ir::ExprPtr made = ir::makeExpr(result, std::move(node), at);
  if (pure) return made;
  if (guard) unknown("@ " + name);
  if (result->is(ir::TypeKind::Void)) {
    body.emit(ir::Eval{made}, at);
    return nullptr;
  }
  return body.temporary("result", made);
}

ir::ExprPtr AssemblyImporter::coordinate(ir::CoordKind kind, char axis) {
  body.usesCoords = true;
  return ir::coord(kind, unsigned(axis - 'x'), ir::uint32(), at);
}

ir::ExprPtr AssemblyImporter::special(const std::string& name) {
  using enum ir::BinaryOp;
  const ir::TypePtr u = ir::uint32();
  static const std::pair<const char*, ir::CoordKind> coordinates[] = {{"%tid.", ir::CoordKind::ThreadIdx},
                                                                      {"%ntid.", ir::CoordKind::BlockDim},
                                                                      {"%ctaid.", ir::CoordKind::BlockIdx},
                                                                      {"%nctaid.", ir::CoordKind::GridDim}};
  for (auto [prefix, kind] : coordinates)
    if (name.starts_with(prefix) && name.size() == std::string_view(prefix).size() + 1 &&
        name.back() >= 'x' && name.back() <= 'z')
      return coordinate(kind, name.back());
  auto thread = [&](char axis) { return coordinate(ir::CoordKind::ThreadIdx, axis); };
  auto size = [&](char axis) { return coordinate(ir::CoordKind::BlockDim, axis); };
  auto linear = [&] {
    return op(Add, thread('x'), op(Mul, size('x'), op(Add, thread('y'), op(Mul, size('y'), thread('z')))));
  };
  auto lane = [&] { return op(BitAnd, linear(), number(31, u)); };
  auto below = [&] { return op(Sub, op(Shl, number(1, u), lane()), number(1, u)); };
  if (name == "%laneid") return lane();
  if (name == "%warpid") return op(Shr, linear(), number(5, u));
  if (name == "%lanemask_eq") return op(Shl, number(1, u), lane());
  if (name == "%lanemask_lt") return below();
  if (name == "%lanemask_le") return op(BitOr, below(), op(Shl, number(1, u), lane()));
  if (name == "%lanemask_ge") return inverted(below());
  if (name == "%lanemask_gt") return inverted(op(BitOr, below(), op(Shl, number(1, u), lane())));
  if (name == "%clock") return ir::convert(call("clock64", {}, ir::int64()), u);
  if (name == "%clock64" || name == "%globaltimer")
    return ir::convert(call("clock64", {}, ir::int64()), ir::uint64());
  if (name == "WARP_SZ") return number(32, u);
  unknown(name);
}

ir::ExprPtr AssemblyImporter::read(const std::string& word, const ir::TypePtr& type) {
  if (word.empty()) unknown("operand");
  if (word[0] == '!') return ir::unary(ir::UnaryOp::Not, read(word.substr(1), ir::boolType()), at);
  if (const ir::VarPtr* var = registerNamed(word)) return bits(ir::ref(*var, at), type);
  if (word[0] == '%' || word == "WARP_SZ") return bits(special(word), type);
  const bool isSingle = word.starts_with("0f") || word.starts_with("0F");
  if (isSingle || word.starts_with("0d") || word.starts_with("0D")) {
    const auto exact = ptx::hexadecimal(word.substr(2));
    if (!exact) unknown(word);
    return isSingle ? ir::floatLit(std::bit_cast<float>(uint32_t(*exact)), ir::floatType(32), at)
                    : ir::floatLit(std::bit_cast<double>(*exact), ir::floatType(64), at);
  }
  if (type->is(ir::TypeKind::Float)) {
    double v = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
    if (error != std::errc() || end != word.data() + word.size()) unknown(word);
    return ir::floatLit(v, type, at);
  }
  const auto v = ptx::wholeNumber(word);
  if (!v) unknown(word);
  return ir::convert(number(*v, ir::uint64()), type);
}

std::optional<uint64_t> AssemblyImporter::literal(const std::string& word) {
  if (word.empty() || !std::isdigit(uint8_t(word[0]))) {
    // An operand of the "n" kind is a constant of the source.
    if (const ir::VarPtr* var = word.empty() ? nullptr : registerNamed(word); var && word[0] == '$') {
      const size_t n = *ptx::wholeNumber(word.substr(1));
      Expr::EvalResult result;
      if (n >= s.getNumOutputs() && n - s.getNumOutputs() < s.getNumInputs() &&
          s.getInputExpr(unsigned(n) - s.getNumOutputs())->EvaluateAsInt(result, body.unit.ast))
        return result.Val.getInt().getZExtValue();
    }
    return std::nullopt;
  }
  return ptx::wholeNumber(word);
}

void AssemblyImporter::write(const std::string& word, const ir::ExprPtr& v) {
  if (word == "_") return;
  const ir::VarPtr* var = registerNamed(word);
  if (!var) unknown(word);
  assign(ir::ref(*var, at), bits(v, (*var)->type));
}

ir::ExprPtr AssemblyImporter::pointer(const std::string& word, const ir::TypePtr& type, bool isVolatile,
                                      bool isShared) {
  if (word.size() < 2 || word.front() != '[' || word.back() != ']') unknown(word);
  std::string inner = ptx::trimmed(word.substr(1, word.size() - 2));
  int64_t offset = 0;
  if (const size_t plus = inner.find('+'); plus != std::string::npos) {
    const auto bytes = ptx::wholeNumber(ptx::trimmed(inner.substr(plus + 1)));
    if (!bytes) unknown(word);
    offset = int64_t(*bytes);
    inner = ptx::trimmed(inner.substr(0, plus));
  }
  const ir::VarPtr* var = registerNamed(inner);
  if (!var) unknown(word);
  const ir::TypePtr& from = (*var)->type;
  const ir::Space space = from->isPointer() ? from->space : ir::Space::Generic;
  ir::ExprPtr address = ir::ref(*var, at);
  if (isShared) {
    if (from->isPointer()) unknown(word);
    address = call("__cvta_shared_to_generic", {ir::convert(address, ir::uint64())},
                   ir::pointerType(ir::voidType(), ir::Space::Generic));
  }
  ir::ExprPtr p = ir::convert(address, ir::pointerType(type, space, false, isVolatile), true);
  if (offset % (type->bits / 8)) unknown(word);
  return offset ? ir::addressOf(ir::subscript(p, {ir::intLit(offset / (type->bits / 8))}, at), space, at) : p;
}

void AssemblyImporter::access(bool load, const Words& parts, const ir::TypePtr& type, const Words& args) {
  if (guard || args.size() != 2 || ptx::has(parts, "shared::cluster") || ptx::has(parts, "local") ||
      ptx::has(parts, "param"))
    unknown(parts[0]);
  const bool ordered = ptx::has(parts, "acquire") || ptx::has(parts, "release");
  const bool isVolatile = ordered || ptx::has(parts, "volatile") || ptx::has(parts, "relaxed");
  const auto scope = ptx::has(parts, "sys")   ? ir::SyncScope::System
                     : ptx::has(parts, "cta") ? ir::SyncScope::Block
                                              : ir::SyncScope::Device;
  const std::string& group = args[load ? 0 : 1];
  Words values{group};
  if (group.front() == '{') values = ptx::split(group.substr(1, group.size() - 2), ',');
  ir::ExprPtr p = pointer(args[load ? 1 : 0], type, isVolatile, ptx::isShared(parts));
  if (ordered && !load) body.emit(ir::Fence{scope, true, true}, at);
  for (size_t i = 0; i < values.size(); ++i) {
    ir::ExprPtr element = ir::subscript(p, {ir::intLit(int64_t(i))}, at);
    body.noteAccess(element, !load);
    if (load)
      write(values[i], body.temporary("loaded", element));
    else
      assign(element, read(values[i], type));
  }
  if (ordered && load) body.emit(ir::Fence{scope, true, true}, at);
  if (ordered) body.writesMemory = true;
}

bool AssemblyImporter::statement(const Words& parts, const Words& args) {
  const std::string& name = parts[0];
  if (name == "cp") return copyAside(parts, args);
  if (name == "membar" || name == "fence") {
    const auto scope = ptx::has(parts, "cta")   ? ir::SyncScope::Block
                       : ptx::has(parts, "sys") ? ir::SyncScope::System
                                                : ir::SyncScope::Device;
    body.emit(ir::Fence{scope, true, true}, at);
    body.writesMemory = true;
  } else if ((name == "bar" || name == "barrier") && ptx::has(parts, "warp")) {
    body.emit(
        ir::Barrier{ir::SyncScope::Warp, args.empty() ? nullptr : read(args[0], ir::uint32()), true, true},
        at);
    body.synchronizes = true;
  } else if ((name == "bar" || name == "barrier") && ptx::has(parts, "sync") && args.size() == 1 &&
             literal(args[0]) == 0u) {
    body.emit(ir::Barrier{ir::SyncScope::Block, nullptr, true, true}, at);
    body.synchronizes = true;
  } else if (name == "prefetch" || name == "prefetchu" || name == "discard" || name == "griddepcontrol") {
  } else if (name == "trap") {
    call("__trap", {}, ir::voidType());
  } else if (name == "nanosleep" && args.size() == 1) {
    call("__nanosleep", {read(args[0], ir::uint32())}, ir::voidType());
  } else {
    return false;
  }
  if (guard) unknown("@ " + name);
  return true;
}

void AssemblyImporter::instruction(const std::string& line) {
  std::string text = line;
  guard = nullptr;
  if (text.starts_with(".reg")) {
    const std::string rest = ptx::trimmed(text.substr(4));
    const size_t end = rest.find_first_of(" \t");
    const ir::TypePtr type = end == std::string::npos ? nullptr : ptx::typeNamed(rest.substr(1, end - 1));
    if (!type) unknown(line);
    for (const std::string& name : ptx::split(rest.substr(end), ','))
      registers[name] = variable("reg", type, nullptr);
    return;
  }
  if (text[0] == '@') {
    const size_t end = text.find_first_of(" \t");
    if (end == std::string::npos) unknown(line);
    std::string name = text.substr(1, end - 1);
    const bool negated = name.starts_with("!");
    if (negated) name.erase(0, 1);
    guard = read(name, ir::boolType());
    if (negated) guard = ir::unary(ir::UnaryOp::Not, guard, at);
    text = ptx::trimmed(text.substr(end));
  }
  const size_t gap = text.find_first_of(" \t\n");
  const Words parts = ptx::split(text.substr(0, gap), '.');
  const Words args = gap == std::string::npos ? Words{} : ptx::split(text.substr(gap), ',');
  if (parts.empty() || ptx::has(args, "")) unknown(line);
  if (statement(parts, args)) return;
  const bool isVideo = parts[0][0] == 'v' && parts[0] != "vote" && parts.size() > 1;  // vabsdiff4 and its kin
  ir::TypePtr type = ptx::typeNamed(isVideo ? parts[1] : parts.back());
  if (!type) unknown(line);
  if (!compute(parts, args, type)) unknown(line);
}

void BodyImporter::assembly(const AsmStmt& s) {
  const auto* gnu = dyn_cast<GCCAsmStmt>(&s);
  if (!unit.toRun || !gnu) refuse("inline assembly", &s);
  AssemblyImporter(*this, *gnu).run();
}

}  // namespace hone::frontend
