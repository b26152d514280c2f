#include "ir/Dump.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

// Shortest text that reads back as the same number of that width.
std::string number(double value, unsigned bits) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (bits == 32 ? std::strtof(text, nullptr) == static_cast<float>(value)
                   : std::strtod(text, nullptr) == value)
      break;
  }
  return text;
}

std::string escaped(const std::string& bytes) {
  std::string text;
  for (char c : bytes) {
    if (c == '\n')
      text += "\\n";
    else if (c == '\t')
      text += "\\t";
    else if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else
      text += c;
  }
  return text;
}

const char* coordName(CoordKind kind) {
  switch (kind) {
    case CoordKind::ThreadIdx: return "threadIdx";
    case CoordKind::BlockIdx: return "blockIdx";
    case CoordKind::BlockDim: return "blockDim";
    case CoordKind::GridDim: return "gridDim";
    case CoordKind::GlobalId: return "globalId";
    case CoordKind::GlobalSize: return "globalSize";
    case CoordKind::GlobalOffset: return "globalOffset";
    case CoordKind::WorkDim: return "workDim";
    case CoordKind::WarpSize: return "warpSize";
  }
  return "";
}

const char* scopeName(SyncScope scope) {
  switch (scope) {
    case SyncScope::Warp: return "warp";
    case SyncScope::Block: return "block";
    case SyncScope::Grid: return "grid";
    case SyncScope::Device: return "device";
    case SyncScope::System: return "system";
  }
  return "";
}

class Dumper {
 public:
  std::string out;

  std::string text(const ExprPtr& e) {
    if (!e) return "<null>";
    return std::visit([&](const auto& node) { return one(*e, node); }, e->node);
  }

  void stmt(const StmtPtr& s, unsigned depth) {
    if (!s) return line(depth, "<null>");
    std::visit([&](const auto& node) { one(node, depth); }, s->node);
  }

  void body(const StmtPtr& s, unsigned depth) {
    const auto* list = as<Block>(s);
    if (!list) return stmt(s, depth);
    for (const StmtPtr& child : list->stmts) stmt(child, depth);
  }

  void kernel(const Kernel& k) {
    std::string head = "kernel " + (k.qualifiedName.empty() ? k.name : k.qualifiedName);
    if (!k.templateArgs.empty()) {
      head += "<";
      for (size_t i = 0; i < k.templateArgs.size(); ++i) head += (i ? ", " : "") + k.templateArgs[i].text;
      head += ">";
    }
    head += params(k.params);
    if (k.launchBounds) {
      head += " launch_bounds(" + std::to_string(k.launchBounds->maxThreads) + ", " +
              std::to_string(k.launchBounds->minBlocks) + ", " + std::to_string(k.launchBounds->maxCluster) +
              ")";
    }
    if (k.requiredBlock) {
      head += " block(" + std::to_string((*k.requiredBlock)[0]) + ", " +
              std::to_string((*k.requiredBlock)[1]) + ", " + std::to_string((*k.requiredBlock)[2]) + ")";
    }
    if (k.isExternC) head += " extern_c";
    line(0, head);
    body(k.body, 1);
  }

  void function(const Function& f) {
    std::string head = "function " + f.name + params(f.params) + " -> " + str(*f.returnType);
    if (f.returnsReference) head += " reference";
    if (f.writesMemory) head += " writes";
    if (f.readsMemory) head += " reads";
    if (f.usesCoords) head += " coords";
    if (f.synchronizes) head += " synchronizes";
    line(0, head);
    body(f.body, 1);
  }

  void record(const Record& r) {
    line(0, std::string(r.isUnion ? "union " : "struct ") + r.name + " size " + std::to_string(r.size) +
                " align " + std::to_string(r.align) + (r.isComplete ? "" : " incomplete"));
    for (const TypePtr& base : r.bases) line(1, "base " + str(*base));
    for (const Field& field : r.fields)
      line(1, field.name + ": " + str(*field.type) +
                  (field.isBitField() ? " : " + std::to_string(field.bits) : ""));
  }

  void global(const Variable& var) {
    line(0, "global " + describe(var) + (var.init ? " = " + text(var.init) : ""));
  }

  void plan(const Plan& p, unsigned depth) {
    if (p.iterations) line(depth, "iterations " + std::to_string(p.iterations));
    for (const Step& step : p.steps) {
      if (const auto* launch = std::get_if<LaunchStep>(&step)) {
        std::string head = "launch " + (launch->kernel ? launch->kernel->name : "<null>");
        head += " grid(" + join({launch->grid.begin(), launch->grid.end()}) + ")";
        head += " block(" + join({launch->block.begin(), launch->block.end()}) + ")";
        if (launch->sharedBytes) head += " shared(" + text(launch->sharedBytes) + ")";
        head += " args(" + join(launch->args) + ")";
        line(depth, head + (launch->cooperative ? " cooperative" : ""));
      } else if (const auto* buffer = std::get_if<BufferStep>(&step)) {
        line(depth, "buffer " + describe(*buffer->buffer) + " count " + text(buffer->count));
      } else if (const auto* loop = std::get_if<LoopStep>(&step)) {
        line(depth, "for " + describe(*loop->var) + " = " + text(loop->begin) + "; " + text(loop->cond) +
                        "; " + text(loop->next));
        if (loop->body) plan(*loop->body, depth + 1);
      } else {
        const auto& choice = std::get<ChoiceStep>(step);
        line(depth, "if " + text(choice.cond));
        if (choice.then) plan(*choice.then, depth + 1);
        line(depth, "else");
        if (choice.otherwise) plan(*choice.otherwise, depth + 1);
      }
    }
  }

  void line(unsigned depth, const std::string& content) {
    out += std::string(depth * 2, ' ') + content + "\n";
  }

 private:
  // The variable's name; a second variable of one name gets a number.
  std::string name(const Variable& var) {
    auto known = names.find(&var);
    if (known != names.end()) return known->second;
    std::string base = var.name.empty() ? "_" : var.name, unique = base;
    for (int n = 2; !used.insert(unique).second; ++n) unique = base + "'" + std::to_string(n);
    return names[&var] = unique;
  }

  static std::string named(const std::string& hint) { return hint.empty() ? "" : "[" + hint + "]"; }

  std::string describe(const Variable& var) {
    std::string result = name(var) + ": ";
    if (var.space != Space::Private) result += std::string(str(var.space)) + " ";
    if (var.isDynamicShared) result += "dynamic ";
    if (var.isManaged) result += "managed ";
    if (var.isVolatile) result += "volatile ";
    if (var.isReference) result += "ref ";
    if (var.isConstexpr)
      result += "constexpr ";
    else if (var.isConst)
      result += "const ";
    result += str(*var.type);
    if (!var.type->is(TypeKind::Handle)) result += named(var.type->spelling);
    if (var.alignment) result += " align " + std::to_string(var.alignment);
    return result;
  }

  std::string params(const std::vector<VarPtr>& list) {
    std::string result = "(";
    for (size_t i = 0; i < list.size(); ++i) result += (i ? ", " : "") + describe(*list[i]);
    return result + ")";
  }

  std::string join(const std::vector<ExprPtr>& list) {
    std::string result;
    for (size_t i = 0; i < list.size(); ++i) result += (i ? ", " : "") + text(list[i]);
    return result;
  }

  static std::string typeMark(const Type& type, const TypePtr& usual) {
    return sameType(type, *usual) ? "" : ":" + str(type);
  }

  std::string one(const Expr& e, const IntLiteral& n) {
    if (e.type->is(TypeKind::Bool)) return (n.value ? "true" : "false") + named(n.name);
    int64_t value = static_cast<int64_t>(n.value);
    std::string digits;
    if (e.type->isSigned) {
      if (e.type->bits < 64 && e.type->bits > 0 && (n.value >> (e.type->bits - 1)) & 1)
        value = static_cast<int64_t>(n.value | ~((uint64_t{1} << e.type->bits) - 1));
      digits = std::to_string(value);
    } else {
      digits = std::to_string(n.value);
    }
    return digits + typeMark(*e.type, int32()) + named(n.role ? nameOf(n.role) : n.name);
  }
  std::string one(const Expr& e, const FloatLiteral& n) {
    return number(n.value, e.type->bits) + ":" + str(*e.type) + named(n.name);
  }
  std::string one(const Expr&, const NullPointer&) { return "null"; }
  std::string one(const Expr&, const VarRef& n) { return name(*n.var); }
  std::string one(const Expr& e, const Coord& n) {
    std::string result = coordName(n.kind);
    if (n.kind != CoordKind::WarpSize && n.kind != CoordKind::WorkDim)
      result += std::string(".") + "xyz???"[n.axis % 6];
    return result + typeMark(*e.type, uint32());
  }
  std::string one(const Expr&, const Unary& n) { return spelling(n.op) + text(n.operand); }
  std::string one(const Expr&, const Binary& n) {
    const char* op = n.op == BinaryOp::PtrDiff ? "ptrdiff" : spelling(n.op);
    return "(" + text(n.lhs) + " " + op + " " + text(n.rhs) + ")";
  }
  std::string one(const Expr& e, const Cast& n) {
    return str(*e.type) + (n.isExplicit ? "[explicit](" : "(") + text(n.operand) + ")";
  }
  std::string one(const Expr&, const Select& n) {
    return "(" + text(n.cond) + " ? " + text(n.yes) + " : " + text(n.no) + ")";
  }
  std::string one(const Expr&, const Call& n) {
    std::string result = n.intrinsic  ? "@" + std::string(n.intrinsic->id)
                         : n.function ? n.function->name
                                      : "<none>";
    if (!n.typeArgs.empty()) {
      result += "<";
      for (size_t i = 0; i < n.typeArgs.size(); ++i) result += (i ? ", " : "") + str(*n.typeArgs[i]);
      result += ">";
    }
    if (n.format.empty()) return result + "(" + join(n.args) + ")";
    result += "(\"" + escaped(n.format) + "\"";
    size_t next = 0;
    for (const ExprPtr& arg : n.args)
      result += ", " + (arg->is<NullPointer>() ? "\"" + escaped(n.texts.at(next++)) + "\"" : text(arg));
    return result + ")";
  }
  std::string one(const Expr&, const Subscript& n) {
    return text(n.base) + "[" + join(n.indices) + "]" + (n.starStyle ? "[*]" : "");
  }
  std::string one(const Expr&, const Member& n) {
    const TypePtr& type = n.base->type;
    if (!type->is(TypeKind::Struct)) return text(n.base) + ".<no struct>";
    const Record& r = *type->record;
    if (n.baseClass >= 0)
      return text(n.base) + ".<base " +
             (static_cast<size_t>(n.baseClass) < r.bases.size()
                  ? str(*r.bases[static_cast<size_t>(n.baseClass)])
                  : "?") +
             ">";
    return text(n.base) + "." + (n.field < r.fields.size() ? r.fields[n.field].name : "?");
  }
  std::string one(const Expr&, const Swizzle& n) {
    std::string lanes;
    for (uint8_t lane : n.lanes) lanes += "0123456789abcdef"[lane & 15];
    return text(n.base) + ".s" + lanes;
  }
  std::string one(const Expr&, const AddressOf& n) { return "&" + text(n.place); }
  std::string one(const Expr& e, const Construct& n) { return str(*e.type) + "{" + join(n.parts) + "}"; }

  // Statements of a for header on one line.
  std::string inlined(const StmtList& list) {
    std::string saved = std::move(out), result;
    for (const StmtPtr& s : list) {
      out.clear();
      stmt(s, 0);
      while (!out.empty() && out.back() == '\n') out.pop_back();
      for (char& c : out)
        if (c == '\n') c = ' ';
      result += (result.empty() ? "" : ", ") + out;
    }
    out = std::move(saved);
    return result;
  }
  static std::string unrolled(int n) {
    if (n == 0) return "";
    return n < 0 ? " unroll" : " unroll(" + std::to_string(n) + ")";
  }

  void one(const Declare& n, unsigned depth) {
    // The initializer is read before the name exists.
    std::string init = n.init ? " = " + text(n.init) : "";
    line(depth, "decl " + describe(*n.var) + init);
  }
  void one(const Assign& n, unsigned depth) {
    std::string op = n.op ? spelling(*n.op) : "";
    line(depth, text(n.place) + " " + op + "= " + text(n.value) + (n.incrementStyle ? " [++]" : ""));
  }
  void one(const Eval& n, unsigned depth) { line(depth, "eval " + text(n.call)); }
  void one(const If& n, unsigned depth) {
    line(depth, "if " + text(n.cond));
    body(n.then, depth + 1);
    if (!n.otherwise) return;
    line(depth, "else");
    body(n.otherwise, depth + 1);
  }
  void one(const For& n, unsigned depth) {
    std::string head = "for (" + inlined(n.init) + "; ";
    head += (n.cond ? text(n.cond) : "") + "; " + inlined(n.step) + ")";
    line(depth, head + unrolled(n.unroll));
    body(n.body, depth + 1);
  }
  void one(const While& n, unsigned depth) {
    line(depth, "while " + text(n.cond) + unrolled(n.unroll));
    body(n.body, depth + 1);
  }
  void one(const DoWhile& n, unsigned depth) {
    line(depth, "do" + unrolled(n.unroll));
    body(n.body, depth + 1);
    line(depth, "while " + text(n.cond));
  }
  void one(const Switch& n, unsigned depth) {
    line(depth, "switch " + text(n.value));
    for (const SwitchCase& c : n.cases) {
      std::string head = c.values.empty() ? "" : "case " + join(c.values);
      if (c.isDefault) head += head.empty() ? "default" : ", default";
      line(depth + 1, head);
      for (const StmtPtr& s : c.body) stmt(s, depth + 2);
    }
  }
  void one(const Break&, unsigned depth) { line(depth, "break"); }
  void one(const Continue&, unsigned depth) { line(depth, "continue"); }
  void one(const Return& n, unsigned depth) { line(depth, n.value ? "return " + text(n.value) : "return"); }
  void one(const Block& n, unsigned depth) {
    line(depth, "block");
    for (const StmtPtr& s : n.stmts) stmt(s, depth + 1);
  }
  static std::string orders(bool local, bool global) {
    if (local && global) return "";
    return local ? " local" : global ? " global" : " nothing";
  }
  void one(const Barrier& n, unsigned depth) {
    line(depth, std::string("barrier ") + scopeName(n.scope) + (n.mask ? " mask " + text(n.mask) : "") +
                    orders(n.orderLocal, n.orderGlobal));
  }
  void one(const Fence& n, unsigned depth) {
    line(depth, std::string("fence ") + scopeName(n.scope) + orders(n.orderLocal, n.orderGlobal));
  }
  void one(const Printf& n, unsigned depth) {
    line(depth, "printf \"" + escaped(n.format) + "\"" + (n.args.empty() ? "" : ", ") + join(n.args));
  }
  void one(const Assert& n, unsigned depth) {
    line(depth, "assert " + text(n.cond) + (n.text.empty() ? "" : " \"" + escaped(n.text) + "\""));
  }
  void one(const Comment& n, unsigned depth) { line(depth, "// " + escaped(textOf(n))); }

  std::map<const Variable*, std::string> names;
  std::set<std::string> used;
};

}  // namespace

std::string dump(const Kernel& kernel) {
  Dumper dumper;
  dumper.kernel(kernel);
  return dumper.out;
}

std::string dump(const Function& function) {
  Dumper dumper;
  dumper.function(function);
  return dumper.out;
}

std::string dump(const Module& module) {
  std::string result;
  Dumper head;
  for (const RecordPtr& record : module.records) head.record(*record);
  for (const VarPtr& global : module.globals) head.global(*global);
  result = head.out;
  for (const FunctionPtr& function : module.functions) result += dump(*function);
  for (const KernelPtr& kernel : module.kernels) result += dump(*kernel);
  return result;
}

std::string dump(const Plan& plan) {
  Dumper dumper;
  dumper.line(0, "plan of " + (plan.original ? plan.original->name : "<null>"));
  dumper.plan(plan, 1);
  return dumper.out;
}

std::string dump(const ExprPtr& e) { return Dumper().text(e); }

std::string dump(const StmtPtr& s) {
  Dumper dumper;
  dumper.stmt(s, 0);
  return dumper.out;
}

}  // namespace hone::ir
