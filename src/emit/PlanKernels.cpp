#include "emit/PlanKernels.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/PlanWalk.h"
#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isCoord(const ExprPtr& e, CoordKind kind, unsigned axis) {
  const auto* c = as<Coord>(e);
  return c && c->kind == kind && c->axis == axis;
}

bool sameConstants(const Kernel& a, const Kernel& b) {
  return std::equal(
      a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
      [](const NamedConstant& x, const NamedConstant& y) { return x.role == y.role && x.value == y.value; });
}

// The roles of constants that these expressions and types mention.
class UsedRoles {
 public:
  std::set<ConstantRole> roles;

  void add(const ExprPtr& e) {
    if (!e) return;
    walkExprs(e, [&](const Expr& x) { one(x); });
  }
  void add(const StmtPtr& s) {
    walkExprs(s, [&](const Expr& x) { one(x); });
    walkStmts(s, [&](const Stmt& x) {
      if (const auto* d = x.as<Declare>()) type(d->var->type);
    });
  }

 private:
  void one(const Expr& e) {
    if (const auto* l = e.as<IntLiteral>(); l && l->role) roles.insert(l->role);
    if (e.is<Cast>()) type(e.type);
  }
  void type(const TypePtr& t) {
    for (TypePtr x = t; x; x = x->element) add(x->extentForm);
  }
};

// The user's words in a body: names of constants and types, extents as they were written. A constant of the
// same name would hide what they mean.
void reserveUsersWords(Names& words, const StmtPtr& body) {
  auto type = [&](const TypePtr& t) {
    for (TypePtr x = t; x; x = x->element) words.reserve(x->spelling), words.reserve(x->extentName);
  };
  walkExprs(body, [&](const Expr& e) {
    if (const auto* l = e.as<IntLiteral>()) words.reserve(l->name);
    if (const auto* l = e.as<FloatLiteral>()) words.reserve(l->name);
    if (const auto* v = e.as<VarRef>(); v && v->var->storage == Storage::Global)
      words.reserve(v->var->spelling.empty() ? v->var->name : v->var->spelling);
    if (const auto* c = e.as<Call>()) words.reserve(c->spelling);
    if (e.is<Cast>()) type(e.type);
  });
  walkStmts(body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) type(d->var->type);
  });
}

// Whether a statement of the kernel, or of a function that it reaches, passes the test, or one of its
// variables the other.
bool any(const Kernel& kernel, const std::function<bool(const Stmt&)>& test,
         const std::function<bool(const Variable&)>& testVariable = {}) {
  bool found = false;
  std::set<const Function*> seen;
  std::function<void(const StmtPtr&)> look = [&](const StmtPtr& body) {
    if (!body) return;
    walkStmts(body, [&](const Stmt& s) { found = found || test(s); });
    walkExprs(body, [&](const Expr& e) {
      const auto* v = e.as<VarRef>();
      if (v && testVariable) found = found || testVariable(*v->var);
      const auto* call = e.as<Call>();
      if (call && call->function && seen.insert(call->function.get()).second) look(call->function->body);
    });
  };
  look(kernel.body);
  return found;
}

// The sizes of a launch by the constants that its kernel has for them. Threads of the original that a block
// does the work of get one where a block's threads and a thread's share have.
class NameExtents {
 public:
  NameExtents(const LaunchStep& l, Kernel& k) : launch(l), kernel(k) {}

  Extents run() {
    Extents out{launch.grid, launch.block};
    const bool isLine = constantValue(launch.block[1]) == 1 && constantValue(launch.block[2]) == 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      along = uint8_t(axis);
      auto number = constantValue(launch.block[axis]);
      if (number && *number > 1) {
        std::vector<ConstantRole> roles = {block()};
        if (axis == 0) roles.push_back({RoleKind::LaneCount});
        if (axis == 1) roles.push_back({RoleKind::RowCount});
        if (axis == 0 && isLine) roles.push_back({RoleKind::ThreadCount});
        const auto role = std::find_if(roles.begin(), roles.end(),
                                       [&](const ConstantRole& one) { return has(one, *number); });
        if (role != roles.end()) out.block[axis] = named(*number, *role, launch.block[axis]->type);
      }
      const auto whole = valueOf(tile()), share = valueOf(per());
      if (number && *number > 1 && whole && share && !valueOf(block()) && *whole == *number * *share)
        out.block[axis] = binary(BinaryOp::Div, named(*whole, tile(), launch.block[axis]->type),
                                 named(*share, per(), launch.block[axis]->type));
      out.grid[axis] = gridAlong(axis);
    }
    return out;
  }

 private:
  ConstantRole block() const { return {RoleKind::BlockExtent, along}; }
  ConstantRole per() const { return {RoleKind::MergeFactor, along}; }
  ConstantRole tile() const { return {RoleKind::OriginalExtent, along}; }

  std::optional<int64_t> valueOf(const ConstantRole& role) const {
    for (const NamedConstant& c : kernel.constants)
      if (c.role == role) return c.value;
    return std::nullopt;
  }
  bool has(const ConstantRole& role, int64_t value) const { return valueOf(role) == std::optional(value); }

  // (threads + c - 1) / c
  ExprPtr gridAlong(unsigned axis) {
    const ExprPtr& e = launch.grid[axis];
    const auto* quotient = as<Binary>(e);
    const auto* raised = quotient && quotient->op == BinaryOp::Div ? as<Binary>(quotient->lhs) : nullptr;
    const auto by = quotient ? constantValue(quotient->rhs) : std::nullopt;
    if (!raised || raised->op != BinaryOp::Add || !by || constantValue(raised->rhs) != *by - 1) return e;
    ConstantRole role;
    const auto threads = valueOf(block()), share = valueOf(per());
    if (has(tile(), *by))
      role = tile();
    else if (threads == by)
      role = block();
    else if (!threads && share == by)
      role = per();
    else if (!threads && axis == 0 && has({RoleKind::RowCount}, *by))
      role = {RoleKind::RowCount};
    else if (threads && share && *threads * *share == *by && !valueOf(tile()))
      kernel.constants.push_back(
          {role = tile(), *by, std::string("threads of the original in a block, along ") + "xyz"[axis]});
    if (!role) return e;
    const ExprPtr size = named(*by, role, quotient->rhs->type);
    ExprPtr top = binary(BinaryOp::Sub, binary(BinaryOp::Add, raised->lhs, size), intLit(1, size->type));
    return makeExpr(e->type, Binary{BinaryOp::Div, std::move(top), size}, e->loc);
  }

  const LaunchStep& launch;
  Kernel& kernel;
  uint8_t along = 0;  // the axis at hand
};

}  // namespace

PlanKernels::PlanKernels(const Plan& plan, const std::function<bool(const std::string&)>& isTaken,
                         bool namesExtents)
    : original(plan.original.get()) {
  launches = launchesOf(plan, Branches::All);
  for (const LaunchStep* launch : launches) {
    if (launch->kernel.get() == original) continue;
    auto known = std::find_if(kernels.begin(), kernels.end(), [&](const NewKernel& k) {
      return k.kernel == launch->kernel ||
             (sameConstants(*k.kernel, *launch->kernel) && equal(*k.kernel, *launch->kernel));
    });
    if (known == kernels.end())
      known = kernels.insert(kernels.end(), NewKernel{launch->kernel, {}, "", {}, {}});
    known->launches.push_back(launch);
  }
  for (NewKernel& k : kernels) {
    if (!namesExtents) break;
    auto copy = std::make_shared<Kernel>(*k.kernel);
    for (const LaunchStep* launch : k.launches) extents[launch] = NameExtents(*launch, *copy).run();
    k.threads = threadsRole(k, *copy);
    k.kernel = copy;
  }
  nameConstants(isTaken);
}

// The constant for all threads of a block: that of the one axis it has, or one more.
ConstantRole PlanKernels::threadsRole(const NewKernel& k, Kernel& kernel) const {
  const auto common = commonBlock(k);
  if (!common) return {};
  std::vector<ExprPtr> sizes;
  for (const ExprPtr& size : extentsOf(*k.launches.front()).block)
    if (constantValue(size) != 1 || !size->is<IntLiteral>()) sizes.push_back(size);
  auto isPlain = [](const ExprPtr& size) {
    const auto* literal = as<IntLiteral>(size);
    return literal && !literal->role;
  };
  if (sizes.empty() || std::any_of(sizes.begin(), sizes.end(), isPlain)) return {};
  if (const auto* literal = as<IntLiteral>(sizes[0]); literal && sizes.size() == 1) return literal->role;
  const int64_t all = int64_t((*common)[0]) * (*common)[1] * (*common)[2];
  const ConstantRole role{RoleKind::ThreadCount};
  for (const NamedConstant& c : kernel.constants)
    if (c.role == role) return c.value == all ? role : ConstantRole{};
  kernel.constants.push_back({role, all, "threads of a block"});
  return role;
}

void PlanKernels::nameConstants(const std::function<bool(const std::string&)>& isTaken) {
  auto differs = [&](const NamedConstant& constant) {
    return std::any_of(kernels.begin(), kernels.end(), [&](const NewKernel& k) {
      return std::any_of(k.kernel->constants.begin(), k.kernel->constants.end(), [&](const NamedConstant& c) {
        return c.role == constant.role && c.value != constant.value;
      });
    });
  };
  Names words(original->language);
  for (const NewKernel& k : kernels) reserveUsersWords(words, k.kernel->body);
  for (NewKernel& k : kernels) {
    UsedRoles used;
    used.add(k.kernel->body);
    if (k.threads) used.roles.insert(k.threads);
    for (const LaunchStep* launch : k.launches) {
      const Extents sizes = extentsOf(*launch);
      for (const auto& list : {sizes.grid, sizes.block})
        for (const ExprPtr& e : list) used.add(e);
      for (const ExprPtr& e : launch->args) used.add(e);
      used.add(launch->sharedBytes);
    }
    for (const NamedConstant& c : k.kernel->constants) {
      if (!used.roles.contains(c.role)) continue;
      // Classes of sizes have constants of their own where these differ.
      std::string name = nameOf(c.role);
      if (differs(c) && hasOwnName(k)) name += "_" + k.kernel->name;
      const std::string wanted = name;
      auto clashes = [&] {
        if (isTaken(name) || words.isReserved(name)) return true;
        return std::any_of(constants.begin(), constants.end(), [&](const ConstantLine& line) {
          return line.name == name && line.value != c.value;
        });
      };
      for (int n = 2; clashes(); ++n) name = wanted + "_" + std::to_string(n);
      k.constants[c.role] = {name, c.value};
      if (std::none_of(constants.begin(), constants.end(),
                       [&](const ConstantLine& line) { return line.name == name; }))
        constants.push_back({name, c.value, c.comment});
    }
  }
}

bool PlanKernels::hasOwnName(const NewKernel& k) const { return !k.kernel->name.starts_with(original->name); }

const NewKernel* PlanKernels::of(const LaunchStep& launch) const {
  for (const NewKernel& k : kernels)
    if (std::find(k.launches.begin(), k.launches.end(), &launch) != k.launches.end()) return &k;
  return nullptr;
}

Extents PlanKernels::extentsOf(const LaunchStep& launch) const {
  auto known = extents.find(&launch);
  return known == extents.end() ? Extents{launch.grid, launch.block} : known->second;
}

std::map<ConstantRole, Emitter::ChosenConstant> PlanKernels::allConstants() const {
  std::map<ConstantRole, Emitter::ChosenConstant> all;
  for (const NewKernel& k : kernels) all.insert(k.constants.begin(), k.constants.end());
  return all;
}

std::optional<std::array<unsigned, 3>> commonBlock(const NewKernel& kernel) {
  std::optional<std::array<unsigned, 3>> common;
  for (const LaunchStep* launch : kernel.launches) {
    std::array<unsigned, 3> block{};
    for (size_t axis = 0; axis < 3; ++axis) {
      auto number = constantValue(launch->block[axis]);
      if (!number || *number < 1) return std::nullopt;
      block[axis] = static_cast<unsigned>(*number);
    }
    if (common && *common != block) return std::nullopt;
    common = block;
  }
  return common;
}

bool keepsGrid(const LaunchStep& launch) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!isCoord(launch.grid[axis], CoordKind::GridDim, axis)) return false;
  return true;
}

bool keepsBlock(const LaunchStep& launch) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!isCoord(launch.block[axis], CoordKind::BlockDim, axis)) return false;
  return true;
}

bool usesDynamicShared(const Kernel& kernel) {
  return any(kernel, [](const Stmt&) { return false; }, [](const Variable& v) { return v.isDynamicShared; });
}

bool synchronizesGrid(const Kernel& kernel) {
  return any(kernel, [](const Stmt& s) {
    const auto* b = s.as<Barrier>();
    return b && b->scope == SyncScope::Grid;
  });
}

std::string constantLines(const std::vector<ConstantLine>& constants, Language language) {
  std::string text;
  for (const ConstantLine& c : constants) {
    const bool isInt = c.value == static_cast<int32_t>(c.value);
    std::string comment = c.comment.substr(0, c.comment.find('\n'));
    text += language == Language::OpenCL ? "" : isInt ? "constexpr int " : "constexpr long long ";
    text += c.name + " = " + std::to_string(c.value) + (language == Language::OpenCL ? "," : ";") +
            (comment.empty() ? "\n" : "  // " + comment + "\n");
  }
  return language == Language::OpenCL && !text.empty() ? "enum {\n" + text + "};\n" : text;
}

void bodyConstants(Emitter& emitter, const Kernel& kernel) {
  if (kernel.constants.empty()) return;
  UsedRoles used;
  used.add(kernel.body);
  Names words(emitter.language);
  reserveUsersWords(words, kernel.body);
  std::vector<ConstantLine> lines;
  for (const NamedConstant& c : kernel.constants) {
    if (!used.roles.contains(c.role)) continue;
    const std::string wanted = nameOf(c.role);
    std::string name = wanted;
    for (int n = 2; emitter.options.macros.contains(name) || words.isReserved(name); ++n)
      name = wanted + "_" + std::to_string(n);
    words.reserve(name);
    emitter.chosenConstants[c.role] = {name, c.value};
    lines.push_back({name, c.value, c.comment});
  }
  emitter.constantLines = constantLines(lines, emitter.language);
}

std::string commentLines(const std::string& text) {
  std::string out;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\\' || line.back() == ' ' || line.back() == '\r'))
      line.pop_back();
    out += "// " + line + "\n";
    at = end + 1;
  }
  return out;
}

std::string planTitle(const PlanSite& site, const std::vector<std::string>& story) {
  std::string text =
      site.title + ", optimized by hone" + (site.target.empty() ? "" : " for " + site.target) + ".";
  if (!site.recipe.empty()) text += "\nrecipe: " + site.recipe;
  std::set<std::string> said;
  for (const std::string& sentence : story)
    if (said.insert(sentence).second) text += "\n" + sentence;
  return text;
}

std::string placedComment(const std::string& lines, const EmitOptions& options) {
  const unsigned columns = options.baseIndent * options.indent;
  const std::string lead =
      options.useTabs ? std::string(options.baseIndent, '\t') : std::string(columns, ' ');
  const size_t width = 110 - std::min(40u, columns);
  std::string out;
  for (size_t at = 0; at <= lines.size();) {
    size_t end = std::min(lines.find('\n', at), lines.size());
    std::string line = lines.substr(at, end - at);
    while (!line.empty() && (line.back() == '\\' || line.back() == ' ' || line.back() == '\r'))
      line.pop_back();
    const size_t depth = line.find_first_not_of(' ') == std::string::npos ? 0 : line.find_first_not_of(' ');
    while (line.size() + 3 > width) {
      const size_t cut = line.rfind(' ', width - 3);
      // A word longer than a line stays whole.
      if (cut == std::string::npos || cut <= line.find_first_not_of(' ')) break;
      out += (out.empty() ? "" : lead) + "// " + line.substr(0, cut) + options.newline;
      line = std::string(depth + 2, ' ') + line.substr(cut + 1);
    }
    out += (out.empty() ? "" : lead) + "// " + line + options.newline;
    at = end + 1;
  }
  return out + lead;
}

ExprPtr withThreads(const ExprPtr& e, const std::function<ExprPtr(unsigned, const TypePtr&)>& threads) {
  struct Products : Rewriter {
    const std::function<ExprPtr(unsigned, const TypePtr&)>& threads;
    explicit Products(const std::function<ExprPtr(unsigned, const TypePtr&)>& fn) : threads(fn) {}
    static const Coord* coordOf(const ExprPtr& x) {
      const auto* cast = as<Cast>(x);
      return as<Coord>(cast ? cast->operand : x);
    }
    ExprPtr mapExpr(const ExprPtr& x) override {
      const auto* b = as<Binary>(x);
      if (!b || b->op != BinaryOp::Mul) return x;
      const Coord *l = coordOf(b->lhs), *r = coordOf(b->rhs);
      if (!l || !r || l->axis != r->axis) return x;
      const bool product = (l->kind == CoordKind::GridDim && r->kind == CoordKind::BlockDim) ||
                           (r->kind == CoordKind::GridDim && l->kind == CoordKind::BlockDim);
      ExprPtr whole = product ? threads(l->axis, x->type) : nullptr;
      return whole ? whole : x;
    }
  } products(threads);
  return products.rewrite(e);
}

}  // namespace hone::emit
