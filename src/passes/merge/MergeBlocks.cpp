#include "passes/merge/MergeBlocks.h"
#include "ir/Substitute.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/Axes.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/AliasGuard.h"
#include "passes/launch/FixBlock.h"
#include "passes/merge/MergeGrid.h"
#include "passes/merge/Replicate.h"

namespace hone::passes {

using namespace ir;

namespace {

// One axis of the new block: `count` blocks of `threads` threads each.
struct MergedAxis {
  VarPtr part, local;  // which of the blocks, and the thread in it
  ConstantRole countRole, partRole;
  unsigned count = 1, threads = 1;
};
using MergedAxes = std::array<MergedAxis, 3>;

bool isVar(const ExprPtr& e, const VarPtr& var) {
  const auto* r = ir::as<VarRef>(e);
  return r && r->var == var;
}

// Coordinates of the original's blocks and threads.
class OldCoordinates : public Rewriter {
 public:
  explicit OldCoordinates(const MergedAxes& of) : merged(of) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* op = ir::as<Binary>(e)) return withoutNeutral(e, *op);
    const auto* c = ir::as<Coord>(e);
    if (!c || c->axis > 2 || merged[c->axis].count == 1) return e;
    const MergedAxis& axis = merged[c->axis];
    if (c->kind == CoordKind::ThreadIdx)
      return axis.threads == 1 ? intLit(0, e->type) : convert(ref(axis.local), e->type);
    if (c->kind != CoordKind::BlockIdx) return e;
    return plus(times(e, convert(named(axis.count, axis.countRole), e->type)),
                convert(ref(axis.part), e->type));
  }

 private:
  // The thread 0 of blocks of one, and their one thread.
  ExprPtr withoutNeutral(const ExprPtr& e, const Binary& op) const {
    if (std::none_of(merged.begin(), merged.end(),
                     [](const MergedAxis& a) { return a.count > 1 && a.threads == 1; }))
      return e;
    if (!e->type->is(TypeKind::Int) || (op.op != BinaryOp::Add && op.op != BinaryOp::Mul)) return e;
    ExprPtr made = op.op == BinaryOp::Add ? plus(op.lhs, op.rhs) : times(op.lhs, op.rhs);
    return sameType(made->type, e->type) ? made : e;
  }

  const MergedAxes& merged;
};

// (blockIdx * count + part) * threads + local is blockIdx * (count * threads) + threadIdx.
class GlobalIds : public Rewriter {
 public:
  GlobalIds(const MergedAxes& of, const std::array<ConstantRole, 3>& roles) : merged(of), blockRoles(roles) {}
  std::array<bool, 3> found{};

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* sum = ir::as<Binary>(e);
    if (!sum || sum->op != BinaryOp::Add) return e;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (merged[axis].count == 1) continue;
      for (const auto& [thread, rest] : {std::pair(sum->rhs, sum->lhs), std::pair(sum->lhs, sum->rhs)}) {
        if (!isLocal(thread, axis)) continue;
        ExprPtr block = withBlock(rest, axis);
        if (!block) continue;
        found[axis] = true;
        ExprPtr id = convert(coord(CoordKind::ThreadIdx, axis, coordType(thread)), thread->type);
        return makeExpr(e->type, Binary{BinaryOp::Add, block, id}, e->loc);
      }
    }
    return e;
  }

 private:
  const MergedAxes& merged;
  const std::array<ConstantRole, 3>& blockRoles;

  bool isLocal(const ExprPtr& e, unsigned axis) const { return isVar(withoutIdCasts(e), merged[axis].local); }
  static TypePtr coordType(const ExprPtr& e) {
    const auto* cast = ir::as<Cast>(e);
    return cast && cast->operand->is<VarRef>() && e->type->is(TypeKind::Int) && !e->type->isSigned ? e->type
                                                                                                   : uint32();
  }

  // The product with the number of the original's block, put right; null where there is none.
  ExprPtr withBlock(const ExprPtr& e, unsigned axis) const {
    const auto* op = ir::as<Binary>(e);
    if (!op) return nullptr;
    if (op->op == BinaryOp::Add) {
      if (ExprPtr left = withBlock(op->lhs, axis))
        return makeExpr(e->type, Binary{op->op, left, op->rhs}, e->loc);
      if (ExprPtr right = withBlock(op->rhs, axis))
        return makeExpr(e->type, Binary{op->op, op->lhs, right}, e->loc);
      return nullptr;
    }
    if (op->op != BinaryOp::Mul) return nullptr;
    for (const auto& [number, block] : {std::pair(op->rhs, op->lhs), std::pair(op->lhs, op->rhs)}) {
      if (constantValue(number) != std::optional<int64_t>(merged[axis].threads)) continue;
      ExprPtr index = newBlockOf(withoutIdCasts(block), axis);
      if (!index) continue;
      const int64_t all = int64_t(merged[axis].count) * merged[axis].threads;
      return makeExpr(e->type,
                      Binary{BinaryOp::Mul, convert(index, e->type), named(all, blockRoles[axis], e->type)},
                      e->loc);
    }
    return nullptr;
  }

  // blockIdx in blockIdx * count + part.
  ExprPtr newBlockOf(const ExprPtr& e, unsigned axis) const {
    const auto* sum = ir::as<Binary>(e);
    if (!sum || sum->op != BinaryOp::Add || !isVar(withoutIdCasts(sum->rhs), merged[axis].part))
      return nullptr;
    const auto* product = ir::as<Binary>(sum->lhs);
    return product && product->op == BinaryOp::Mul && isCoord(product->lhs, CoordKind::BlockIdx, axis)
               ? product->lhs
               : nullptr;
  }
};

ExprPtr isFirst(const MergedAxes& merged, AxisMask mask) {
  ExprPtr cond;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (mask & (1u << axis)) cond = andAlso(cond, binary(BinaryOp::Eq, ref(merged[axis].part), intLit(0)));
  return cond;
}

// What all parts would store alike to global arrays that nobody reads is stored by one of them.
class StoresOnce {
 public:
  StoresOnce(const MergedAxes& of, const Replicas& parts, const ReplicaMasks& with, const StmtPtr& body)
      : merged(of), replicas(parts), masks(with) {
    walkStmts(body, [&](const Stmt& s) {
      for (const ir::Access& access : accesses(s))
        if (access.mode != AccessMode::Write) read.insert(rootVariable(access.place).get());
    });
  }

  // `control`: what decides whether it is done.
  StmtPtr within(const StmtPtr& s, AxisMask control) {
    if (!s) return nullptr;
    if (const auto* list = s->as<Block>()) {
      StmtList out;
      for (const StmtPtr& one : list->stmts) out.push_back(within(one, control));
      return block(std::move(out), s->loc);
    }
    if (const auto* a = s->as<Assign>()) {
      VarPtr root = rootVariable(a->place);
      const bool isGlobal =
          root && root->storage == Storage::Param && root->type->isPointer() && !a->place->is<VarRef>();
      const AxisMask alike = replicas.all() & AxisMask(~(masks.needs(*s) | control));
      if (!isGlobal || read.contains(root.get()) || !alike) return s;
      return makeStmt(If{isFirst(merged, alike), block({s}), nullptr}, s->loc);
    }
    const AxisMask inner = control | masks.needs(*s);
    if (const auto* choice = s->as<If>())
      return makeStmt(If{choice->cond, within(choice->then, inner), within(choice->otherwise, inner)},
                      s->loc);
    if (const auto* loop = s->as<For>()) {
      For copy = *loop;
      copy.body = within(loop->body, inner);
      return makeStmt(std::move(copy), s->loc);
    }
    return s;
  }

 private:
  const MergedAxes& merged;
  const Replicas& replicas;
  const ReplicaMasks& masks;
  std::set<const Variable*> read;  // arrays that somebody reads, or takes the address of
};

// Shared arrays: a copy for each part that needs one, stores by one part where it serves all.
class SharedArrays : public Rewriter {
 public:
  SharedArrays(const MergedAxes& of, const Replicas& parts, const ReplicaMasks& with,
               const std::array<ConstantRole, 3>& names)
      : merged(of), replicas(parts), masks(with), constants(names) {}
  std::map<const Variable*, VarPtr> copies;  // of the old arrays
  std::vector<std::string> once;             // arrays filled by one part for all

 protected:
  VarPtr mapVar(const VarPtr& v) override { return v; }
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* r = e->as<VarRef>()) {
      const AxisMask mask = maskOf(*r->var);
      if (!mask) return e;
      std::vector<ExprPtr> indices;
      for (unsigned axis = 3; axis-- > 0;)
        if (mask & (1u << axis)) indices.push_back(ref(merged[axis].part));
      return subscript(ref(copyOf(r->var)), std::move(indices));
    }
    const auto* outer = e->as<Subscript>();
    if (outer && outer->base->is<Subscript>() && outer->base->type->is(TypeKind::Array))
      return subscript(outer->base, outer->indices, e->loc);
    return e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    if (const auto* d = s->as<Declare>(); d && maskOf(*d->var))
      return {makeStmt(Declare{copyOf(d->var), nullptr}, s->loc)};
    const auto* list = s->as<Block>();
    return list ? StmtList{block(guarded(list->stmts), s->loc)} : StmtList{s};
  }

 private:
  const MergedAxes& merged;
  const Replicas& replicas;
  const ReplicaMasks& masks;
  const std::array<ConstantRole, 3>& constants;

  AxisMask maskOf(const Variable& var) const { return var.space == Space::Shared ? masks.of(var) : 0; }
  VarPtr copyOf(const VarPtr& var) {
    VarPtr& copy = copies[var.get()];
    if (!copy) copy = withReplicas(var, maskOf(*var), replicas, constants);
    return copy;
  }

  // Axes along which one part stores for all.
  AxisMask sharedAlong(const Stmt& s) const {
    const auto* a = s.as<Assign>();
    VarPtr root = a ? rootVariable(a->place) : nullptr;
    return root && root->space == Space::Shared ? replicas.all() & AxisMask(~masks.needs(s)) : 0;
  }

  StmtList guarded(const StmtList& stmts) {
    StmtList out;
    for (auto from = stmts.begin(); from != stmts.end();) {
      const AxisMask mask = sharedAlong(**from);
      auto to = std::find_if(from, stmts.end(), [&](const StmtPtr& s) { return sharedAlong(*s) != mask; });
      if (!mask) {
        out.insert(out.end(), from, to);
      } else {
        ExprPtr cond = isFirst(merged, mask);
        for (auto it = from; it != to; ++it) say(*(*it)->as<Assign>(), out);
        out.push_back(makeStmt(If{cond, block(StmtList(from, to)), nullptr}, (*from)->loc));
      }
      from = to;
    }
    return out;
  }

  void say(const Assign& a, StmtList& out) {
    VarPtr array = rootVariable(a.place);
    const std::string& name = array->name;
    if (array->space != Space::Shared || std::find(once.begin(), once.end(), name) != once.end()) return;
    once.push_back(name);
    out.push_back(
        makeStmt(Comment{fmt::format("{} is the same for all merged blocks: one of them fills it.", name)}));
  }
};

// Shared arrays of a kernel that different threads touch without a barrier between.
std::set<const Variable*> unordered(const KernelPtr& kernel, const std::array<unsigned, 3>& block,
                                    PassContext& context) {
  const affine::KernelModel& model = context.facts.of(kernel, block).model();
  const analysis::BarrierFacts facts = analysis::barriers(model, nullptr, [&](const affine::Access& access) {
    return access.array.isNone() || model.arrays[access.array].space != Space::Shared;
  });
  std::set<const Variable*> found;
  for (int pair : facts.missing) {
    const analysis::CrossThread& cross = facts.pairs[static_cast<size_t>(pair)];
    for (affine::AccessId access : {cross.from, cross.to}) {
      const affine::ArrayId array = model.accesses[access].array;
      if (array.isSome() && model.arrays[array].space == Space::Shared)
        found.insert(model.arrays[array].var.get());
    }
  }
  return found;
}

// Whether no array that is read lies on one that is written.
bool areApart(const affine::KernelModel& model, AliasGuard& guard) {
  auto isTouched = [&](affine::ArrayId array, bool byWriting) {
    return std::any_of(model.accesses.begin(), model.accesses.end(), [&](const affine::Access& access) {
      return access.array == array && (byWriting ? access.writes() : access.reads());
    });
  };
  for (const affine::ArrayId a : model.arrays.ids())
    for (const affine::ArrayId b : model.arrays.ids())
      if (a != b && model.arrays[a].space != Space::Shared && model.arrays[b].space != Space::Shared &&
          isTouched(a, false) && isTouched(b, true) && guard.requireApart(a, b))
        return false;
  return std::all_of(model.accesses.begin(), model.accesses.end(),
                     [](const affine::Access& access) { return access.array.isSome(); });
}

}  // namespace

LaunchResult mergeBlocks(const LaunchStep& launch, const MergeBlocksOptions& options, PassContext& context) {
  const Kernel& before = *launch.kernel;
  const std::array<unsigned, 3> count{static_cast<unsigned>(options.x.value_or(1)),
                                      static_cast<unsigned>(options.y.value_or(1)),
                                      static_cast<unsigned>(options.z.value_or(1))};

  // 1. Decide: nothing may depend on who shares a warp.
  if (count[0] * count[1] * count[2] == 1) return Refusal{"merge-blocks needs x, y or z above 1"};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (count[axis] > 1 && constantValue(launch.grid[axis]) == std::optional<int64_t>(1))
      return Refusal{fmt::format("the grid has one block along {}", axisNames[axis])};
  if (const Obstacle no = obstacleToMerging(before, context.reassociate)) return *no;
  FixedLaunch fixed = withFixedBlock(launch, context);
  if (const Obstacle no = obstacleToOtherIds(*fixed.launch.kernel)) return *no;
  auto base = std::make_shared<Kernel>(*fixed.launch.kernel);
  std::array<unsigned, 3> wide{};
  for (unsigned axis = 0; axis < 3; ++axis) wide[axis] = fixed.block[axis] * count[axis];
  const bool hasShared = containsBarrier(base->body) || [&] {
    const auto declared = declaredVariables(base->body);
    return std::any_of(declared.begin(), declared.end(),
                       [](const Variable* v) { return v->space == Space::Shared; });
  }();

  // 2. Names: the parts, the threads in them, and numbers of both.
  Names names(*base);
  MergedAxes merged;
  Replicas parts;
  parts.count = count;
  parts.ownShared = true;
  std::array<ConstantRole, 3> counts, blocks;
  LaunchStep made = fixed.launch;
  for (unsigned axis = 0; axis < 3; ++axis) {
    MergedAxis& one = merged[axis];
    one.count = count[axis];
    one.threads = fixed.block[axis];
    if (one.count == 1) continue;
    one.part = makeLocal(names, std::string("part_") + axisNames[axis], uint32(), true);
    one.local = makeLocal(names, std::string("local_") + axisNames[axis], uint32(), true);
    parts.number[axis] = one.part;
    one.countRole = counts[axis] = freshRole(*base, {RoleKind::MergedBlocks, uint8_t(axis)});
    const ConstantRole old = blockExtent(axis);
    one.partRole = freshRole(*base, {RoleKind::PartExtent, uint8_t(axis)});
    base->body = changedRole(base->body, old, one.partRole);
    std::erase_if(base->constants, [&](const NamedConstant& c) { return c.role == old; });
    blocks[axis] = old;
    made.block[axis] = intLit(wide[axis], uint32());
  }

  // 3. Rewrite; arrays that would need barriers between the parts are kept apart after all.
  MergedGrid grid;
  Obstacle check;
  std::vector<std::string> once;
  auto attempt = [&](bool guarded) -> KernelPtr {
    auto kernel = std::make_shared<Kernel>(*base);
    made.args = fixed.launch.args;
    grid = mergeGrid(*kernel, made, fixed.launch, count, guarded);
    kernel->body = OldCoordinates(merged).rewriteBlock(kernel->body);
    Names fresh(*kernel);
    for (ExprPtr& exists : grid.exists) exists = OldCoordinates(merged).rewrite(exists);
    StmtPtr body = kernel->body;
    check.reset();
    if (hasShared) {
      const auto prepared = prepareReplicas(*kernel, parts, grid.exists, fresh, true);
      if (!prepared) {
        check = prepared.refusal();
        return nullptr;
      }
      body = *prepared;
    }
    ReplicaMasks masks(body, parts);
    SharedArrays arrays(merged, parts, masks, counts);
    body = StoresOnce(merged, parts, masks, body).within(body, masks.ofReturns());
    body = arrays.rewriteBlock(body);
    once = arrays.once;
    GlobalIds ids(merged, blocks);
    body = ids.rewriteBlock(body);
    StmtList top;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const MergedAxis& one = merged[axis];
      if (one.count == 1) continue;
      const ExprPtr thread = coord(CoordKind::ThreadIdx, axis);
      const ExprPtr threads = named(one.threads, one.partRole, uint32());
      if (one.threads == 1) {  // the part is the thread
        body = substituted(body, {{one.part, thread}});
        continue;
      }
      if (mentions(body, one.part.get())) top.push_back(makeStmt(Declare{one.part, over(thread, threads)}));
      if (mentions(body, one.local.get()))
        top.push_back(makeStmt(Declare{one.local, remainder(thread, threads)}));
    }
    if (!top.empty())
      top.insert(
          top.begin(),
          makeStmt(Comment{"Several blocks of the original in one: which of them, and the thread in it."}));
    for (const StmtPtr& s : as<Block>(body)->stmts) top.push_back(s);
    kernel->body = block(std::move(top), body->loc);
    for (unsigned axis = 0; axis < 3; ++axis) {
      const MergedAxis& one = merged[axis];
      if (one.count == 1) continue;
      auto add = [&](const ConstantRole& role, int64_t value, const std::string& comment) {
        if (usesRole(kernel->body, role)) kernel->constants.push_back({role, value, comment});
      };
      add(one.partRole, one.threads, fmt::format("threads of an original block along {}", axisNames[axis]));
      add(one.countRole, one.count, fmt::format("original blocks in a block along {}", axisNames[axis]));
      add(blocks[axis], wide[axis], fmt::format("threads of a block along {}", axisNames[axis]));
    }
    std::map<const Variable*, const Variable*> oldOf;
    for (const auto& [old, copy] : arrays.copies) oldOf[copy.get()] = old;
    if (!once.empty()) {
      bool again = false;
      for (const Variable* var : unordered(kernel, wide, context)) {
        const Variable* old = oldOf.contains(var) ? oldOf[var] : var;
        again |= parts.apart.insert(old).second;
      }
      if (again) return nullptr;
    }
    return kernel;
  };
  // Blocks beyond the grid read what they do not need: it must not be what others write by another name.
  const affine::KernelModel& model = context.facts.of(fixed.launch.kernel, fixed.block).model();
  AliasGuard apart(fixed.launch, model, context);
  const bool mayReadBeyond = areApart(model, apart);
  KernelPtr kernel;
  for (bool guarded : {true, false})
    for (int iteration = 0; iteration < 4 && !kernel; ++iteration) {
      kernel = attempt(guarded);
      const bool readsBeyond =
          std::any_of(grid.exists.begin(), grid.exists.end(), [](const ExprPtr& e) { return e != nullptr; });
      if (kernel && readsBeyond && HONE_SEED(MergeReadsBeyondAliased, true, false)) {
        if (!mayReadBeyond) {
          kernel = nullptr;
          break;
        }
        grid.condition = andAlso(grid.condition, apart.condition());
      }
      if (check) break;
    }
  if (!kernel)
    return check ? *check
                 : Refusal{
                       "internal: no way was found to keep the shared arrays of the merged blocks apart; "
                       "please report"};
  const uint64_t bytes = analysis::declaredMemory(*kernel).staticShared;
  if (bytes > context.target.sharedPerBlock)
    return Refusal{fmt::format("the merged block needs {} bytes of shared memory; {}", bytes,
                               target::sharedLimitText(context.target))};

  // 4. Tell.
  auto done = std::make_shared<Kernel>(*kernel);
  std::string list;
  for (const std::string& array : once) list += (list.empty() ? "" : ", ") + array;
  const std::string shape = count[2] > 1   ? fmt::format("{}x{}x{}", count[0], count[1], count[2])
                            : count[1] > 1 ? fmt::format("{}x{}", count[0], count[1])
                                           : fmt::format("{}", count[0]);
  std::string text = fmt::format("merged {} blocks into one", shape);
  if (!list.empty()) text += fmt::format("; {} is filled once for them", list);
  done->story.push_back(fmt::format("{} blocks of the original are one{}.", shape,
                                    list.empty() ? "" : fmt::format(", which fills {} once for them", list)));
  done->launchBounds.reset();
  done->requiredBlock.reset();
  made.kernel = done;
  LaunchResult result{made, andAlso(fixed.condition, grid.condition), {}};
  if (isTrue(result.condition)) result.condition = nullptr;
  result.remarks.push_back({RemarkKind::Done, before.loc, before.name, text});
  return result;
}

}  // namespace hone::passes
