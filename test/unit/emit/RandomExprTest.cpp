// Random expressions over all integer types: what the printed text computes when compiled as C++ and as C is
// what the IR means, for every operator inside every other and with casts that C would not make by itself.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>

#include <unistd.h>

#include "emit/Build.h"

namespace hone {
namespace {

using namespace ir;
using test::use;
using test::variable;

int64_t fit(uint64_t v, const Type& t) {
  if (t.is(TypeKind::Bool)) return v != 0;
  if (t.bits >= 64) return static_cast<int64_t>(v);
  v &= (uint64_t{1} << t.bits) - 1;
  if (t.isSigned && (v >> (t.bits - 1))) v |= ~((uint64_t{1} << t.bits) - 1);
  return static_cast<int64_t>(v);
}

using Values = std::map<const Variable*, int64_t>;

// What the IR means, signed arithmetic wrapping; none where C leaves the result open.
std::optional<int64_t> evaluate(const ExprPtr& e, const Values& values) {
  const Type& t = *e->type;
  if (const auto* l = as<IntLiteral>(e)) return fit(l->value, t);
  if (const auto* v = as<VarRef>(e)) return values.at(v->var.get());
  if (const auto* c = as<Cast>(e)) {
    auto v = evaluate(c->operand, values);
    return v ? std::optional(fit(static_cast<uint64_t>(*v), t)) : v;
  }
  if (const auto* u = as<Unary>(e)) {
    auto v = evaluate(u->operand, values);
    if (!v) return v;
    if (u->op == UnaryOp::Not) return !*v;
    return fit(u->op == UnaryOp::Neg ? -static_cast<uint64_t>(*v) : ~static_cast<uint64_t>(*v), t);
  }
  if (const auto* s = as<Select>(e)) {
    auto c = evaluate(s->cond, values);
    return c ? evaluate(*c ? s->yes : s->no, values) : c;
  }
  const auto* b = as<Binary>(e);
  if (!b) return std::nullopt;
  auto l = evaluate(b->lhs, values);
  if (!l) return l;
  if (b->op == BinaryOp::LogicalAnd && !*l) return 0;
  if (b->op == BinaryOp::LogicalOr && *l) return 1;
  auto r = evaluate(b->rhs, values);
  if (!r) return r;
  const Type& o = *b->lhs->type;
  const uint64_t x = static_cast<uint64_t>(*l), y = static_cast<uint64_t>(*r);
  switch (b->op) {
    case BinaryOp::Add: return fit(x + y, t);
    case BinaryOp::Sub: return fit(x - y, t);
    case BinaryOp::Mul: return fit(x * y, t);
    case BinaryOp::BitAnd: return fit(x & y, t);
    case BinaryOp::BitOr: return fit(x | y, t);
    case BinaryOp::BitXor: return fit(x ^ y, t);
    case BinaryOp::Div:
    case BinaryOp::Rem:
      if (*r == 0 || (o.isSigned && *r == -1)) return std::nullopt;
      if (o.isSigned) return fit(static_cast<uint64_t>(b->op == BinaryOp::Div ? *l / *r : *l % *r), t);
      return fit(b->op == BinaryOp::Div ? x / y : x % y, t);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      if (*r < 0 || *r >= o.bits) return std::nullopt;
      if (b->op == BinaryOp::Shl) return fit(x << *r, t);
      return fit(static_cast<uint64_t>(o.isSigned ? *l >> *r : static_cast<int64_t>(x >> *r)), t);
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: return *r != 0;
    case BinaryOp::Eq: return *l == *r;
    case BinaryOp::Ne: return *l != *r;
    case BinaryOp::Lt: return o.isSigned ? *l < *r : x < y;
    case BinaryOp::Le: return o.isSigned ? *l <= *r : x <= y;
    case BinaryOp::Gt: return o.isSigned ? *l > *r : x > y;
    case BinaryOp::Ge: return o.isSigned ? *l >= *r : x >= y;
    default: return std::nullopt;
  }
}

class Generator {
 public:
  explicit Generator(unsigned seed, bool isCuda) : random(seed), cuda(isCuda) {
    const std::pair<TypePtr, int64_t> all[] = {{boolType(), 1},
                                               {cuda ? charType() : intType(8, true), -7},
                                               {intType(8, false), 200},
                                               {intType(16, true), -300},
                                               {intType(16, false), 65000},
                                               {int32(), -123456},
                                               {uint32(), 4000000000},
                                               {int64(), -5000000000},
                                               {uint64(), -3}};
    for (const auto& [type, value] : all) {
      VarPtr v = variable("v" + std::to_string(vars.size()), type);
      vars.push_back(v);
      values[v.get()] = fit(static_cast<uint64_t>(value), *type);
    }
  }

  unsigned pick(unsigned n) { return static_cast<unsigned>(random() % n); }
  TypePtr someType() { return vars[pick(static_cast<unsigned>(vars.size()))]->type; }

  ExprPtr leaf() {
    if (pick(3)) return use(vars[pick(static_cast<unsigned>(vars.size()))]);
    static const int64_t constants[] = {0,   1,     2,         5,           31, -1, -2147483648ll,
                                        255, 65536, INT64_MIN, 4294967295ll};
    return intLit(constants[pick(11)], someType());
  }

  ExprPtr tree(int depth) {
    if (depth == 0) return leaf();
    switch (pick(10)) {
      case 0: return convert(tree(depth - 1), someType(), pick(2));
      case 1: return unary(static_cast<UnaryOp>(pick(3)), tree(depth - 1));
      case 2: {
        ExprPtr yes = tree(depth - 1), no = tree(depth - 1);
        TypePtr t = pick(3) ? usualArithmetic(yes->type, no->type) : someType();
        return makeExpr(t, Select{convert(tree(depth - 1), boolType()), convert(yes, t), convert(no, t)});
      }
      case 3: {  // arithmetic in any type, also narrower than C's
        TypePtr t = someType();
        if (t->is(TypeKind::Bool)) t = int32();
        static const BinaryOp ops[] = {BinaryOp::Add,    BinaryOp::Sub, BinaryOp::Mul,
                                       BinaryOp::BitXor, BinaryOp::Div, BinaryOp::Rem};
        return makeExpr(t, Binary{ops[pick(6)], convert(tree(depth - 1), t), convert(tree(depth - 1), t)});
      }
      case 4: {  // comparison in any type
        TypePtr t = someType();
        BinaryOp op = static_cast<BinaryOp>(static_cast<unsigned>(BinaryOp::Eq) + pick(6));
        return makeExpr(boolType(), Binary{op, convert(tree(depth - 1), t), convert(tree(depth - 1), t)});
      }
      default: {
        auto op = static_cast<BinaryOp>(pick(static_cast<unsigned>(BinaryOp::PtrDiff)));
        ExprPtr l = tree(depth - 1),
                r = isShift(op) && pick(4) ? intLit(pick(8), someType()) : tree(depth - 1);
        return binary(op, l, r);
      }
    }
  }

  std::mt19937 random;
  bool cuda;
  std::vector<VarPtr> vars;
  Values values;
};

std::string run(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  pclose(pipe);
  return output;
}

void compare(Language language, unsigned seed, int count) {
  const bool cuda = language == Language::Cuda;
  Generator g(seed, cuda);
  VarPtr out = test::param("out", pointerType(int64(), Space::Global));
  StmtList body;
  for (const auto& v : g.vars) body.push_back(test::declare(v, intLit(g.values[v.get()], v->type)));
  std::vector<int64_t> expected;
  auto slot = [&] { return subscript(use(out), {intLit(static_cast<int64_t>(expected.size()))}); };
  static const BinaryOp compounds[] = {BinaryOp::Add, BinaryOp::Sub,    BinaryOp::Mul,   BinaryOp::Div,
                                       BinaryOp::Rem, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor,
                                       BinaryOp::Shl, BinaryOp::Shr};
  for (int tries = 0; tries < 40 * count && static_cast<int>(expected.size()) < count; ++tries) {
    ExprPtr e = g.tree(1 + static_cast<int>(g.pick(4)));
    auto value = evaluate(e, g.values);
    if (!value) continue;
    switch (g.pick(4)) {
      case 0: {  // through a variable of its own type
        VarPtr r = variable("r", e->type);
        body.push_back(block({test::declare(r, e), assign(slot(), convert(use(r), int64(), true))}));
        expected.push_back(*value);
        break;
      }
      case 1: {  // as a condition
        body.push_back(makeStmt(If{convert(e, boolType()), block({assign(slot(), intLit(1, int64()))}),
                                   block({assign(slot(), intLit(0, int64()))})}));
        expected.push_back(*value != 0);
        break;
      }
      case 2: {  // compound assignment, computed in the type of the value
        BinaryOp op = compounds[g.pick(10)];
        VarPtr r = variable("r", g.vars[1 + g.pick(8)]->type);
        if (e->type->is(TypeKind::Bool)) e = convert(e, int32());
        int64_t start = fit(g.random(), *r->type);
        ExprPtr left = convert(intLit(start, r->type), isShift(op) ? promoted(r->type) : e->type);
        auto result = evaluate(convert(makeExpr(left->type, Binary{op, left, e}), r->type), g.values);
        if (!result) continue;
        body.push_back(block({test::declare(r, intLit(start, r->type)), test::compound(use(r), op, e),
                              assign(slot(), convert(use(r), int64(), true))}));
        expected.push_back(*result);
        break;
      }
      default: body.push_back(assign(slot(), convert(e, int64(), g.pick(2)))); expected.push_back(*value);
    }
  }
  Kernel k;
  k.language = language;
  k.params = {out};
  k.body = block(body);
  emit::EmitOptions options;
  options.language = language;
  emit::EmitResult result = emit::emitBody(k, options);
  ASSERT_TRUE(result.ok());

  const std::string stem =
      ::testing::TempDir() + "hone_random_expr_" + std::to_string(::getpid()) + (cuda ? "_cuda" : "_opencl");
  const std::string source = stem + (cuda ? ".cpp" : ".c");
  std::ofstream file(source);
  file << "#include <stdio.h>\n";
  if (!cuda)
    file << "#include <stdbool.h>\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\ntypedef "
            "unsigned int uint;\n"
            "typedef unsigned long ulong;\n#define __global\n#define char signed char\n";
  file << "void kernel_body(long long* out) " << result.text << "\nlong long results[" << expected.size()
       << "];\n"
       << "int main(void) {\n  kernel_body(results);\n  for (int i = 0; i < " << expected.size()
       << "; ++i) printf(\"%lld\\n\", results[i]);\n}\n";
  file.close();
  // -Wparentheses and its kin must have nothing to say: the text has the parentheses readers need.
  std::string log = run(
      std::string(cuda ? "clang++-22" : "clang-22") +
      " -w -Wparentheses -Wlogical-op-parentheses -Wbitwise-op-parentheses -Wshift-op-parentheses -Werror "
      "-fwrapv -fsigned-char -O0 -o " +
      stem + ".out " + source);
  ASSERT_EQ(log, "") << source;
  std::istringstream lines(run(stem + ".out"));
  for (size_t i = 0; i < expected.size(); ++i) {
    int64_t got = 0;
    ASSERT_TRUE(lines >> got);
    ASSERT_EQ(got, expected[i]) << "out[" << i << "] in " << source;
  }
  for (const char* end : {".out", cuda ? ".cpp" : ".c"}) std::remove((stem + end).c_str());
}

TEST(RandomExpressions, MeanTheSameInCuda) { compare(Language::Cuda, 1, 3000); }
TEST(RandomExpressions, MeanTheSameInOpenCL) { compare(Language::OpenCL, 2, 3000); }

}  // namespace
}  // namespace hone
