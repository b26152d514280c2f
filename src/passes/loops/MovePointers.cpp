#include "passes/loops/MovePointers.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/host/Candidate.h"
#include "passes/host/HostConditions.h"
#include "passes/launch/FixBlock.h"
#include "passes/loops/MovingAddresses.h"

namespace hone::passes {

using namespace ir;

namespace {

// Accesses through pointers or offsets that stand before their loops and move at the end of each iteration.
class Move : public Rewriter {
 public:
  Move(const affine::KernelModel& kernelModel, const std::vector<MovingAddress>& all, MovingForm asked)
      : model(kernelModel), names(*kernelModel.kernel), form(asked) {
    for (const MovingAddress& one : all) {
      const TypePtr& base = one.base->type;
      const VarPtr moving = makeLocal(
          names, model.arrays[one.array].name + "_from",
          form == MovingForm::Offsets ? one.type : pointerType(base->element, base->space, base->isConst));
      loops[one.loop.get()].emplace_back(&one, moving);
      for (const auto& [access, at] : one.at) {
        const affine::Access& a = model.accesses[access];
        places[{a.stmt.get(), elementBehind(a.place).get()}] = {&one, moving, at};
      }
    }
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    // The address of the pointer's own element is the pointer.
    if (const auto* address = as<AddressOf>(e))
      if (auto found = places.find({current, address->place.get()});
          found != places.end() && form == MovingForm::Pointers)
        return addressAt(found->second.moving, found->second.at);
    auto found = e ? places.find({current, e.get()}) : places.end();
    if (found == places.end()) return Rewriter::rewrite(e);
    const auto& [one, moving, at] = found->second;
    if (form == MovingForm::Pointers)
      return at ? subscript(ref(moving), {at}, e->loc) : deref(ref(moving), e->loc);
    const ExprPtr sum = at ? plus(ref(moving), at) : ref(moving);
    const TypePtr written = withoutCasts(as<Subscript>(e)->indices.front())->type;
    return subscript(ref(one->base), {written->isSigned ? convert(sum, signedOf(sum->type), true) : sum},
                     e->loc);
  }

  StmtList rewrite(const StmtPtr& s) override {
    const Stmt* outer = std::exchange(current, s.get());
    StmtList made = Rewriter::rewrite(s);
    current = outer;
    auto moving = loops.find(s.get());
    if (moving == loops.end()) return made;
    For loop = *as<For>(made.front());
    StmtList body = as<Block>(loop.body)->stmts;
    StmtList before{say(form == MovingForm::Pointers ? "Pointers that move along with the iterations."
                                                     : "Offsets that move along with the iterations.")};
    for (const auto& [one, var] : moving->second) {
      const ExprPtr from = form == MovingForm::Pointers
                               ? addressOf(subscript(ref(one->base), {one->from}), var->type->space)
                               : convert(one->from, var->type);
      before.push_back(makeStmt(Declare{var, from}));
      body.push_back(form == MovingForm::Pointers
                         ? assign(ref(var), addressAt(var, one->advance))
                         : makeStmt(Assign{ref(var), BinaryOp::Add, convert(one->advance, var->type)}));
    }
    loop.body = block(std::move(body), loop.body->loc);
    before.push_back(makeStmt(std::move(loop), s->loc));
    return before;
  }

 private:
  struct Place {
    const MovingAddress* address = nullptr;
    VarPtr moving;
    ExprPtr at;
  };
  static TypePtr signedOf(const TypePtr& type) { return intType(type->bits, true); }
  static ExprPtr addressAt(const VarPtr& pointer, const ExprPtr& at) {
    return at ? addressOf(subscript(ref(pointer), {at}), pointer->type->space) : ref(pointer);
  }

  const affine::KernelModel& model;
  Names names;
  const MovingForm form;
  std::map<const Stmt*, std::vector<std::pair<const MovingAddress*, VarPtr>>> loops;
  std::map<std::pair<const Stmt*, const Expr*>, Place> places;
  const Stmt* current = nullptr;
};

std::string arraysOf(const affine::KernelModel& model, const std::vector<MovingAddress>& all) {
  std::set<std::string> seen;
  std::string text;
  for (const MovingAddress& one : all)
    if (const std::string& name = model.arrays[one.array].name; seen.insert(name).second)
      text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

LaunchResult movePointers(const LaunchStep& launch, const MovePointersOptions& options,
                          PassContext& context) {
  // 1. Decide: which addresses advance evenly, and what that relies on.
  const FixedLaunch fixed = withBlockWhereItMatters(launch, context);
  const affine::KernelModel& model = context.facts.of(fixed.launch.kernel, fixed.block).model();
  const std::vector<std::string>& wanted = options.arrays;
  for (const std::string& name : wanted)
    if (std::none_of(model.arrays.begin(), model.arrays.end(),
                     [&](const affine::Array& array) { return array.name == name; }))
      return Refusal{fmt::format("there is no array {}", name)};
  const MovingForm form = options.how.value_or(MovingForm::Pointers);
  const MovingAddresses moving = movingAddresses(model, wanted, form);
  if (moving.all.empty())
    return moving.leftOut   ? *moving.leftOut
           : wanted.empty() ? Refusal{"no loop has wide accesses whose addresses are known"}
                            : Refusal{"no loop has accesses of what is named whose addresses are known"};
  LaunchResult result{fixed.launch, fixed.condition, {}};
  std::set<unsigned> needed;
  for (const MovingAddress& one : moving.all)
    for (const auto& [access, at] : one.at)
      needed.insert(model.accesses[access].requirements.begin(), model.accesses[access].requirements.end());
  const auto tests = testsFor(fixed.launch, model, needed);
  if (!tests) return tests.refusal();
  result.condition = andAlso(result.condition, *tests);

  // 2. Rewrite.
  auto kernel = std::make_shared<Kernel>(*model.kernel);
  kernel->body = withoutDeadCode(Move(model, moving.all, form).rewriteBlock(model.kernel->body), {});
  const std::string what =
      fmt::format("the addresses of {} move along with a loop", arraysOf(model, moving.all));
  kernel->story.push_back("T" + what.substr(1) + ".");
  result.launch->kernel = kernel;
  result.remarks.push_back({RemarkKind::Done, launch.kernel->loc, launch.kernel->name, what});
  return result;
}

namespace {

std::vector<Recipe> proposeMoving(const Candidate& candidate) {
  const bool fillsWide = candidate.has(&PassTraits::addsTiles) && candidate.has(&PassTraits::widensAccesses);
  if (!fillsWide || candidate.has(movePointersPass())) return {};
  return {{{movePointersPass()()}}};
}

}  // namespace

const PassOf<MovePointersOptions>& movePointersPass() {
  static const PassOf<MovePointersOptions> pass =
      PassOf<MovePointersOptions>("move-pointers",
                                  "Where a loop works out in each iteration from which elements it loads, "
                                  "pointers move along with its iterations.",
                                  movePointers)
          .names(&MovePointersOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "arrays to do it for; without any, all that are accessed several elements at a time")
          .word(&MovePointersOptions::how, "how", {"pointers", "offsets"},
                "pointers (default), or offsets: integers as wide as the kernel's own, which take fewer "
                "registers",
                values({"pointers", "offsets"}))
          .proposes({Level::Finish, 10, proposeMoving});
  return pass;
}

}  // namespace hone::passes
