// Inline assembly in kernels that are run: the instructions of PTX that programs write by hand, one by one, as expressions of
// the IR. What is not known here leaves the kernel alone.
#include <bit>
#include <cctype>
#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "frontend/Importer.h"
#include "llvm/ADT/StringExtras.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

class AssemblyImporter {
 public:
  AssemblyImporter(BodyImporter& importer, const GCCAsmStmt& statement)
      : body(importer), s(statement), at(importer.loc(&statement)) {}

  void run() {
    const std::string text = operandsNamed();
    readOperands();
    for (const std::string& line : instructions(text)) instruction(line);
    guard = nullptr;
    for (unsigned i = 0; i < s.getNumOutputs(); ++i) {
      ir::ExprPtr target = body.place(s.getOutputExpr(i));
      body.noteAccess(target, true);
      assign(target, bits(ir::ref(operands[i], at), target->type));
    }
  }

 private:
  using Words = std::vector<std::string>;

  [[noreturn]] void unknown(const std::string& what) { body.refuse("inline assembly '" + what + "'", &s); }

  // The text with `$3` for the operand of that number and single percent signs.
  std::string operandsNamed() {
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

  static std::string trimmed(std::string_view t) {
    while (!t.empty() && std::isspace(uint8_t(t.front()))) t.remove_prefix(1);
    while (!t.empty() && std::isspace(uint8_t(t.back()))) t.remove_suffix(1);
    return std::string(t);
  }

  static Words split(const std::string& t, char at) {
    Words out;
    int depth = 0;
    std::string word;
    for (char c : t) {
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      if (c == at && depth == 0)
        out.push_back(trimmed(word)), word.clear();
      else
        word += c;
    }
    if (!trimmed(word).empty()) out.push_back(trimmed(word));
    return out;
  }

  // Between semicolons, without comments and the braces of a scope.
  Words instructions(const std::string& text) {
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, 2, "//") == 0) {
        i = std::min(text.find('\n', i), text.size());
        plain += ' ';
      } else if (text.compare(i, 2, "/*") == 0) {
        i = std::min(text.find("*/", i) + 1, text.size());
      } else {
        plain += text[i];
      }
    }
    Words out;
    std::string word;
    for (char c : plain + ";") {
      const std::string done = trimmed(word);
      if (c == ';') {
        if (!done.empty()) out.push_back(done);
        word.clear();
      } else if ((c == '{' || c == '}') && done.empty()) {
        continue;
      } else {
        word += c;
      }
    }
    return out;
  }

  ir::VarPtr variable(const std::string& name, const ir::TypePtr& type, ir::ExprPtr init) {
    auto var = std::make_shared<ir::Variable>();
    var->name = name;
    var->type = type;
    var->loc = at;
    body.emit(ir::Declare{var, std::move(init)}, at);
    return var;
  }

  void readOperands() {
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

  // The same bits as another type; integers are cut or extended by their own sign.
  ir::ExprPtr bits(const ir::ExprPtr& e, const ir::TypePtr& to) {
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

  ir::ExprPtr reinterpret(const ir::ExprPtr& e, const ir::TypePtr& to) {
    ir::Call node;
    node.intrinsic = &ir::intrinsic("as");
    node.args = {e};
    return ir::makeExpr(to, std::move(node), at);
  }

  void assign(const ir::ExprPtr& target, const ir::ExprPtr& v) {
    ir::ExprPtr to = target, from = v;
    if (guard) {
      ir::StmtList then{ir::makeStmt(ir::Assign{to, std::nullopt, from, false}, at)};
      body.emit(ir::If{guard, ir::block(std::move(then), at), nullptr}, at);
    } else {
      body.emit(ir::Assign{to, std::nullopt, from, false}, at);
    }
  }

  static ir::TypePtr typeNamed(const std::string& name) {
    if (name == "pred") return ir::boolType();
    if (name.size() < 2 || name.find_first_not_of("0123456789", 1) != std::string::npos) return nullptr;
    const int width = std::stoi(name.substr(1));
    if (width != 8 && width != 16 && width != 32 && width != 64) return nullptr;
    if (name[0] == 'f') return width == 8 ? nullptr : ir::floatType(unsigned(width));
    if (name[0] == 's') return ir::intType(unsigned(width), true);
    if (name[0] == 'u' || name[0] == 'b') return ir::intType(unsigned(width), false);
    return nullptr;
  }

  const ir::VarPtr* registerNamed(const std::string& name) {
    if (name.size() > 1 && name[0] == '$' && size_t(std::stoul(name.substr(1))) < operands.size())
      return &operands[std::stoul(name.substr(1))];
    const auto it = registers.find(name);
    return it == registers.end() ? nullptr : &it->second;
  }

  ir::ExprPtr op(ir::BinaryOp o, const ir::ExprPtr& a, const ir::ExprPtr& b) {
    return ir::makeExpr(ir::isComparison(o) ? ir::boolType() : a->type, ir::Binary{o, a, b}, at);
  }
  ir::ExprPtr number(uint64_t v, const ir::TypePtr& type) { return ir::intLit(int64_t(v), type, at); }
  ir::ExprPtr either(const ir::ExprPtr& c, const ir::ExprPtr& yes, const ir::ExprPtr& no) {
    return ir::makeExpr(yes->type, ir::Select{c, yes, no}, at);
  }
  ir::ExprPtr inverted(const ir::ExprPtr& e) {
    return ir::makeExpr(e->type, ir::Unary{ir::UnaryOp::BitNot, e}, at);
  }

  ir::ExprPtr call(const char* name, std::vector<ir::ExprPtr> args, const ir::TypePtr& result) {
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
    if (guard) unknown(std::string("@ ") + name);
    if (result->is(ir::TypeKind::Void)) {
      body.emit(ir::Eval{made}, at);
      return nullptr;
    }
    return body.temporary("result", made);
  }

  ir::ExprPtr coordinate(ir::CoordKind kind, char axis) {
    body.usesCoords = true;
    return ir::coord(kind, unsigned(axis - 'x'), ir::uint32(), at);
  }

  ir::ExprPtr special(const std::string& name) {
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

  ir::ExprPtr read(const std::string& word, const ir::TypePtr& type) {
    if (word.empty()) unknown("operand");
    if (word[0] == '!') return ir::unary(ir::UnaryOp::Not, read(word.substr(1), ir::boolType()), at);
    if (const ir::VarPtr* var = registerNamed(word)) return bits(ir::ref(*var, at), type);
    if (word[0] == '%' || word == "WARP_SZ") return bits(special(word), type);
    if (word.starts_with("0f") || word.starts_with("0F"))
      return ir::floatLit(std::bit_cast<float>(uint32_t(std::stoul(word.substr(2), nullptr, 16))),
                          ir::floatType(32), at);
    if (word.starts_with("0d") || word.starts_with("0D"))
      return ir::floatLit(std::bit_cast<double>(std::stoull(word.substr(2), nullptr, 16)), ir::floatType(64),
                          at);
    if (word.find_first_not_of("-+0123456789abcdefABCDEFxXU.e") != std::string::npos ||
        !(std::isdigit(uint8_t(word[0])) || word[0] == '-'))
      unknown(word);
    if (type->is(ir::TypeKind::Float)) return ir::floatLit(std::stod(word), type, at);
    const uint64_t v =
        word[0] == '-' ? 0 - std::stoull(word.substr(1), nullptr, 0) : std::stoull(word, nullptr, 0);
    return ir::convert(number(v, ir::uint64()), type);
  }

  std::optional<uint64_t> literal(const std::string& word) {
    if (word.empty() || !std::isdigit(uint8_t(word[0]))) {
      // An operand of the "n" kind is a constant of the source.
      if (const ir::VarPtr* var = word.empty() ? nullptr : registerNamed(word); var && word[0] == '$') {
        const size_t n = std::stoul(word.substr(1));
        Expr::EvalResult result;
        if (n >= s.getNumOutputs() && n - s.getNumOutputs() < s.getNumInputs() &&
            s.getInputExpr(unsigned(n) - s.getNumOutputs())->EvaluateAsInt(result, body.unit.ast))
          return result.Val.getInt().getZExtValue();
      }
      return std::nullopt;
    }
    return std::stoull(word, nullptr, 0);
  }

  void write(const std::string& word, const ir::ExprPtr& v) {
    if (word == "_") return;
    const ir::VarPtr* var = registerNamed(word);
    if (!var) unknown(word);
    assign(ir::ref(*var, at), bits(v, (*var)->type));
  }

  // Shifts by the width or more give zeros, or the sign.
  ir::ExprPtr shifted(bool left, const ir::ExprPtr& v, const std::string& by) {
    const unsigned width = v->type->bits;
    if (auto n = literal(by); n && *n < width)
      return op(left ? ir::BinaryOp::Shl : ir::BinaryOp::Shr, v,
                ir::convert(number(*n, ir::uint32()), v->type));
    ir::ExprPtr n = body.temporary("by", read(by, ir::uint32()));
    const bool sign = !left && v->type->isSigned;
    ir::ExprPtr fits = op(ir::BinaryOp::Lt, n, number(width, ir::uint32()));
    ir::ExprPtr amount = ir::convert(either(fits, n, number(width - 1, ir::uint32())), v->type);
    ir::ExprPtr moved = op(left ? ir::BinaryOp::Shl : ir::BinaryOp::Shr, v, amount);
    return sign ? moved : either(fits, moved, ir::convert(number(0, ir::uint64()), v->type));
  }

  ir::ExprPtr wide(const ir::ExprPtr& e) {
    return ir::convert(e, ir::intType(e->type->bits * 2u, e->type->isSigned));
  }

  ir::ExprPtr product(const Words& parts, const ir::TypePtr& type, const std::string& a,
                      const std::string& b) {
    ir::ExprPtr x = read(a, type), y = read(b, type);
    if (has(parts, "wide")) return op(ir::BinaryOp::Mul, wide(x), wide(y));
    if (has(parts, "hi")) {
      const bool is64 = type->bits == 64;
      return call(type->isSigned ? (is64 ? "__mul64hi" : "__mulhi") : (is64 ? "__umul64hi" : "__umulhi"),
                  {x, y}, type);
    }
    return op(ir::BinaryOp::Mul, x, y);
  }

  static bool has(const Words& parts, const char* word) {
    for (const std::string& p : parts)
      if (p == word) return true;
    return false;
  }

  ir::ExprPtr carry() {
    if (!carryFlag) carryFlag = variable("carry", ir::uint64(), number(0, ir::uint64()));
    return ir::ref(carryFlag, at);
  }

  // a + b or a - b with the carry of the one before, and the new carry where asked for.
  void addWithCarry(const Words& parts, bool subtract, bool takes, const std::string& to, ir::ExprPtr a,
                    ir::ExprPtr b) {
    using enum ir::BinaryOp;
    const ir::TypePtr type = ir::intType(a->type->bits, false);
    a = body.temporary("left", bits(a, type)), b = body.temporary("right", bits(b, type));
    ir::ExprPtr first = body.temporary("sum", op(subtract ? Sub : Add, a, b));
    ir::ExprPtr over = subtract ? op(Lt, a, b) : op(Lt, first, a);
    ir::ExprPtr total = first;
    if (takes) {
      ir::ExprPtr in = body.temporary("in", ir::convert(carry(), type));
      total = body.temporary("total", op(subtract ? Sub : Add, first, in));
      ir::ExprPtr again = subtract ? op(Lt, first, in) : op(Lt, total, first);
      over = op(LogicalOr, over, again);
    }
    if (has(parts, "cc")) {
      ir::ExprPtr flag = body.temporary("over", ir::convert(over, ir::uint64()));
      assign(carry(), flag);
    }
    write(to, total);
  }

  ir::ExprPtr lookup(const ir::ExprPtr& a, const ir::ExprPtr& b, const ir::ExprPtr& c, unsigned table) {
    using enum ir::BinaryOp;
    if (table == 0x96) return op(BitXor, op(BitXor, a, b), c);
    if (table == 0) return number(0, ir::uint32());
    const bool negate = std::popcount(table & 0xff) > 4;
    ir::ExprPtr sum;
    for (unsigned i = 0; i < 8; ++i) {
      if (((table >> i) & 1) == unsigned(negate)) continue;
      ir::ExprPtr term =
          op(BitAnd, op(BitAnd, i & 4 ? a : inverted(a), i & 2 ? b : inverted(b)), i & 1 ? c : inverted(c));
      sum = sum ? op(BitOr, sum, term) : term;
    }
    if (!sum) sum = number(0, ir::uint32());
    return negate ? inverted(sum) : sum;
  }

  // [address + offset] as a pointer to the type.
  ir::ExprPtr pointer(const std::string& word, const ir::TypePtr& type, bool isVolatile) {
    if (word.size() < 2 || word.front() != '[' || word.back() != ']') unknown(word);
    std::string inner = trimmed(word.substr(1, word.size() - 2));
    int64_t offset = 0;
    if (const size_t plus = inner.find('+'); plus != std::string::npos) {
      offset = std::stoll(trimmed(inner.substr(plus + 1)), nullptr, 0);
      inner = trimmed(inner.substr(0, plus));
    }
    const ir::VarPtr* var = registerNamed(inner);
    if (!var) unknown(word);
    const ir::TypePtr& from = (*var)->type;
    const ir::Space space = from->isPointer() ? from->space : ir::Space::Generic;
    ir::ExprPtr p = ir::convert(ir::ref(*var, at), ir::pointerType(type, space, false, isVolatile), true);
    if (offset % (type->bits / 8)) unknown(word);
    return offset ? ir::addressOf(ir::subscript(p, {ir::intLit(offset / (type->bits / 8))}, at), space, at)
                  : p;
  }

  void access(bool load, const Words& parts, const ir::TypePtr& type, const Words& args) {
    if (guard || args.size() != 2 || has(parts, "shared") || has(parts, "local") || has(parts, "param"))
      unknown(parts[0]);
    const bool ordered = has(parts, "acquire") || has(parts, "release");
    const bool isVolatile = ordered || has(parts, "volatile") || has(parts, "relaxed");
    const auto scope = has(parts, "sys")   ? ir::SyncScope::System
                       : has(parts, "cta") ? ir::SyncScope::Block
                                           : ir::SyncScope::Device;
    const std::string& group = args[load ? 0 : 1];
    Words values{group};
    if (group.front() == '{') values = split(group.substr(1, group.size() - 2), ',');
    ir::ExprPtr p = pointer(args[load ? 1 : 0], type, isVolatile);
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

  bool statement(const Words& parts, const Words& args) {
    const std::string& name = parts[0];
    if (name == "membar" || name == "fence") {
      const auto scope = has(parts, "cta")   ? ir::SyncScope::Block
                         : has(parts, "sys") ? ir::SyncScope::System
                                             : ir::SyncScope::Device;
      body.emit(ir::Fence{scope, true, true}, at);
      body.writesMemory = true;
    } else if ((name == "bar" || name == "barrier") && has(parts, "warp")) {
      body.emit(
          ir::Barrier{ir::SyncScope::Warp, args.empty() ? nullptr : read(args[0], ir::uint32()), true, true},
          at);
      body.synchronizes = true;
    } else if ((name == "bar" || name == "barrier") && has(parts, "sync") && args.size() == 1 &&
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

  void instruction(const std::string& line) {
    std::string text = line;
    guard = nullptr;
    if (text.starts_with(".reg")) {
      const std::string rest = trimmed(text.substr(4));
      const size_t end = rest.find_first_of(" \t");
      const ir::TypePtr type = end == std::string::npos ? nullptr : typeNamed(rest.substr(1, end - 1));
      if (!type) unknown(line);
      for (const std::string& name : split(rest.substr(end), ','))
        registers[name] = variable("reg", type, nullptr);
      return;
    }
    if (text[0] == '@') {
      const size_t end = text.find_first_of(" \t");
      std::string name = text.substr(1, end - 1);
      const bool negated = name.starts_with("!");
      if (negated) name.erase(0, 1);
      guard = read(name, ir::boolType());
      if (negated) guard = ir::unary(ir::UnaryOp::Not, guard, at);
      text = trimmed(text.substr(end));
    }
    const size_t gap = text.find_first_of(" \t\n");
    const Words parts = split(text.substr(0, gap), '.');
    const Words args = gap == std::string::npos ? Words{} : split(text.substr(gap), ',');
    if (parts.empty()) unknown(line);
    if (statement(parts, args)) return;
    ir::TypePtr type = typeNamed(parts[0][0] == 'v' && parts.size() > 1 ? parts[1] : parts.back());
    if (!type) unknown(line);
    if (!compute(parts, args, type)) unknown(line);
  }

  bool compute(const Words& parts, const Words& args, const ir::TypePtr& type) {
    using enum ir::BinaryOp;
    const std::string& name = parts[0];
    const size_t n = args.size();
    const bool isFloat = type->is(ir::TypeKind::Float);
    const ir::TypePtr u = ir::uint32();
    if (has(parts, "sat") || (isFloat && type->bits == 16)) return false;
    auto in = [&](size_t i) { return read(args[i], type); };
    if (name == "ld" || name == "ldu") return access(true, parts, type, args), true;
    if (name == "st") return access(false, parts, type, args), true;
    if (n == 2 && name == "mov") {
      if (args[0].front() == '{' || args[1].front() == '{') return pack(args, type);
      return write(args[0], in(1)), true;
    }
    if (n == 2 && name == "cvta") return write(args[0], in(1)), true;
    if (n == 2 && name == "not") return write(args[0], inverted(in(1))), true;
    if (n == 2 && name == "neg")
      return write(args[0], ir::makeExpr(type, ir::Unary{ir::UnaryOp::Neg, in(1)}, at)), true;
    if (n == 2 && name == "abs")
      return write(args[0], isFloat
                                ? call(type->bits == 32 ? "fabsf" : "fabs", {in(1)}, type)
                                : either(op(Lt, in(1), number(0, type)),
                                         ir::makeExpr(type, ir::Unary{ir::UnaryOp::Neg, in(1)}, at), in(1))),
             true;
    if (n == 2 && (name == "popc" || name == "clz" || name == "brev" || name == "bfind"))
      return count(parts, args, type);
    if (n == 2 && name == "cvt" && parts.size() >= 3) return conversion(parts, args, type);
    if (n == 2 && isFloat && type->bits == 32) {
      static const std::pair<const char*, const char*> functions[] = {
          {"ex2", "exp2f"},  {"lg2", "log2f"},    {"sin", "__sinf"}, {"cos", "__cosf"},
          {"sqrt", "sqrtf"}, {"rsqrt", "rsqrtf"}, {"tanh", "tanhf"}};
      for (auto [ptx, cuda] : functions)
        if (name == ptx) return write(args[0], call(cuda, {in(1)}, type)), true;
    }
    if (n == 2 && isFloat && name == "rcp")
      return write(args[0], op(Div, ir::floatLit(1, type, at), in(1))), true;
    if (n == 2 && isFloat && name == "sqrt") return write(args[0], call("sqrt", {in(1)}, type)), true;
    if (n == 3 && (name == "add" || name == "sub")) {
      if (has(parts, "cc")) return addWithCarry(parts, name == "sub", false, args[0], in(1), in(2)), true;
      return write(args[0], op(name == "add" ? Add : Sub, in(1), in(2))), true;
    }
    if (n == 3 && (name == "addc" || name == "subc"))
      return addWithCarry(parts, name == "subc", true, args[0], in(1), in(2)), true;
    if (n == 3 && name == "mul") return write(args[0], product(parts, type, args[1], args[2])), true;
    if (n == 3 && name == "mul24" && has(parts, "lo"))
      return write(args[0], call(type->isSigned ? "__mul24" : "__umul24", {in(1), in(2)}, type)), true;
    if (n == 3 && (name == "div" || name == "rem") && (name == "div" || !isFloat))
      return write(args[0], op(name == "div" ? Div : Rem, in(1), in(2))), true;
    if (n == 3 && (name == "and" || name == "or" || name == "xor")) {
      if (type->is(ir::TypeKind::Bool)) return logic(name, args);
      return write(args[0], op(name == "and" ? BitAnd : name == "or" ? BitOr : BitXor, in(1), in(2))), true;
    }
    if (n == 3 && (name == "shl" || name == "shr"))
      return write(args[0], shifted(name == "shl", in(1), args[2])), true;
    if (n == 3 && (name == "min" || name == "max")) {
      const bool least = name == "min";
      if (isFloat)
        return write(args[0], call(least ? (type->bits == 32 ? "fminf" : "fmin")
                                         : (type->bits == 32 ? "fmaxf" : "fmax"),
                                   {in(1), in(2)}, type)),
               true;
      return write(args[0], either(op(least ? Lt : Gt, in(1), in(2)), in(1), in(2))), true;
    }
    if (n == 4 && (name == "mad" || name == "fma" || name == "madc")) {
      if (isFloat)
        return write(args[0], call(type->bits == 32 ? "fmaf" : "fma", {in(1), in(2), in(3)}, type)), true;
      ir::ExprPtr p = body.temporary("product", product(parts, type, args[1], args[2]));
      if (name == "madc" || has(parts, "cc"))
        return addWithCarry(parts, false, name == "madc", args[0], p, read(args[3], p->type)), true;
      return write(args[0], op(Add, p, read(args[3], p->type))), true;
    }
    if (name == "setp" && n == 3 && parts.size() == 3) return compare(parts[1], args, type);
    if (name == "selp" && n == 4)
      return write(args[0], either(read(args[3], ir::boolType()), in(1), in(2))), true;
    if (name == "lop3" && n == 5) {
      const auto table = literal(args[4]);
      return table && (write(args[0], lookup(in(1), in(2), in(3), unsigned(*table))), true);
    }
    if (name == "prmt" && n == 4 && parts.size() == 2)
      return write(args[0], call("__byte_perm", {read(args[1], u), read(args[2], u), read(args[3], u)}, u)),
             true;
    if (name == "shf" && n == 4 && parts.size() == 4) {
      const char* fn = parts[1] == "l" ? (parts[2] == "wrap" ? "__funnelshift_l" : "__funnelshift_lc")
                                       : (parts[2] == "wrap" ? "__funnelshift_r" : "__funnelshift_rc");
      return write(args[0], call(fn, {read(args[1], u), read(args[2], u), read(args[3], u)}, u)), true;
    }
    if ((name == "bfe" && n == 4) || (name == "bfi" && n == 5)) return field(name == "bfi", args, type);
    if (name == "sad" && n == 4 && type->bits == 32)
      return write(args[0], call(type->isSigned ? "__sad" : "__usad", {in(1), in(2), read(args[3], u)}, u)),
             true;
    if (name == "vabsdiff4" && n == 4 && has(parts, "add"))
      return write(args[0],
                   op(Add, call("__vsadu4", {read(args[1], u), read(args[2], u)}, u), read(args[3], u))),
             true;
    if (name == "activemask" && n == 1) return write(args[0], call("__activemask", {}, u)), true;
    if (name == "shfl" && n == 5 && has(parts, "sync")) {
      const bool up = has(parts, "up");
      if (type->bits != 32 || literal(args[3]) != (up ? 0u : 0x1fu)) return false;
      const char* fn = up                   ? "__shfl_up_sync"
                       : has(parts, "down") ? "__shfl_down_sync"
                       : has(parts, "bfly") ? "__shfl_xor_sync"
                                            : "__shfl_sync";
      const ir::TypePtr by = up || has(parts, "down") ? u : ir::int32();
      return write(args[0], call(fn, {read(args[4], u), read(args[1], u), read(args[2], by)}, u)), true;
    }
    return false;
  }

  bool logic(const std::string& name, const Words& args) {
    using enum ir::BinaryOp;
    ir::ExprPtr a = read(args[1], ir::boolType()), b = read(args[2], ir::boolType());
    write(args[0], name == "xor" ? op(Ne, a, b) : op(name == "and" ? LogicalAnd : LogicalOr, a, b));
    return true;
  }

  bool compare(const std::string& how, const Words& args, ir::TypePtr type) {
    using enum ir::BinaryOp;
    static const std::pair<const char*, ir::BinaryOp> names[] = {
        {"eq", Eq}, {"ne", Ne}, {"lt", Lt}, {"le", Le}, {"gt", Gt},
        {"ge", Ge}, {"lo", Lt}, {"ls", Le}, {"hi", Gt}, {"hs", Ge}};
    if (type->is(ir::TypeKind::Float) && how == "ne") return false;  // false of NaN, unlike !=
    for (auto [word, o] : names)
      if (how == word) {
        write(args[0], op(o, read(args[1], type), read(args[2], type)));
        return true;
      }
    return false;
  }

  bool pack(const Words& args, const ir::TypePtr& type) {
    using enum ir::BinaryOp;
    const bool gather = args[1].front() == '{';
    const std::string& group = args[gather ? 1 : 0];
    const Words parts = split(group.substr(1, group.size() - 2), ',');
    const unsigned width = type->bits / unsigned(parts.size());
    if (type->is(ir::TypeKind::Float) || (width != 8 && width != 16 && width != 32)) return false;
    const ir::TypePtr whole = ir::intType(type->bits, false), part = ir::intType(width, false);
    ir::ExprPtr all = gather ? nullptr : body.temporary("whole", read(args[1], whole));
    for (unsigned i = 0; i < parts.size(); ++i) {
      ir::ExprPtr by = ir::convert(number(i * width, ir::uint32()), whole);
      if (gather) {
        ir::ExprPtr moved = op(Shl, ir::convert(read(parts[i], part), whole), by);
        all = all ? op(BitOr, all, moved) : moved;
      } else {
        write(parts[i], ir::convert(op(Shr, all, by), part));
      }
    }
    if (gather) write(args[0], all);
    return true;
  }

  bool count(const Words& parts, const Words& args, const ir::TypePtr& type) {
    const bool is64 = type->bits == 64;
    const ir::TypePtr whole = ir::intType(type->bits, false), same = ir::intType(type->bits, true);
    const std::string& name = parts[0];
    if (type->bits < 32) return false;
    if (name == "popc")
      return write(args[0], call(is64 ? "__popcll" : "__popc", {read(args[1], whole)}, ir::int32())), true;
    if (name == "clz")
      return write(args[0], call(is64 ? "__clzll" : "__clz", {read(args[1], same)}, ir::int32())), true;
    if (name == "brev")
      return write(args[0], call(is64 ? "__brevll" : "__brev", {read(args[1], whole)}, whole)), true;
    if (type->isSigned || has(parts, "shiftamt")) return false;
    ir::ExprPtr zeros = call(is64 ? "__clzll" : "__clz", {read(args[1], same)}, ir::int32());
    write(args[0], op(ir::BinaryOp::Sub, ir::intLit(is64 ? 63 : 31), zeros));
    return true;
  }

  bool conversion(const Words& parts, const Words& args, const ir::TypePtr& from) {
    const ir::TypePtr to = typeNamed(parts[parts.size() - 2]);
    if (!to) return false;
    const bool toFloat = to->is(ir::TypeKind::Float), fromFloat = from->is(ir::TypeKind::Float);
    if (to->bits == 16 && toFloat) return false;
    for (size_t i = 1; i + 2 < parts.size(); ++i)
      if (parts[i] != "rn" && parts[i] != "rzi" && parts[i] != "ftz") return false;
    if (fromFloat && !toFloat && !has(parts, "rzi")) return false;
    write(args[0], ir::convert(read(args[1], from), to, true));
    return true;
  }

  bool field(bool insert, const Words& args, const ir::TypePtr& type) {
    using enum ir::BinaryOp;
    if (type->bits != 32) return false;
    const ir::TypePtr w = ir::uint64(), u = ir::uint32();
    auto atMost = [&](const std::string& word, uint64_t most) {
      ir::ExprPtr v = body.temporary("bits", op(BitAnd, read(word, u), number(255, u)));
      return body.temporary("clamped",
                            ir::convert(either(op(Lt, v, number(most, u)), v, number(most, u)), w));
    };
    auto ones = [&](const ir::ExprPtr& length) {
      return op(Sub, op(Shl, number(1, w), length), number(1, w));
    };
    if (insert) {
      ir::ExprPtr position = atMost(args[3], 32), length = atMost(args[4], 32);
      ir::ExprPtr mask = body.temporary("mask", op(Shl, ones(length), position));
      ir::ExprPtr base = ir::convert(read(args[2], u), w), value = ir::convert(read(args[1], u), w);
      write(args[0],
            ir::convert(
                op(BitOr, op(BitAnd, base, inverted(mask)), op(BitAnd, op(Shl, value, position), mask)), u));
      return true;
    }
    ir::ExprPtr position = atMost(args[2], 32), length = atMost(args[3], 32);
    if (!type->isSigned) {
      write(args[0],
            ir::convert(op(BitAnd, op(Shr, ir::convert(read(args[1], u), w), position), ones(length)), u));
      return true;
    }
    const ir::TypePtr l = ir::int64();
    ir::ExprPtr moved = op(Shr, ir::convert(read(args[1], type), l), ir::convert(position, l));
    ir::ExprPtr by = body.temporary(
        "by", op(Sub, number(63, w), op(BitAnd, op(Sub, length, number(1, w)), number(63, w))));
    ir::ExprPtr cut = op(Shr, op(Shl, moved, ir::convert(by, l)), ir::convert(by, l));
    write(args[0], ir::convert(either(op(Eq, length, number(0, w)), number(0, l), cut), type));
    return true;
  }

  BodyImporter& body;
  const GCCAsmStmt& s;
  ir::SourceLoc at;
  std::vector<ir::VarPtr> operands;  // outputs, then inputs
  std::map<std::string, ir::VarPtr> registers;
  ir::ExprPtr guard;
  ir::VarPtr carryFlag;
};

void BodyImporter::assembly(const AsmStmt& s) {
  const auto* gnu = dyn_cast<GCCAsmStmt>(&s);
  if (!unit.toRun || !gnu) refuse("inline assembly", &s);
  AssemblyImporter(*this, *gnu).run();
}

}  // namespace hone::frontend
