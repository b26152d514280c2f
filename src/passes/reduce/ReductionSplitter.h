// One launch whose long sum is shared by the lanes of a warp, the threads of a block, or several blocks.
#pragma once

#include "passes/recipe/Pass.h"
#include "passes/reduce/PartialSums.h"

namespace hone::passes {

enum class SplitOver : uint8_t { Warp, Block, Grid };

struct SplitOptions {
  std::string loop;  // empty: the first that can be split
  SplitOver over = SplitOver::Warp;
  unsigned rows = 4;      // old threads of a block
  unsigned threads = 32;  // that share a loop, of one block
  unsigned parts = 1;     // blocks that share it
  unsigned each = 1;      // iterations that a thread does side by side
  unsigned wide = 1;      // neighbouring sums that a thread does
  unsigned keep = 0;  // times `each` iterations that a thread does of a row at most, whose elements it keeps
  bool fuse =
      false;  // of a row: a loop that finds the greatest value, and the next that sums up powers from it
  bool hasShuffles = false;
};

struct Split {
  std::vector<ir::Step> steps;
  ir::ExprPtr condition;
  std::vector<Remark> remarks;
};

class ReductionSplitter {
 public:
  ReductionSplitter(const ir::LaunchStep& step, const SplitOptions& given, PassContext& passContext)
      : launch(step), options(given), context(passContext) {}

  Result<Split> run();

 private:
  const ir::LaunchStep& launch;
  const SplitOptions& options;
  PassContext& context;
  Split out;
  ReductionKernel found;

  void say(std::string text);
  Obstacle find(const ir::LaunchStep& base, const affine::KernelModel& model);
  int64_t ways() const { return int64_t{options.threads} * options.parts; }
  // How many threads may become `ways` each before there are many times more than the machine holds, a power
  // of two.
  int64_t mostThreads() const;
  // Whether lane 0 may store to what all lanes read before.
  bool storesWhatWasRead() const;
  std::string sumNames() const;

  // What both ways put their kernels together from.
  // Partial sums of the threads of a block put together: see overBlock.
  ir::StmtList together(const ReductionKernel& sums, Names& names, const ir::ExprPtr& thread,
                        const ir::ExprPtr& threads, const SharedRows& rows, ir::StmtList& shared,
                        ir::StmtList& total, const ir::Kernel& kernel, bool ordersGlobal) const;
  // How many iterations a thread does side by side; null: one.
  ir::ExprPtr eachOf(ir::Kernel& kernel) const;
  // Old threads that were neighbours along x stay so, and those that share a loop lie along y.
  bool sideBySide() const { return options.over != SplitOver::Warp && options.rows > 1; }
  SharedRows rowsOf(ir::Kernel& kernel) const;
  // Rows of one block may differ in whether they have work; all of them come to its barriers, and put their
  // parts together where all have any.
  Obstacle sink(ir::Kernel& kernel, bool isSetEverywhere);
  static std::array<ir::ExprPtr, 3> blockOf(unsigned x, unsigned y);
  static void append(ir::StmtList& to, const ir::StmtList& more);
  static void prepend(ir::Kernel& kernel, ir::StmtList top);

  Obstacle withinBlock(const ir::LaunchStep& base);

  // All loops over a row in one scheme (ShareRows.cpp). Whether that is worth more than one of them alone:
  // there are several, or one that stores.
  bool isRow(const affine::KernelModel& model) const;
  Obstacle shareRow(const LaunchResult& base, const affine::KernelModel& model);

  // A first launch leaves partial sums in a buffer, a second one adds them up and does the rest.
  Obstacle overGrid(const ir::LaunchStep& base);
  // Where a part of an old thread's sum lies: parts of one behind each other, or rows side by side as their
  // threads are.
  ir::ExprPtr partialAt(ir::Kernel& kernel, const ir::LaunchStep& base, const ir::ExprPtr& parts,
                        const ir::ExprPtr& part) const;
  // A loop over partial results.
  ir::StmtPtr overParts(ir::Kernel& second, Names& names, const ir::LaunchStep& base,
                        const std::vector<ir::VarPtr>& buffers) const;
  ir::StmtPtr aboutParts() const;
  // The kernel with the loop over iterations replaced by one over partial results.
  ir::KernelPtr rest(const ir::LaunchStep& base, const std::vector<ir::VarPtr>& buffers) const;
  // The same by a block for each sum: its parts are dealt out as the iterations were.
  ir::KernelPtr restOfBlock(const ir::LaunchStep& base, const std::vector<ir::VarPtr>& buffers) const;
  unsigned threadsOfRest() const;

  // Threads that share the iterations of neighbouring sums become one.
  Obstacle widen();
};

}  // namespace hone::passes
