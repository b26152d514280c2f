#include "emit/EmitEnqueue.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/PlanWalk.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

// What a host hands over for a parameter, empty where it cannot: "cl_int", "cl_mem", for local memory the
// bytes, for a struct its address.
std::string hostType(const Type& type) {
  auto scalar = [](const Type& t) -> std::string {
    if (t.is(TypeKind::Float)) return t.bits == 64 ? "cl_double" : t.bits == 32 ? "cl_float" : "cl_half";
    if (!t.is(TypeKind::Int) || t.bits > 64) return "";
    const char* name = t.bits == 8 ? "char" : t.bits == 16 ? "short" : t.bits == 32 ? "int" : "long";
    return std::string(t.isSigned ? "cl_" : "cl_u") + name;
  };
  switch (type.kind) {
    case TypeKind::Pointer: return type.space == Space::Shared ? "size_t" : "cl_mem";
    case TypeKind::Struct: return "const void*";
    case TypeKind::Handle:
      return type.spelling.starts_with("image") ? "cl_mem" : type.spelling == "sampler_t" ? "cl_sampler" : "";
    case TypeKind::Vector: {
      std::string one = scalar(*type.element);
      return one.empty() ? "" : one + std::to_string(type.lanes);
    }
    default: return scalar(type);
  }
}

// An address as a buffer and the bytes from its beginning.
struct Address {
  VarPtr buffer;  // null: it is none
  ExprPtr bytes;
};

Address addressOfBuffer(const ExprPtr& e) {
  if (const auto* v = as<VarRef>(e); v && e->type->isPointer()) return {v->var, intLit(0, int64())};
  if (const auto* c = as<Cast>(e)) return addressOfBuffer(c->operand);
  if (const auto* a = as<AddressOf>(e)) {
    const auto* s = as<Subscript>(a->place);
    if (!s || s->indices.size() != 1 || !s->base->type->isPointer()) return {};
    Address base = addressOfBuffer(s->base);
    const auto size = static_cast<int64_t>(sizeOf(*s->base->type->element, true));
    if (!base.buffer || size == 0) return {};
    return {base.buffer, plus(base.bytes, times(convert(s->indices[0], int64()), intLit(size, int64())))};
  }
  if (const auto* b = as<Binary>(e); b && b->op == BinaryOp::Add) {
    Address left = addressOfBuffer(b->lhs), right = addressOfBuffer(b->rhs);
    if (left.buffer && !right.buffer) return {left.buffer, plus(left.bytes, convert(b->rhs, int64()))};
    if (right.buffer && !left.buffer) return {right.buffer, plus(right.bytes, convert(b->lhs, int64()))};
  }
  return {};
}

class EnqueueFunction {
 public:
  EnqueueFunction(const Plan& p, const PlanKernels& k, const std::string& title)
      : plan(p), kernels(k), original(title), host(hostOptions(), Language::Cuda, true) {
    host.comparesAlike = true;
    host.onlyChosenConstants = true;
    host.plainNumbers = true;
    host.coordinateText = [this](const Expr& e, const Coord& c) -> Printed {
      const std::string axis = "[" + std::to_string(c.axis < 3 ? c.axis : 0) + "]";
      const char* member = c.kind == CoordKind::GridDim        ? "groups"
                           : c.kind == CoordKind::BlockDim     ? "local"
                           : c.kind == CoordKind::GlobalSize   ? "global"
                           : c.kind == CoordKind::GlobalOffset ? "offset"
                                                               : "";
      if (!*member) host.error("internal: a plan asks for a thread's place; please report", e.loc);
      return {call + "." + member + axis, kPostfix, uint64()};
    };
  }

  EnqueueText print() {
    EnqueueText out;
    out.name = asIdentifier(original) + "_enqueue";
    out.kernel = original;
    host.names.reserve("hone_call " + out.name);
    host.names.choose(plan.original->params, false, ir::block({}));
    for (const char* word :
         {"queue", "program", "dims", "offset", "global", "local", "waits", "wait_list", "event"})
      words[word] = host.names.fresh(word);
    call = host.names.fresh("call");
    std::string head = "static inline cl_int " + out.name + "(cl_command_queue " + words["queue"] +
                       ", cl_program " + words["program"] + ", cl_uint " + words["dims"] +
                       ", const size_t* " + words["offset"] + ", const size_t* " + words["global"] +
                       ", const size_t* " + words["local"] + ", cl_uint " + words["waits"] +
                       ", const cl_event* " + words["wait_list"] + ", cl_event* " + words["event"];
    for (const VarPtr& p : plan.original->params) {
      std::string type = hostType(*p->type);
      if (type.empty()) problem = "internal: no host has a value for parameter " + p->name;
      head += ", " + type + " " + host.names.of(*p);
      out.types.push_back(std::move(type));
    }
    std::string text = "hone_call " + call + " = hone_begin(" + words["queue"] + ", " + words["program"] +
                       ", " + words["dims"] + ", " + words["offset"] + ", " + words["global"] + ", " +
                       words["local"] + ", " + words["waits"] + ", " + words["wait_list"] + ");\n";
    if (!onlyOriginal(plan)) text += fast();
    text += launchOriginal() + "return hone_end(&" + call + ", " + words["event"] + ");\n";
    if (problem.empty() && !host.errors.empty()) problem = host.errors.front().reason;
    out.problem = problem;
    out.text = head + ") {\n" + text + "}\n";
    return out;
  }

 private:
  static EmitOptions hostOptions() {
    EmitOptions o;
    o.keepNamedConstants = false;
    return o;
  }

  bool onlyOriginal(const Plan& p) const {
    const auto* l = onlyStep<LaunchStep>(p);
    return l && !kernels.of(*l) && keepsGrid(*l) && keepsBlock(*l);
  }

  // What stands before the original: the plan where it may run, which returns when something was enqueued.
  std::string fast() {
    const bool needsGroups =
        plan.original->requiredBlock ||
        std::any_of(kernels.kernels.begin(), kernels.kernels.end(), [](const NewKernel& k) {
          return std::any_of(k.launches.begin(), k.launches.end(), [](const LaunchStep* l) {
            return std::any_of(l->block.begin(), l->block.end(),
                               [](const ExprPtr& e) { return !constantValue(e); });
          });
        });
    std::string test = call + ".fits";
    if (needsGroups) test = words["local"] + " && " + test;
    const auto* choice = onlyStep<ChoiceStep>(plan);
    const Plan* steps = &plan;
    if (choice && onlyOriginal(*choice->otherwise)) {
      test += " && " + parens(printed(choice->cond), kAnd);
      steps = choice->then.get();
    }
    // A barrier of the whole grid is one of a work-group in OpenCL.
    for (const NewKernel& k : kernels.kernels)
      for (const LaunchStep* l : k.launches) {
        if (!synchronizesGrid(*k.kernel) || (keepsGrid(*l) && keepsBlock(*l))) continue;
        for (const ExprPtr& groups : l->grid)
          test += " && " + parens(printed(simplified(groups)), kEqual + 1) + " == 1";
      }
    std::string name = host.names.fresh("holds");
    return commentLines("Where this does not hold, the original runs.") + "const int " + name + " = " + test +
           ";\nif (" + name + ") {\n" + chain(*steps) + "if (hone_done(&" + call + ")) return hone_end(&" +
           call + ", " + words["event"] + ");\n}\n";
  }

  // Choices before anything is enqueued: where one comes to the original, that stands at the end.
  std::string chain(const Plan& p) {
    const auto* choice = onlyStep<ChoiceStep>(p);
    if (!choice) return onlyOriginal(p) ? commentLines("The original, as below.") : body(p);
    std::string text = "if (" + printed(choice->cond).text + ") {\n" + chain(*choice->then) + "}";
    if (onlyOriginal(*choice->otherwise)) return text + "\n";
    const Plan& other = *choice->otherwise;
    const bool isChoice = onlyStep<ChoiceStep>(other);
    return text + " else " + (isChoice ? chain(other) : "{\n" + chain(other) + "}\n");
  }

  std::string body(const Plan& p) {
    std::string text;
    for (const Step& step : p.steps) {
      if (const auto* b = std::get_if<BufferStep>(&step)) text += buffer(*b);
      if (const auto* l = std::get_if<LaunchStep>(&step)) text += launch(*l);
      if (const auto* c = std::get_if<ChoiceStep>(&step)) {
        text += "if (" + printed(c->cond).text + ") {\n" + body(*c->then) + "} else {\n" +
                body(*c->otherwise) + "}\n";
      }
      if (const auto* l = std::get_if<LoopStep>(&step)) text += loop(*l);
    }
    return text;
  }

  // ---- values

  // Places that C on the host has no word for, as variables that carry their text.
  class ForHost : public Rewriter {
   public:
    explicit ForHost(EnqueueFunction& f) : function(f) {}
    ExprPtr rewrite(const ExprPtr& e) override {
      ExprPtr special = function.aboutBuffers(e);
      return special ? special : Rewriter::rewrite(e);
    }

   protected:
    ExprPtr mapExpr(const ExprPtr& e) override {
      if (const auto* c = as<Call>(e); c && c->intrinsic && c->args.size() == 2 &&
                                       (c->intrinsic->id == "min" || c->intrinsic->id == "max"))
        return makeExpr(e->type, Select{binary(c->intrinsic->id == "min" ? BinaryOp::Lt : BinaryOp::Gt,
                                               c->args[0], c->args[1]),
                                        c->args[0], c->args[1]});
      return e;
    }

   private:
    EnqueueFunction& function;
  };

  ExprPtr textOf(const std::string& text, const TypePtr& type) {
    auto v = std::make_shared<Variable>();
    v->type = type;
    host.names.set(*v, text);
    return ref(v);
  }

  // Comparisons of addresses and fields of structs; null: neither.
  ExprPtr aboutBuffers(const ExprPtr& e) {
    const auto* b = as<Binary>(e);
    if (b && b->op == BinaryOp::LogicalOr) {
      const auto *l = as<Binary>(b->lhs), *r = as<Binary>(b->rhs);
      if (!l || !r || l->op != BinaryOp::Le || r->op != BinaryOp::Le) return nullptr;
      Address highA = addressOfBuffer(l->lhs), lowB = addressOfBuffer(l->rhs);
      Address highB = addressOfBuffer(r->lhs), lowA = addressOfBuffer(r->rhs);
      if (!highA.buffer || !highB.buffer || highA.buffer != lowA.buffer || highB.buffer != lowB.buffer)
        return nullptr;
      auto range = [&](const Address& low, const Address& high) {
        return host.names.of(*low.buffer) + ", " + printed(simplified(low.bytes)).text + ", " +
               printed(simplified(high.bytes)).text;
      };
      return textOf("hone_apart(" + range(lowA, highA) + ", " + range(lowB, highB) + ")", boolType());
    }
    if (b && b->op == BinaryOp::Eq && constantValue(b->rhs) == 0) {
      const auto* r = as<Binary>(b->lhs);
      Address at = r && r->op == BinaryOp::Rem ? addressOfBuffer(r->lhs) : Address{};
      if (!at.buffer || constantValue(at.bytes) != 0 || !constantValue(r->rhs)) return nullptr;
      return textOf("hone_aligned(&" + call + ", " + host.names.of(*at.buffer) + ", " +
                        std::to_string(*constantValue(r->rhs)) + ")",
                    boolType());
    }
    if (e->is<Member>()) return field(e);
    // An address elsewhere means nothing to a host.
    if (const auto* v = as<VarRef>(e); v && e->type->isPointer())
      problem = "internal: it needs the address of " + v->var->name;
    return nullptr;
  }

  ExprPtr field(const ExprPtr& e) {
    uint64_t at = 0;
    ExprPtr base = e;
    for (const auto* m = as<Member>(base); m; m = as<Member>(base)) {
      const Type& type = *m->base->type;
      if (m->baseClass >= 0 || !type.is(TypeKind::Struct) || m->field >= type.record->offsets.size())
        return nullptr;
      at += type.record->offsets[m->field];
      base = m->base;
    }
    const auto* v = as<VarRef>(base);
    std::string type = hostType(*e->type);
    if (!v || type.empty() || !e->type->isArithmetic()) return nullptr;
    return textOf(
        "(*(const " + type + "*)((const char*)" + host.names.of(*v->var) + " + " + std::to_string(at) + "))",
        e->type);
  }

  Printed printed(const ExprPtr& e) {
    ForHost forHost(*this);
    return host.converted(forHost.rewrite(withThreads(e, [](unsigned axis, const TypePtr& type) {
      return convert(coord(CoordKind::GlobalSize, axis, uint64()), type);
    })));
  }

  std::string size(const ExprPtr& e) {
    ExprPtr plain = simplified(e);
    if (auto number = constantValue(plain)) return std::to_string(*number);
    return "(size_t)" + parens(printed(plain), kUnary);
  }

  // ---- steps

  std::string buffer(const BufferStep& b) {
    if (++buffers > 8 || inLoop) problem = "internal: it needs too many temporary buffers";
    std::string name = host.names.fresh(b.buffer->name.empty() ? "temporary" : b.buffer->name);
    host.names.set(*b.buffer, name);
    const uint64_t bytes = sizeOf(*b.buffer->type->element, true);
    return "cl_mem " + name + " = hone_buffer(&" + call + ", " +
           size(times(convert(b.count, uint64()), intLit(static_cast<int64_t>(bytes), uint64()))) + ");\n";
  }

  std::string arguments(const LaunchStep& l, const std::string& kernel) {
    std::string declared, text;
    for (size_t i = 0; i < l.args.size(); ++i) {
      const Type& type = *l.kernel->params[i]->type;
      const auto* v = as<VarRef>(l.args[i]);
      const Address at = type.isPointer() ? addressOfBuffer(l.args[i]) : Address{};
      const Variable* whole = v && sameType(*v->var->type, type)          ? v->var.get()
                              : at.buffer && constantValue(at.bytes) == 0 ? at.buffer.get()
                                                                          : nullptr;
      std::string bytes, value;
      if (whole && type.isPointer() && type.space == Space::Shared) {
        bytes = host.names.of(*whole);
        value = "NULL";
      } else if (whole && type.is(TypeKind::Struct)) {
        bytes = std::to_string(sizeOf(type, true));
        value = host.names.of(*whole);
      } else if (whole) {
        value = "&" + host.names.of(*whole);
        bytes = "sizeof(" + host.names.of(*whole) + ")";
      } else if (type.isArithmetic() && !hostType(type).empty()) {
        std::string name =
            host.names.fresh(l.kernel->params[i]->name.empty() ? "argument" : l.kernel->params[i]->name);
        declared += "const " + hostType(type) + " " + name + " = " + printed(l.args[i]).text + ";\n";
        value = "&" + name;
        bytes = "sizeof(" + name + ")";
      } else {
        problem = "internal: it hands " + l.kernel->params[i]->name + " over in a way that a host cannot";
      }
      text += "hone_arg(&" + call + ", " + kernel + ", " + std::to_string(i) + ", " + bytes + ", " + value +
              ");\n";
    }
    return declared + text;
  }

  std::string launch(const LaunchStep& l) {
    const NewKernel* k = kernels.of(l);
    if (!k && keepsGrid(l) && keepsBlock(l)) return launchOriginal();
    if (l.sharedBytes) problem = "internal: it needs local memory that no parameter stands for";
    std::string kernel = host.names.fresh("kernel"), global = host.names.fresh("items"),
                local = host.names.fresh("group"), text, items, group;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool same = equal(l.grid[axis], coord(CoordKind::GridDim, axis, l.grid[axis]->type)) &&
                        equal(l.block[axis], coord(CoordKind::BlockDim, axis, l.block[axis]->type));
      items += (axis ? ", " : "") +
               size(same ? coord(CoordKind::GlobalSize, axis, uint64())
                         : times(convert(l.grid[axis], uint64()), convert(l.block[axis], uint64())));
      group += (axis ? ", " : "") + size(l.block[axis]);
    }
    text += "const size_t " + global + "[3] = {" + items + "}, " + local + "[3] = {" + group + "};\n";
    text += "cl_kernel " + kernel + " = hone_kernel(&" + call + ", \"" + (k ? k->name : original) + "\");\n";
    text += arguments(l, kernel);
    return text + "hone_step(&" + call + ", " + kernel + ", " + global + ", " + local + ");\n";
  }

  std::string launchOriginal() {
    std::string kernel = host.names.fresh("kernel");
    PlanPtr same = originalPlan(plan.original);
    return "cl_kernel " + kernel + " = hone_kernel(&" + call + ", \"" + original + "\");\n" +
           arguments(std::get<LaunchStep>(same->steps[0]), kernel) + "hone_as_given(&" + call + ", " +
           kernel + ");\n";
  }

  std::string loop(const LoopStep& l) {
    std::string name = host.names.fresh(l.var->name.empty() ? "step" : l.var->name);
    host.names.set(*l.var, name);
    const bool outer = inLoop;
    inLoop = true;
    std::string text = "for (" + hostType(*l.var->type) + " " + name + " = " + printed(l.begin).text + "; " +
                       call + ".status == CL_SUCCESS && " + parens(printed(l.cond), kAnd) + "; " + name +
                       " = " + printed(l.next).text + ") {\n" + body(*l.body) + "}\n";
    inLoop = outer;
    return text;
  }

  const Plan& plan;
  const PlanKernels& kernels;
  const std::string original;
  Emitter host;
  std::map<std::string, std::string> words;  // parameters of the function
  std::string call, problem;
  size_t buffers = 0;
  bool inLoop = false;
};

}  // namespace

EnqueueText enqueueFunction(const Plan& plan, const PlanKernels& kernels, const std::string& original) {
  return EnqueueFunction(plan, kernels, original).print();
}

EnqueueText enqueueFunction(const KernelPtr& kernel) {
  PlanPtr plan = originalPlan(kernel);
  PlanKernels none(*plan, [](const std::string&) { return false; });
  return EnqueueFunction(*plan, none, kernel->name).print();
}

}  // namespace hone::emit
