#include "passes/guards/SkipBlocks.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/DigitSums.h"
#include "affine/ToExpr.h"
#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StructureReturns.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/guards/IdleBlocks.h"
#include "passes/guards/IdleWork.h"
#include "passes/host/Candidate.h"
#include "passes/host/HostConditions.h"
#include "passes/launch/FixBlock.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether the grid's own end is all that a condition speaks of: blocks behind a size are hardly launched.
bool isEndOfGrid(const affine::Atoms& atoms, const affine::CondPtr& cond) {
  if (cond->kind != affine::CondKind::AtLeast0) return false;
  unsigned blocks = 0, others = 0;
  bool rises = false;
  for (const auto& [monomial, factor] : cond->value.terms()) {
    if (monomial.empty()) continue;
    const bool isBlock = monomial.size() == 1 && atoms[monomial.front()].kind == affine::AtomKind::Block;
    ++(isBlock ? blocks : others);
    rises = rises || (isBlock && factor > 0);
  }
  return blocks == 1 && others <= 1 && rises;
}

// Whether all blocks answer alike.
bool isDecided(const affine::Atoms& atoms, const affine::CondPtr& cond) {
  if (!atoms.variation(cond).blockAxes) return true;
  return cond->kind == affine::CondKind::AtLeast0 &&
         (atoms.range(cond->value).high < 0 || atoms.range(cond->value).low >= 0);
}

// Whether the kernel compares integers of 64 bits: its ids need not fit into 32.
bool comparesWide(const StmtPtr& body) {
  bool found = false;
  walkExprs(body, [&](const Expr& e) {
    const auto* b = e.as<Binary>();
    found = found || (b && isComparison(b->op) && b->lhs->type->isInteger() && b->lhs->type->bits > 32);
  });
  return found;
}

// Conditions as people write them: extents of blocks under the names that the kernel has for them, ids
// compared as they are.
class AsWritten : public Rewriter {
 public:
  explicit AsWritten(const Kernel& ofKernel) : kernel(ofKernel) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* b = as<Binary>(e);
    if (!b) return e;
    const auto* block = blockOf(b->lhs);
    if (block && blockOf(b->rhs) && isComparison(b->op))
      return binary(b->op, id(block->axis), id(blockOf(b->rhs)->axis));
    const auto number = block && b->op == BinaryOp::Mul ? constantValue(b->rhs) : std::nullopt;
    for (const NamedConstant& constant : kernel.constants)
      if (number == constant.value && constant.role.kind == RoleKind::BlockExtent &&
          constant.role.axis == block->axis)
        return binary(BinaryOp::Mul, b->lhs, named(*number, constant.role, b->rhs->type));
    return e;
  }

 private:
  ExprPtr id(unsigned axis) const {
    return coord(CoordKind::BlockIdx, axis, kernel.language == Language::OpenCL ? uint64() : uint32());
  }
  static const Coord* blockOf(const ExprPtr& e) {
    const auto* c = as<Coord>(withoutCasts(e));
    return c && c->kind == CoordKind::BlockIdx ? c : nullptr;
  }

  const Kernel& kernel;
};

class BlockSkipper {
 public:
  BlockSkipper(const affine::KernelModel& kernelModel, const Kernel& ofKernel)
      : model(kernelModel), work(model), kernel(ofKernel), isWide(comparesWide(kernel.body)) {}

  // The body in which loops end where no thread of the block has work in them any more, and blocks without
  // work leave as early as they may; else leave out what they need not do. Null: neither is found.
  StmtPtr run() {
    const StmtList& top = as<Block>(kernel.body)->stmts;
    for (const affine::LoopId l : model.loops.ids()) shorten(l);
    StmtList made = withReturn(top);
    if (made.empty()) made = withoutIdle(top);
    return leaves || !shorter.empty() ? block(made, kernel.body->loc) : nullptr;
  }

  SourceLoc where;
  std::set<unsigned> requirements;
  bool isMasked = false;  // some blocks have nothing to do
  bool leaves = false;
  std::map<const Stmt*, StmtPtr> shorter;

 private:
  IdleConditions worthAsking(const std::optional<IdleConditions>& conditions) const {
    IdleConditions out = conditions.value_or(IdleConditions{});
    std::erase_if(out, [&](const affine::CondPtr& one) {
      return isDecided(*model.atoms, one) || isEndOfGrid(*model.atoms, one);
    });
    return out;
  }

  template <class Value>
  ExprPtr written(const Value& value, const IdleWork& answered) {
    affine::ToExpr writer(model, !isWide && fitsAsIds(value, answered) ? int32() : int64());
    const auto asked = writer.of(value);
    return asked ? AsWritten(kernel).rewrite(*asked) : nullptr;
  }

  // Whether multiples of blocks' ids are no larger than ids of threads that are known to fit: a comparison
  // that threads make under conditions alone may wrap elsewhere.
  bool fitsAsIds(const affine::CondPtr& cond, const IdleWork& answered) const {
    return fitsAsIds(cond->value, answered) &&
           std::ranges::all_of(cond->parts,
                               [&](const affine::CondPtr& part) { return fitsAsIds(part, answered); });
  }
  bool fitsAsIds(const affine::Poly& value, const IdleWork& answered) const {
    return std::ranges::all_of(value.terms(), [&](const auto& term) {
      affine::Poly alone;
      alone.add(term.first, term.second);
      if (!model.atoms->variation(alone).blockAxes) return true;
      const auto& [monomial, factor] = term;
      if (monomial.size() != 1 || (*model.atoms)[monomial.front()].kind != affine::AtomKind::Block)
        return false;
      if (factor == 1 || factor == -1 || model.atoms->range(alone).isWithin(INT32_MIN / 2, INT32_MAX / 2))
        return true;
      return std::ranges::any_of(answered.requirements(), [&](unsigned r) {
        const affine::Requirement& made = model.requirements[r];
        const auto known = made.value.coefficient(monomial.front()).constant();
        return made.high <= UINT32_MAX && known && *known >= std::abs(factor) &&
               model.atoms->range(made.value - affine::Poly::atom(monomial.front(), *known)).low >= 0;
      });
    });
  }

  void relyOn(const IdleWork& answered) {
    requirements.insert(answered.requirements().begin(), answered.requirements().end());
  }

  // Ends a loop at the first iteration from which on no thread of the block has work in it.
  void shorten(affine::LoopId l) {
    const affine::Loop& loop = model.loops[l];
    const auto* node = as<For>(loop.stmt);
    const auto count = node ? counted(*node) : std::nullopt;
    const auto step = loop.step.constant();
    if (!count || !count->declares || loop.parent.isSome() || !loop.runs || !loop.var ||
        !loop.values.empty() || loop.byDistance || !step || *step < 1 || node->init.size() != 1 ||
        node->step.size() != 1 || affine::iterationsOf(loop))
      return;
    IdleWork iterations(model, l);
    IdleConditions found = worthAsking(iterations.toLeaveOut(node->body));
    std::erase_if(found, [&](const affine::CondPtr& one) { return !staysSo(one, loop); });
    if (found.empty()) return;
    const IdleConditions atEnd = idleWhere(model, loop.runs, l);
    const bool endsAnyway = std::any_of(atEnd.begin(), atEnd.end(), [&](const affine::CondPtr& end) {
      return std::any_of(found.begin(), found.end(),
                         [&](const affine::CondPtr& one) { return impliesIdle(one, end); });
    });
    if (endsAnyway) return;
    ExprPtr goesOn = node->cond;
    for (const affine::CondPtr& one : found) {
      const ExprPtr end = endOf(loop, one->value, iterations);
      if (!end) return;
      goesOn = andAlso(goesOn, binary(BinaryOp::Lt, ref(loop.var), end));
    }
    relyOn(iterations);
    For copy = *node;
    copy.cond = goesOn;
    shorter[loop.stmt.get()] = makeStmt(std::move(copy), loop.stmt->loc);
    where = loop.stmt->loc;
  }

  // Whether a condition on the counter goes on to hold once it does, from a value of the variable on.
  static bool staysSo(const affine::CondPtr& cond, const affine::Loop& loop) {
    const auto rise = cond->kind == affine::CondKind::AtLeast0
                          ? cond->value.coefficient(loop.counter).constant()
                          : std::nullopt;
    return rise && *rise > 0 && *loop.step.constant() % *rise == 0;
  }

  // What the loop's variable has to stay below while a multiple of the counter + rest < 0.
  ExprPtr endOf(const affine::Loop& loop, const affine::Poly& value, const IdleWork& answered) {
    const int64_t times = *loop.step.constant() / *value.coefficient(loop.counter).constant();
    const affine::Poly end = loop.first - value.without(loop.counter) * affine::Poly(times) -
                             HONE_SEED(SkipEndTooEarly, affine::Poly(), loop.step);
    // Sums of ids fit where the kernel's own do; of others nothing is known.
    bool isOfIds = true;
    model.atoms->forEachAtom(end, [&](affine::AtomId id) {
      isOfIds = isOfIds && (*model.atoms)[id].kind == affine::AtomKind::Block;
    });
    if (isOfIds) return written(end, answered);
    const auto made = affine::ToExpr(model, int64()).of(end);
    return made ? AsWritten(kernel).rewrite(*made) : nullptr;
  }

  StmtList withReturn(const StmtList& top) {
    IdleConditions found;
    size_t at = top.size();
    while (at > 0) {
      const auto wider = work.toLeaveBefore({top.begin() + std::ptrdiff_t(at - 1), top.end()});
      const IdleConditions asked = worthAsking(wider);
      if (wider && asked.empty()) break;
      found = asked, --at;
    }
    isMasked = isMasked || !found.empty();
    const auto isWaste = [&](const StmtPtr& s) { return work.isDoneAnyway(s, found); };
    if (found.empty() || std::none_of(top.begin() + std::ptrdiff_t(at), top.end(), isWaste)) return {};
    work.toLeaveBefore({top.begin() + std::ptrdiff_t(at), top.end()});
    const ExprPtr test = written(affine::anyOf(found), work);
    if (!test) return {};
    relyOn(work);
    leaves = true;
    // Behind what costs nothing: tiles and what names coordinates.
    for (size_t i = at; i < top.size() && (top[i]->is<Comment>() || isFree(top[i])); ++i)
      if (isFree(top[i])) at = i + 1;
    where = top[at]->loc;
    StmtList out;
    for (size_t i = 0; i < top.size(); ++i) {
      if (i == at) {
        out.push_back(makeStmt(Comment{"Blocks whose threads are all masked have no work."}, where));
        out.push_back(makeStmt(If{test, block({makeStmt(Return{}, where)}), nullptr}, where));
      }
      out.push_back(shortened(top[i]));
    }
    return out;
  }

  static bool isFree(const StmtPtr& s) {
    const auto* d = as<Declare>(s);
    if (!d) return false;
    if (d->var->space == Space::Shared) return true;
    return d->init && !d->var->type->is(TypeKind::Array) && accesses(d->init).empty() && isPure(d->init);
  }

  StmtPtr shortened(const StmtPtr& s) const {
    if (const auto found = shorter.find(s.get()); found != shorter.end()) return found->second;
    if (!s->is<Block>()) return s;
    StmtList inner;
    for (const StmtPtr& one : as<Block>(s)->stmts) inner.push_back(shortened(one));
    return block(std::move(inner), s->loc);
  }

  StmtList withoutIdle(const StmtList& list) {
    StmtList out;
    for (const StmtPtr& s : list) {
      const ExprPtr test = s->is<Declare>() || s->is<Comment>() ? nullptr : testToLeaveOut(s);
      if (!test) {
        out.push_back(withoutIdleBelow(s));
        continue;
      }
      StmtList under{shortened(s)};
      if (!out.empty() && out.back()->is<Comment>()) {
        under.insert(under.begin(), out.back());
        out.pop_back();
      }
      out.push_back(makeStmt(Comment{"Blocks whose threads are all masked need none of it."}, s->loc));
      out.push_back(makeStmt(If{negated(test), block(std::move(under)), nullptr}, s->loc));
    }
    return out;
  }

  StmtPtr withoutIdleBelow(const StmtPtr& s) {
    if (const auto* list = as<Block>(s)) return block(withoutIdle(list->stmts), s->loc);
    const StmtPtr made = shortened(s);
    const auto* loop = as<For>(made);
    if (!loop) return made;
    For copy = *loop;
    copy.body = block(withoutIdle(as<Block>(loop->body)->stmts), loop->body->loc);
    return makeStmt(std::move(copy), s->loc);
  }

  // Null: all blocks have a use for the statement, or those that have none do not go through it.
  ExprPtr testToLeaveOut(const StmtPtr& s) {
    const IdleConditions found = worthAsking(work.toLeaveOut(s));
    isMasked = isMasked || !found.empty();
    if (found.empty() || !work.isDoneAnyway(s, found)) return nullptr;
    const ExprPtr test = written(affine::anyOf(found), work);
    if (!test) return nullptr;
    relyOn(work);
    leaves = true;
    where = s->loc;
    return test;
  }

  const affine::KernelModel& model;
  IdleWork work;
  const Kernel& kernel;
  const bool isWide;  // ids need not fit into 32 bits
};

}  // namespace

LaunchResult skipBlocks(const LaunchStep& original, const NoOptions&, PassContext& context) {
  const FixedLaunch fixed = withFixedBlock(original, context);
  KernelPtr plain = withDistinctStatements(fixed.launch.kernel);
  if (const Obstacle no = obstacleToModel(*plain)) return *no;
  // Where calls are inlined in the model, its statements are those of the inlined kernel.
  if (const KernelPtr& inlined = context.facts.of(plain, fixed.block).model().kernel;
      inlined->body != plain->body)
    plain = withDistinctStatements(inlined);
  if (containsReturn(plain->body)) return Refusal{"it returns early where no if can stand for that"};
  // 1. Decide and rewrite.
  const affine::KernelModel& model = context.facts.of(plain, fixed.block).model();
  BlockSkipper skipper(model, *plain);
  const StmtPtr body = skipper.run();
  if (!body && !skipper.isMasked)
    return Refusal{"no condition keeps all threads of a block from what others could notice"};
  if (!body) return Refusal{"threads that a mask keeps from their work come to no loop or barrier anyway"};
  // 2. That numbers which decide about threads do not wrap.
  const auto tests = testsFor(fixed.launch, model, skipper.requirements, WrittenAs::Signed);
  if (!tests) return tests.refusal();
  LaunchResult result{fixed.launch, andAlso(fixed.condition, *tests), {}};
  auto kernel = std::make_shared<Kernel>(*plain);
  kernel->body = body;
  const bool leaves = skipper.leaves, isShorter = !skipper.shorter.empty();
  if (leaves)
    kernel->story.push_back("Blocks whose threads are all masked leave out the work of the others.");
  if (isShorter) kernel->story.push_back("Loops end where no thread of the block has work in them any more.");
  result.launch->kernel = kernel;
  result.remarks.push_back(
      {RemarkKind::Done, skipper.where, kernel->name,
       fmt::format("{}{}{}",
                   leaves ? "blocks whose threads are all masked leave out the work of the others" : "",
                   leaves && isShorter ? "; " : "",
                   isShorter ? "loops end where no thread of the block has work in them any more" : "")});
  return result;
}

namespace {

// Where threads go on together for what some of them need: tiles are filled, several are one.
std::vector<Recipe> proposeSkipping(const Candidate& candidate) {
  if (!candidate.hasLoops() || candidate.has(skipBlocksPass())) return {};
  const bool goesOn = std::any_of(
      candidate.launches.begin(), candidate.launches.end(),
      [&](const LaunchStep* launch) { return !skipBlocks(*launch, {}, candidate.context).refusal; });
  return goesOn ? std::vector<Recipe>{{{skipBlocksPass()()}}} : std::vector<Recipe>{};
}

}  // namespace

const PassOf<NoOptions>& skipBlocksPass() {
  static const PassOf<NoOptions> pass =
      PassOf<NoOptions>(
          "skip-blocks",
          "Blocks that lie wholly where a mask leaves their threads nothing to do leave at once, and loops "
          "end where it leaves them nothing more to do.",
          skipBlocks)
          .with({.keepsAccesses = true})
          .proposes({Level::Order, 30, proposeSkipping})
          .proposes({Level::Finish, 5, proposeSkipping});
  return pass;
}

}  // namespace hone::passes
