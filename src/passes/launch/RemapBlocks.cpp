#include "passes/launch/RemapBlocks.h"

#include <fmt/core.h>

#include "analysis/Camping.h"
#include "ir/Build.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t usualGroup = 8;

enum class How : uint8_t { Choose, Diagonal, Columns, Rows };

// Statements that compute the new coordinates, and the variables that hold them.
struct Remap {
  StmtList stmts;
  VarPtr x, y;
};

class Builder {
 public:
  Builder(const Kernel& kernel, TypePtr coordinate) : names(kernel), type(std::move(coordinate)) {}

  ExprPtr at(CoordKind kind, unsigned axis) const { return coord(kind, axis, type); }
  void say(std::string text) { out.stmts.push_back(makeStmt(Comment{std::move(text)})); }

  VarPtr declare(const std::string& name, ExprPtr value) {
    VarPtr var = makeLocal(names, name, value->type, true);
    out.stmts.push_back(makeStmt(Declare{var, std::move(value)}));
    return var;
  }

  // Along the diagonals: a bijection of every grid, since each column is only turned round by its own number.
  Remap diagonal() {
    say("Blocks run along the diagonals of the grid, so that neighbours ask different memory partitions.");
    const ExprPtr x = at(CoordKind::BlockIdx, 0), y = at(CoordKind::BlockIdx, 1);
    out.x = declare("block_x", x);
    out.y = declare("block_y", remainder(plus(x, y), HONE_SEED(DiagonalOfWrongAxis, at(CoordKind::GridDim, 1),
                                                               at(CoordKind::GridDim, 0))));
    return std::move(out);
  }

  // Groups of rows, each walked column by column; columns that are left over (fewer than the group has rows)
  // stay as they are. Nothing here is larger than the grid, so nothing wraps.
  Remap columns(const ExprPtr& group) {
    say(
        fmt::format("Blocks run in groups of {} rows of the grid, column by column, so that what they share "
                    "stays in the L2.",
                    *constantValue(group)));
    const ExprPtr x = at(CoordKind::BlockIdx, 0), y = at(CoordKind::BlockIdx, 1);
    const VarPtr first = declare("first_row", times(over(y, group), group));
    const VarPtr rows = declare(
        "rows",
        HONE_SEED(RaggedGroupForgotten, least(group, minus(at(CoordKind::GridDim, 1), ref(first))), group));
    const VarPtr columns = declare("columns", over(at(CoordKind::GridDim, 0), ref(rows)));
    const VarPtr inside = declare("in_group", binary(BinaryOp::Lt, x, times(ref(columns), ref(rows))));
    auto choose = [&](ExprPtr yes, const ExprPtr& no) {
      return makeExpr(type, Select{ref(inside), std::move(yes), no});
    };
    out.x =
        declare("block_x", choose(plus(times(minus(y, ref(first)), ref(columns)), over(x, ref(rows))), x));
    out.y = declare("block_y", choose(plus(ref(first), remainder(x, ref(rows))), y));
    return std::move(out);
  }

  // Groups of columns, each walked row by row. The number of a block in the whole grid may need 64 bits.
  Remap rows(const ExprPtr& group) {
    say(
        fmt::format("Blocks run in groups of {} columns of the grid, row by row, so that what they share "
                    "stays in the L2.",
                    *constantValue(group)));
    const TypePtr wide = uint64();
    auto widened = [&](const ExprPtr& e) { return convert(e, wide); };
    const VarPtr number = declare(
        "number", plus(widened(at(CoordKind::BlockIdx, 0)),
                       times(widened(at(CoordKind::GridDim, 0)), widened(at(CoordKind::BlockIdx, 1)))));
    const VarPtr size = declare("group_size", times(widened(group), widened(at(CoordKind::GridDim, 1))));
    const VarPtr first = declare("first_column", times(convert(over(ref(number), ref(size)), type), group));
    const VarPtr columns = declare("columns", least(group, minus(at(CoordKind::GridDim, 0), ref(first))));
    const VarPtr rest = declare("place", remainder(ref(number), ref(size)));
    out.x = declare("block_x", plus(ref(first), convert(remainder(ref(rest), widened(ref(columns))), type)));
    out.y = declare("block_y", convert(over(ref(rest), widened(ref(columns))), type));
    return std::move(out);
  }

 private:
  Names names;
  TypePtr type;
  Remap out;
};

// Accesses of which neighbouring blocks ask one partition, in words; "" when there is none.
std::string whatCamps(analysis::Facts& facts) {
  for (const affine::Access& access : facts.model().accesses) {
    const analysis::Camping camping = analysis::camping(facts.model(), access, facts.target());
    if (camping.verdict == analysis::CampingVerdict::Yes ||
        camping.verdict == analysis::CampingVerdict::DependsOn)
      return fmt::format("{}: {}", access.handle, camping.reason);
  }
  return "";
}

// The array of which blocks that are neighbours along an axis read the same, "" when there is none.
std::string sharedAlong(analysis::Facts& facts, unsigned axis) {
  const affine::KernelModel& model = facts.model();
  for (const affine::ArrayId array : model.arrays.ids()) {
    if (model.arrays[array].space != Space::Global ||
        facts.accessesOf(array, analysis::Facts::Which::Reads).empty())
      continue;
    const analysis::Shared& shared =
        facts.sharing(array, analysis::Facts::Which::Reads, {analysis::Scope::Block, axis, {}});
    if (shared.next == analysis::SharedPart::Full || shared.next == analysis::SharedPart::Partial)
      return model.arrays[array].name;
  }
  return "";
}

ExprPtr replaced(const Coord& c, const ExprPtr& e, const Remap& remap) {
  if (c.axis > 1) return nullptr;
  const ExprPtr value = ref(c.axis == 0 ? remap.x : remap.y, e->loc);
  if (c.kind == CoordKind::BlockIdx) return convert(value, e->type);
  if (c.kind != CoordKind::GlobalId) return nullptr;
  auto of = [&](CoordKind kind) { return coord(kind, c.axis, e->type); };
  return plus(plus(of(CoordKind::GlobalOffset), times(convert(value, e->type), of(CoordKind::BlockDim))),
              of(CoordKind::ThreadIdx));
}

}  // namespace

LaunchResult remapBlocks(const LaunchStep& launch, const RemapBlocksOptions& options, PassContext& context) {
  const Kernel& old = *launch.kernel;

  // 1. Decide: whether blocks may change places, and to which.
  How how = !options.how                           ? How::Choose
            : *options.how == BlockOrder::Diagonal ? How::Diagonal
            : *options.how == BlockOrder::Columns  ? How::Columns
                                                   : How::Rows;
  const int64_t group = options.group.value_or(usualGroup);
  const Result<KernelPtr> inlined = withCoordsInBody(launch.kernel);
  if (!inlined) return inlined.refusal();
  const KernelPtr kernel = *inlined;
  const unsigned axes =
      usedAxes(kernel->body, CoordKind::BlockIdx) | usedAxes(kernel->body, CoordKind::GlobalId);
  if ((axes & 3) != 3)
    return Refusal{"the kernel uses one axis of its grid only: there is no other order of blocks"};
  if (const Obstacle no = obstacleToOtherOrder(*kernel, context.reassociate)) return *no;

  analysis::Facts& facts = context.facts.of(kernel, fixedBlock(launch).value_or(context.block));
  std::string why;
  if (how == How::Choose || how == How::Diagonal) {
    why = whatCamps(facts);
    if (!why.empty()) how = How::Diagonal;
  }
  if (how == How::Choose) {
    const std::string alongX = sharedAlong(facts, 0), alongY = sharedAlong(facts, 1);
    if (alongX.empty() || alongY.empty() || !context.target.l2KiB)
      return Refusal{context.target.partitions
                         ? "no access camps on a memory partition"
                         : "blocks do not share what they read along both axes: another order gains nothing"};
    how = How::Columns;
    why = fmt::format("blocks share {} along x and {} along y", alongX, alongY);
  }

  // 2. Rewrite: new coordinates at the top, every use of the old ones replaced.
  const TypePtr type = old.language == Language::Cuda ? uint32() : uint64();
  auto copy = std::make_shared<Kernel>(*kernel);
  Builder builder(*kernel, type);
  ConstantRole role{RoleKind::BlockGroup};
  if (how != How::Diagonal)
    role = addConstant(*copy, role, group,
                       how == How::Columns ? "rows of blocks that are walked together"
                                           : "columns of blocks that are walked together");
  const ExprPtr size = named(group, role);
  const Remap remap = how == How::Diagonal  ? builder.diagonal()
                      : how == How::Columns ? builder.columns(size)
                                            : builder.rows(size);
  const StmtPtr mapped =
      mapCoords(kernel->body, [&](const Coord& c, const ExprPtr& e) { return replaced(c, e, remap); });
  StmtList body = remap.stmts;
  const StmtList& rest = as<Block>(mapped)->stmts;
  body.insert(body.end(), rest.begin(), rest.end());
  copy->body = block(std::move(body), kernel->body->loc);
  const std::string order = how == How::Diagonal ? "along diagonals"
                            : how == How::Columns
                                ? fmt::format("in groups of {} rows, column by column", group)
                                : fmt::format("in groups of {} columns, row by row", group);
  copy->story.push_back(fmt::format("Blocks run {}{}.", order, why.empty() ? "" : fmt::format(" ({})", why)));
  LaunchResult result{launch, nullptr, {}};
  result.launch->kernel = copy;
  // A block behind the end of the grid would now come out at a place that another one has.
  result.launch->mayOvershoot[0] = result.launch->mayOvershoot[1] = HONE_SEED(RemapOvershoots, false, true);
  result.remarks.push_back({RemarkKind::Done, old.loc, old.name,
                            fmt::format("blocks run {}{}", order, why.empty() ? "" : ": " + why)});
  return result;
}

namespace {

std::vector<Recipe> proposeOrder(const Candidate& candidate) {
  const bool hasPartitions = candidate.target().partitions != 0;
  if ((hasPartitions && !candidate.estimate.camps) || candidate.usedAxisCount() < 2) return {};
  if (hasPartitions) return {{{remapBlocksPass()({.how = BlockOrder::Diagonal})}}};
  return {{{remapBlocksPass()({.how = BlockOrder::Rows, .group = 8})}}};
}

std::vector<Recipe> proposeColumns(const Candidate& candidate) {
  if (candidate.usedAxisCount() < 2) return {};
  return {{{remapBlocksPass()({.how = BlockOrder::Columns, .group = 8})}}};
}

}  // namespace

const PassOf<RemapBlocksOptions>& remapBlocksPass() {
  static const PassOf<RemapBlocksOptions> pass =
      PassOf<RemapBlocksOptions>("remap-blocks",
                                 "Blocks run in another order: along diagonals against partition camping, or "
                                 "in groups that share what is in the L2.",
                                 remapBlocks)
          .with({.keepsAccesses = true})
          .word(&RemapBlocksOptions::how, "how", {"diagonal", "columns", "rows"},
                "diagonal, columns (groups of rows, walked column by column) or rows; without it what "
                "the accesses ask for",
                [](const LaunchStep&, PassContext& context) -> std::vector<ArgumentValue> {
                  if (context.target.partitions) return {"diagonal"};
                  return {"columns", "rows"};
                })
          .number(&RemapBlocksOptions::group, "group", "rows or columns of a group, 8 without it",
                  [](const LaunchStep&, PassContext& context) -> std::vector<ArgumentValue> {
                    if (context.target.partitions) return {};
                    return {4, 8, 16};
                  })
          .proposes({Level::Order, 10, proposeOrder})
          .proposes({Level::Order, 20, proposeColumns, ProposedTo::Spaces});
  return pass;
}

}  // namespace hone::passes
