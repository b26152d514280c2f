#include "passes/guards/SplitBorder.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/StructureReturns.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/guards/BorderTests.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr size_t kMostStatements = 400;  // that stand twice afterwards

size_t countStmts(const StmtPtr& s) {
  size_t n = 0;
  walkStmts(s, [&](const Stmt&) { ++n; });
  return n;
}

bool isHead(const StmtPtr& s) { return s->is<Declare>() || s->is<Comment>(); }

// Statements between those at which threads meet, one run after the other.
class BorderSplitter {
 public:
  explicit BorderSplitter(const StmtPtr& body) : taken(addressTaken(body)) {
    const auto assigned = assignedVariables(body);
    walkStmts(body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      if (!d || !d->init || !d->var->type->is(TypeKind::Bool)) return;
      // Made of what keeps its value, so that it says the same later.
      bool keeps = !assigned.contains(d->var.get()) && !taken.contains(d->var.get());
      walkExprs(d->init, [&](const Expr& e) {
        const auto* r = e.as<VarRef>();
        keeps = keeps && !(r && (assigned.contains(r->var.get()) || taken.contains(r->var.get())));
      });
      if (keeps) conditions[d->var.get()] = d->init;
    });
  }

  StmtList split(const StmtList& list) {
    StmtList out, run;
    for (size_t i = 0; i <= list.size(); ++i) {
      if (i < list.size() && !doThreadsMeet(list[i])) {
        run.push_back(list[i]);
        continue;
      }
      const StmtList made = ofRun(run, StmtList(list.begin() + std::ptrdiff_t(i), list.end()));
      out.insert(out.end(), made.begin(), made.end());
      run.clear();
      if (i < list.size()) out.push_back(below(list[i]));
    }
    return out;
  }

  size_t forms = 0, tests = 0, asked = 0;
  bool isTooLong = false;
  SourceLoc where;
  std::set<const Stmt*> twice;  // statements of the original that have two forms now

 private:
  StmtPtr below(const StmtPtr& s) {
    if (const auto* f = as<For>(s)) {
      For loop = *f;
      loop.body = block(split(as<Block>(f->body)->stmts), f->body->loc);
      return makeStmt(loop, s->loc);
    }
    if (const auto* i = as<If>(s)) {
      If choice = *i;
      choice.then = block(split(as<Block>(i->then)->stmts), i->then->loc);
      if (i->otherwise) choice.otherwise = block(split(as<Block>(i->otherwise)->stmts), i->otherwise->loc);
      return makeStmt(choice, s->loc);
    }
    if (const auto* b = as<Block>(s)) return block(split(b->stmts), s->loc);
    return s;
  }

  StmtList ofRun(const StmtList& run, const StmtList& after) {
    // Declarations in front, and what stands behind the last test, are the same for both.
    const auto first = std::find_if_not(run.begin(), run.end(), isHead);
    StmtList head(run.begin(), first), rest(first, run.end());
    if (rest.empty()) return run;
    std::set<const Variable*> declared;
    bool declaresShared = false;
    size_t length = 0;
    for (const StmtPtr& s : rest) {
      length += countStmts(s);
      if (const auto* d = as<Declare>(s)) declared.insert(d->var.get());
      walkStmts(s, [&](const Stmt& x) {
        const auto* d = x.as<Declare>();
        declaresShared = declaresShared || (d && d->var->space == Space::Shared);
      });
    }
    if (declaresShared) return run;
    if (std::any_of(after.begin(), after.end(), [&](const StmtPtr& s) { return mentions(s, declared); }))
      return run;
    const BorderForm form = awayFromBorder(rest, taken, conditions);
    // One question more than it saves is no gain.
    if (form.entry.empty() || form.tests <= form.entry.size() + 1) return run;
    if (length > kMostStatements) {
      isTooLong = true;
      return run;
    }
    ExprPtr entry;
    for (const ExprPtr& part : form.entry) entry = andAlso(entry, part);
    const SourceLoc loc = rest.front()->loc;
    StmtList fast = freshCopy(form.stmts);
    // A guard around all of it is gone, and with it the need for a scope.
    if (const auto* only = fast.size() == 1 ? as<Block>(fast.front()) : nullptr) fast = StmtList(only->stmts);
    fast.insert(fast.begin(), makeStmt(Comment{"Away from the border: nothing is left to be tested."}, loc));
    StmtList edge = rest;
    if (edge.size() > 1 || !edge.front()->is<If>())
      edge.insert(edge.begin(), makeStmt(Comment{"At the border."}, loc));
    if (forms++ == 0) where = loc;
    tests += form.tests, asked += form.entry.size();
    for (const StmtPtr& s : rest) walkStmts(s, [&](const Stmt& x) { twice.insert(&x); });
    head.push_back(makeStmt(If{entry, block(fast), block(edge)}, loc));
    return head;
  }

  std::set<const Variable*> taken;
  NamedConditions conditions;
};

}  // namespace

LaunchResult splitBorder(const LaunchStep& original, const NoOptions&, PassContext& context) {
  LaunchResult result{original, nullptr, {}};
  const std::array<unsigned, 3> threads = fixedBlock(original).value_or(context.block);
  KernelPtr plain = withDistinctStatements(structured(original.kernel));
  // Where calls are inlined in the model, its statements are those of the inlined kernel.
  if (const KernelPtr& inlined = context.facts.of(plain, threads).model().kernel;
      inlined->body != plain->body)
    plain = withDistinctStatements(inlined);
  const affine::KernelModel& model = context.facts.of(plain, threads).model();
  if (const Obstacle no = obstacleToModel(*plain)) return *no;
  if (containsReturn(plain->body)) return Refusal{"it returns early where no if can stand for that"};
  // 1. Decide and rewrite.
  BorderSplitter splitter(plain->body);
  const StmtList made = splitter.split(as<Block>(plain->body)->stmts);
  if (splitter.forms == 0)
    return Refusal{splitter.isTooLong
                       ? "what would stand twice is too long"
                       : "no tests are made again and again that hold for all threads but those at a border"};
  // 2. That coordinates do not wrap, so that the first and last iteration speak for those between.
  std::set<unsigned> needed;
  for (const affine::Access& access : model.accesses)
    if (splitter.twice.contains(access.stmt.get()))
      needed.insert(access.guardRequirements.begin(), access.guardRequirements.end());
  const auto tests = testsFor(original, model, needed);
  if (!tests) return tests.refusal();
  result.condition = *tests;
  auto kernel = std::make_shared<Kernel>(*plain);
  kernel->body = withoutDeadCode(block(made, plain->body->loc), deadVariables(plain->body));
  kernel->story.push_back("Threads away from the border run a form of the code without its tests.");
  result.launch->kernel = kernel;
  result.remarks.push_back(
      {RemarkKind::Done, splitter.where, kernel->name,
       fmt::format(
           "split off the border: {} question{} before instead of {} tests inside, where all of them hold",
           splitter.asked, splitter.asked == 1 ? "" : "s", splitter.tests)});
  return result;
}

const PassOf<NoOptions>& splitBorderPass() {
  static const PassOf<NoOptions> pass =
      PassOf<NoOptions>(
          "split-border",
          "Threads away from the border run a form of the code without the tests that matter at the border.",
          splitBorder)
          .with({.makesTwoForms = true, .keepsAccesses = true});
  return pass;
}

}  // namespace hone::passes
