// Inline assembly: instructions that compute.
#include <bit>

#include "frontend/AssemblyImporter.h"

namespace hone::frontend {

namespace ir = hone::ir;

ir::ExprPtr AssemblyImporter::shifted(bool left, const ir::ExprPtr& v, const std::string& by) {
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

ir::ExprPtr AssemblyImporter::wide(const ir::ExprPtr& e) {
  return ir::convert(e, ir::intType(e->type->bits * 2u, e->type->isSigned));
}

ir::ExprPtr AssemblyImporter::product(const Words& parts, const ir::TypePtr& type, const std::string& a,
                                      const std::string& b) {
  ir::ExprPtr x = read(a, type), y = read(b, type);
  if (ptx::has(parts, "wide")) return op(ir::BinaryOp::Mul, wide(x), wide(y));
  if (ptx::has(parts, "hi")) {
    const bool is64 = type->bits == 64;
    return call(type->isSigned ? (is64 ? "__mul64hi" : "__mulhi") : (is64 ? "__umul64hi" : "__umulhi"),
                {x, y}, type);
  }
  return op(ir::BinaryOp::Mul, x, y);
}

ir::ExprPtr AssemblyImporter::carry() {
  if (!carryFlag) carryFlag = variable("carry", ir::uint64(), number(0, ir::uint64()));
  return ir::ref(carryFlag, at);
}

void AssemblyImporter::addWithCarry(const Words& parts, bool subtract, bool takes, const std::string& to,
                                    ir::ExprPtr a, ir::ExprPtr b) {
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
  if (ptx::has(parts, "cc")) {
    ir::ExprPtr flag = body.temporary("over", ir::convert(over, ir::uint64()));
    assign(carry(), flag);
  }
  write(to, total);
}

ir::ExprPtr AssemblyImporter::lookup(const ir::ExprPtr& a, const ir::ExprPtr& b, const ir::ExprPtr& c,
                                     unsigned table) {
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

bool AssemblyImporter::compute(const Words& parts, const Words& args, const ir::TypePtr& type) {
  using enum ir::BinaryOp;
  const std::string& name = parts[0];
  const size_t n = args.size();
  const bool isFloat = type->is(ir::TypeKind::Float);
  const ir::TypePtr u = ir::uint32();
  if (ptx::has(parts, "sat") || (isFloat && type->bits == 16)) return false;
  static const std::pair<const char*, const char*> directions[] = {{"rz", "rz"}, {"rm", "rd"}, {"rp", "ru"}};
  for (const auto& [written, mode] : directions)
    if (isFloat && name != "cvt" && ptx::has(parts, written)) return rounded(mode, parts, args, type);
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
    for (auto [written, cuda] : functions)
      if (name == written) return write(args[0], call(cuda, {in(1)}, type)), true;
  }
  if (n == 2 && isFloat && name == "rcp")
    return write(args[0], op(Div, ir::floatLit(1, type, at), in(1))), true;
  if (n == 2 && isFloat && name == "sqrt") return write(args[0], call("sqrt", {in(1)}, type)), true;
  if (n == 3 && (name == "add" || name == "sub")) {
    if (ptx::has(parts, "cc")) return addWithCarry(parts, name == "sub", false, args[0], in(1), in(2)), true;
    return write(args[0], op(name == "add" ? Add : Sub, in(1), in(2))), true;
  }
  if (n == 3 && (name == "addc" || name == "subc"))
    return addWithCarry(parts, name == "subc", true, args[0], in(1), in(2)), true;
  if (n == 3 && name == "mul") return write(args[0], product(parts, type, args[1], args[2])), true;
  if (n == 3 && name == "mul24" && ptx::has(parts, "lo"))
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
      return write(args[0],
                   call(least ? (type->bits == 32 ? "fminf" : "fmin") : (type->bits == 32 ? "fmaxf" : "fmax"),
                        {in(1), in(2)}, type)),
             true;
    return write(args[0], either(op(least ? Lt : Gt, in(1), in(2)), in(1), in(2))), true;
  }
  if (n == 4 && (name == "mad" || name == "fma" || name == "madc")) {
    if (isFloat)
      return write(args[0], call(type->bits == 32 ? "fmaf" : "fma", {in(1), in(2), in(3)}, type)), true;
    ir::ExprPtr p = body.temporary("product", product(parts, type, args[1], args[2]));
    if (name == "madc" || ptx::has(parts, "cc"))
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
  if (name == "vabsdiff4" && n == 4 && ptx::has(parts, "add"))
    return write(args[0],
                 op(Add, call("__vsadu4", {read(args[1], u), read(args[2], u)}, u), read(args[3], u))),
           true;
  if (name == "activemask" && n == 1) return write(args[0], call("__activemask", {}, u)), true;
  if (name == "atom" || name == "red") return update(parts, args, type);
  return warpWide(parts, args, type);
}

bool AssemblyImporter::rounded(const std::string& mode, const Words& parts, const Words& args,
                               const ir::TypePtr& type) {
  static const std::pair<const char*, size_t> operations[] = {
      {"add", 2}, {"sub", 2}, {"mul", 2}, {"div", 2}, {"rcp", 1}, {"sqrt", 1}, {"fma", 3}, {"mad", 3}};
  const bool isSingle = type->bits == 32;
  for (const auto& [name, count] : operations) {
    if (parts[0] != name || args.size() != count + 1) continue;
    std::vector<ir::ExprPtr> inputs;
    for (size_t i = 1; i < args.size(); ++i) inputs.push_back(read(args[i], type));
    std::string function =
        count == 3 ? (isSingle ? "__fmaf" : "__fma") : (isSingle ? "__f" : "__d") + std::string(name);
    write(args[0], call(function + "_" + mode, std::move(inputs), type));
    return true;
  }
  return false;
}

bool AssemblyImporter::logic(const std::string& name, const Words& args) {
  using enum ir::BinaryOp;
  ir::ExprPtr a = read(args[1], ir::boolType()), b = read(args[2], ir::boolType());
  write(args[0], name == "xor" ? op(Ne, a, b) : op(name == "and" ? LogicalAnd : LogicalOr, a, b));
  return true;
}

bool AssemblyImporter::compare(const std::string& how, const Words& args, ir::TypePtr type) {
  using enum ir::BinaryOp;
  static const std::pair<const char*, ir::BinaryOp> names[] = {{"eq", Eq}, {"ne", Ne}, {"lt", Lt}, {"le", Le},
                                                               {"gt", Gt}, {"ge", Ge}, {"lo", Lt}, {"ls", Le},
                                                               {"hi", Gt}, {"hs", Ge}};
  if (type->is(ir::TypeKind::Float) && how == "ne") return false;  // false of NaN, unlike !=
  for (auto [word, o] : names)
    if (how == word) {
      write(args[0], op(o, read(args[1], type), read(args[2], type)));
      return true;
    }
  return false;
}

bool AssemblyImporter::pack(const Words& args, const ir::TypePtr& type) {
  using enum ir::BinaryOp;
  const bool gather = args[1].front() == '{';
  const std::string& group = args[gather ? 1 : 0];
  const Words parts = ptx::split(group.substr(1, group.size() - 2), ',');
  if (parts.empty()) return false;
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

bool AssemblyImporter::count(const Words& parts, const Words& args, const ir::TypePtr& type) {
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
  if (type->isSigned || ptx::has(parts, "shiftamt")) return false;
  ir::ExprPtr zeros = call(is64 ? "__clzll" : "__clz", {read(args[1], same)}, ir::int32());
  write(args[0], op(ir::BinaryOp::Sub, ir::intLit(is64 ? 63 : 31), zeros));
  return true;
}

bool AssemblyImporter::conversion(const Words& parts, const Words& args, const ir::TypePtr& from) {
  const ir::TypePtr to = ptx::typeNamed(parts[parts.size() - 2]);
  if (!to) return false;
  const bool toFloat = to->is(ir::TypeKind::Float), fromFloat = from->is(ir::TypeKind::Float);
  if (to->bits == 16 && toFloat) return false;
  for (size_t i = 1; i + 2 < parts.size(); ++i)
    if (parts[i] != "rn" && parts[i] != "rzi" && parts[i] != "ftz") return false;
  if (fromFloat && !toFloat && !ptx::has(parts, "rzi")) return false;
  write(args[0], ir::convert(read(args[1], from), to, true));
  return true;
}

bool AssemblyImporter::field(bool insert, const Words& args, const ir::TypePtr& type) {
  using enum ir::BinaryOp;
  if (type->bits != 32) return false;
  const ir::TypePtr w = ir::uint64(), u = ir::uint32();
  auto atMost = [&](const std::string& word, uint64_t most) {
    ir::ExprPtr v = body.temporary("bits", op(BitAnd, read(word, u), number(255, u)));
    return body.temporary("clamped", ir::convert(either(op(Lt, v, number(most, u)), v, number(most, u)), w));
  };
  auto ones = [&](const ir::ExprPtr& length) { return op(Sub, op(Shl, number(1, w), length), number(1, w)); };
  if (insert) {
    ir::ExprPtr position = atMost(args[3], 32), length = atMost(args[4], 32);
    ir::ExprPtr mask = body.temporary("mask", op(Shl, ones(length), position));
    ir::ExprPtr base = ir::convert(read(args[2], u), w), value = ir::convert(read(args[1], u), w);
    write(args[0],
          ir::convert(op(BitOr, op(BitAnd, base, inverted(mask)), op(BitAnd, op(Shl, value, position), mask)),
                      u));
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
  ir::ExprPtr by =
      body.temporary("by", op(Sub, number(63, w), op(BitAnd, op(Sub, length, number(1, w)), number(63, w))));
  ir::ExprPtr cut = op(Shr, op(Shl, moved, ir::convert(by, l)), ir::convert(by, l));
  write(args[0], ir::convert(either(op(Eq, length, number(0, w)), number(0, l), cut), type));
  return true;
}

}  // namespace hone::frontend
