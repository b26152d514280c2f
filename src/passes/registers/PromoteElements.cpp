// 1. For each loop, outermost first, and each element that it touches in every iteration: decide whether the
// element may live in a register, over
//    the loop and the assignments beside it that touch the same element.
// 2. Rewrite: load, the loop with a variable instead of the element, store. Then look again, until nothing is
// left to promote.
#include "passes/registers/PromoteElements.h"

#include <fmt/core.h>

#include <algorithm>

#include "emit/Emit.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/registers/PromoteDecide.h"

namespace hone::passes {

using namespace ir;

namespace {

class ElementRewriter : public Rewriter {
 public:
  ElementRewriter(const std::vector<ExprPtr>& all, VarPtr with, VarPtr stored)
      : forms(all), by(std::move(with)), flag(std::move(stored)) {}
  bool isElement(const ExprPtr& e) const {
    return std::any_of(forms.begin(), forms.end(), [&](const ExprPtr& f) { return equal(e, f); });
  }
  // Before its parts: a form may hold another one's variables only.
  ExprPtr rewrite(const ExprPtr& e) override {
    if (e && isElement(e)) {
      hasReplaced = true;
      return ref(by, e->loc);
    }
    return Rewriter::rewrite(e);
  }
  using Rewriter::rewrite;
  bool hasReplaced = false;

 private:
  const std::vector<ExprPtr>& forms;
  VarPtr by, flag;
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* node = as<Assign>(s);
    const auto* place = node ? as<VarRef>(node->place) : nullptr;
    if (!flag || !place || place->var != by) return {s};
    return {s, assign(ref(flag), boolLit(true))};
  }
};

std::shared_ptr<Variable> localVariable(Names& names, const std::string& name, const TypePtr& type,
                                        const SourceLoc& loc) {
  auto var = std::make_shared<Variable>();
  var->name = names.fresh(name);
  var->type = type;
  var->loc = loc;
  return var;
}

[[maybe_unused]] ExprPtr zeroLike(const ExprPtr& e) {
  return e->type->isArithmetic() ? convert(intLit(0), e->type) : e;
}

bool declaresAllOfItsHead(const Stmt& loop) {
  const auto* node = loop.as<For>();
  if (!node) return loop.is<While>();
  return std::all_of(node->init.begin(), node->init.end(), [](const StmtPtr& s) { return s->is<Declare>(); });
}

// The kernel's body with the element in a variable; null where the loop does not name the element.
StmtPtr rewritten(const Kernel& kernel, const Promotion& p) {
  const SourceLoc loc = p.loop->loc;
  Names names(kernel);
  const std::string text = emit::emitExpr(p.element, kernel.language);
  std::string name = p.array.substr(p.array.find_last_of('.') + 1);
  if (const auto* m = as<Swizzle>(p.element); m && m->lanes.size() == 1)
    name += std::string("_") + "xyzw"[m->lanes[0] % 4];
  auto reg =
      localVariable(names, name + (p.isWritten && p.onlyAdds ? "_sum" : "_value"), p.element->type, loc);
  reg->isConst = !p.isWritten;
  VarPtr flag = p.needsFlag ? localVariable(names, name + "_stored", boolType(), loc) : nullptr;
  ElementRewriter rewriter(p.forms, reg, flag);

  StmtList stmts = p.region.stmts(), out;
  // What is stored last by the region's own last statement needs no further store.
  const auto* last = as<Assign>(stmts.back());
  const bool keepsLast = last && !last->op && stmts.size() > 1 && rewriter.isElement(last->place);

  const bool startsWithValue = !p.loadIf && !p.needsFlag && stmts.front()->is<Assign>() &&
                               rewriter.isElement(as<Assign>(stmts.front())->place);
  StmtList before, inside, after;
  before.push_back(makeStmt(
      Comment{p.isWritten
                  ? fmt::format("{} is {} in every iteration: it lives in a register while the loop runs.",
                                text, p.isRead ? "read and written" : "written")
                  : fmt::format("{} is the same in every iteration: loaded once.", text)},
      loc));
  const bool wraps = stmts.size() == 1 && declaresAllOfItsHead(*p.loop) && p.loadIf && !isTrue(p.loadIf) &&
                     equal(p.loadIf, firstIterationCondition(*p.loop)) &&
                     (!p.isWritten || p.needsFlag || equal(p.loadIf, p.storeIf));
  const ExprPtr loadIf = wraps && p.loadIf ? boolLit(true) : p.loadIf;
  const ExprPtr storeIf = wraps && p.storeIf ? boolLit(true) : p.storeIf;
  if (startsWithValue) {
    const auto* first = as<Assign>(stmts.front());
    before.push_back(makeStmt(Declare{reg, rewriter.rewrite(first->value)}, stmts.front()->loc));
    stmts.erase(stmts.begin());
  } else if (loadIf && isTrue(loadIf)) {
    before.push_back(
        makeStmt(Declare{reg, HONE_SEED(PromoteWithoutLoad, p.element, zeroLike(p.element))}, loc));
  } else {
    reg->isConst = false;
    before.push_back(makeStmt(Declare{reg, nullptr}, loc));
    if (loadIf) before.push_back(makeStmt(If{loadIf, block({assign(ref(reg), p.element)}), nullptr}, loc));
  }
  if (flag) before.push_back(makeStmt(Declare{flag, boolLit(false)}, loc));
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (keepsLast && i + 1 == stmts.size()) {
      inside.push_back(
          makeStmt(Assign{last->place, std::nullopt, rewriter.rewrite(last->value)}, stmts[i]->loc));
      continue;
    }
    for (StmtPtr& s : rewriter.rewrite(stmts[i])) inside.push_back(std::move(s));
  }
  if (!rewriter.hasReplaced) return nullptr;
  if (p.isWritten && !keepsLast) {
    StmtPtr store = assign(p.element, ref(reg), loc);
    ExprPtr when = flag ? ref(flag) : storeIf;
    if (HONE_SEED(PromoteStoreAlways, isTrue(when), true))
      after.push_back(store);
    else
      after.push_back(makeStmt(If{when, block({store}), nullptr}, loc));
  }
  StmtList all;
  for (StmtList* part : {&before, &inside, &after}) all.insert(all.end(), part->begin(), part->end());
  if (wraps) {
    StmtPtr comment = all.front();
    all.erase(all.begin());
    all = {comment, makeStmt(If{p.loadIf, block(all), nullptr}, loc)};
  }
  return replaceRun(kernel.body, p.region.stmts().front(), p.region.count, all);
}

}  // namespace

LaunchResult promoteElements(const LaunchStep& original, const PromoteOptions& options,
                             PassContext& context) {
  LaunchResult result{original, nullptr, {}};
  LaunchStep& launch = *result.launch;
  launch.kernel = withDistinctStatements(original.kernel);
  const std::vector<std::string>& names = options.names;
  const std::string wanted = options.loop.value_or("");
  const std::array<unsigned, 3> block = fixedBlock(original).value_or(context.block);
  auto isWanted = [&](const affine::KernelModel& model, const affine::Access& a) {
    if (names.empty() || a.array.isNone()) return names.empty();
    const std::string& array = model.arrays[a.array].name;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name == a.handle || name == array; });
  };
  Obstacle first;
  KnownSeparations separations;
  // Each promotion takes accesses out of a loop and adds some outside of it alone, which ends this.
  while (true) {
    const affine::KernelModel& model = context.facts.of(launch.kernel, block).model();
    if (model.kernel->body != launch.kernel->body) {
      if (const Obstacle no = obstacleToModel(*model.kernel)) return *no;
      launch.kernel = withDistinctStatements(model.kernel);
      continue;
    }
    if (result.remarks.empty()) {
      for (const std::string& name : names)
        if (std::none_of(model.accesses.begin(), model.accesses.end(), [&](const affine::Access& a) {
              return name == a.handle || (a.array.isSome() && name == model.arrays[a.array].name);
            }))
          return Refusal{fmt::format("there is no array or access {}", name)};
      if (!wanted.empty())
        if (const auto at = findLoop(handles(*launch.kernel).loops, wanted); !at) return at.refusal();
    }
    // 1. Decide.
    std::optional<Promotion> found;
    for (const affine::LoopId l : model.loops.ids()) {
      if (!wanted.empty() && model.loops[l].handle != wanted) continue;
      for (const affine::AccessId i : model.accesses.ids()) {
        if (found) break;
        const affine::Access& a = model.accesses[i];
        if (std::find(a.loops.begin(), a.loops.end(), l) == a.loops.end()) continue;
        if (!isWanted(model, a)) continue;
        auto decided = decidePromotion(launch, model, context, separations, l, i);
        if (decided)
          found = *std::move(decided);
        else if (!first)
          first = Refusal{decided.refusal().reason, a.loc};
      }
    }
    if (!found) break;
    // 2. Rewrite.
    auto kernel = std::make_shared<Kernel>(*launch.kernel);
    const std::string text = emit::emitExpr(found->element, kernel->language);
    kernel->story.push_back(fmt::format("{} lives in a register while its loop runs.", text));
    kernel->body = rewritten(*launch.kernel, *found);
    if (!kernel->body)
      return unexpected("promotion of an element that its loop does not name", found->loop->loc);
    launch.kernel = kernel;
    if (found->aliasCondition && !isTrue(found->aliasCondition))
      result.condition = result.condition && equal(result.condition, found->aliasCondition)
                             ? result.condition
                             : andAlso(result.condition, found->aliasCondition);
    result.remarks.push_back(
        {RemarkKind::Done, found->loop->loc, kernel->name,
         fmt::format(
             "{} lives in a register during {}: {} in every iteration{}", text, found->handle,
             !found->isWritten ? "it is read"
             : found->isRead   ? "it is read and written"
                               : "it is written",
             found->tested.empty()
                 ? ""
                 : fmt::format(" (before the launch it is tested that {} do not overlap)", found->tested))});
  }
  if (!result.remarks.empty()) return result;
  return first ? *first : Refusal{"no loop touches one element of memory again and again"};
}

namespace {

std::vector<Recipe> proposePromoting(const Candidate& candidate) {
  if (!candidate.hasLoops()) return {};
  return {{{promotePass()()}}};
}

}  // namespace

const PassOf<PromoteOptions>& promotePass() {
  static const PassOf<PromoteOptions> pass =
      PassOf<PromoteOptions>("promote",
                             "An element of memory that a loop reads or writes in every iteration lives in a "
                             "register meanwhile, loaded before the loop and stored after it.",
                             promoteElements)
          .names(&PromoteOptions::names, "<access>", ParameterKind::Accesses,
                 "arrays or accesses (c, c#2) to promote; none: all that can be")
          .loop(&PromoteOptions::loop, "loop", "only during this loop (L1, L1.2)")
          .proposes({Level::Prepare, 30, proposePromoting});
  return pass;
}

}  // namespace hone::passes
