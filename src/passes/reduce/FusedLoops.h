// Two loops over a row of which the first finds the greatest of some values and the second sums up powers
// counted from it become one: where the greatest so far rises, the sums so far are brought down to it.
#pragma once

#include "passes/reduce/KeptElements.h"
#include "passes/reduce/RescaledSums.h"

namespace hone::passes {

struct FusedPair {
  const ReductionKernel *first, *second;
  Accumulator most;
  ir::VarPtr value;  // of an iteration, which the greatest is compared with
  // Of an iteration, in the variables of the second loop: up to `value`, and what is done with it then.
  ir::StmtList before, behind;
  Rise rise;
  std::vector<ir::ExprPtr> factors;  // by sum of the second loop; null: it does not depend on the greatest
  // The least value there is, where nothing greater may have come yet; null: the greatest is always a number.
  ir::ExprPtr lowest;
};

class FusedLoops {
 public:
  // All outlive this.
  FusedLoops(const ir::LaunchStep& launch, const affine::KernelModel& model, const PassContext& context,
             const RowLoops& row, Names& names);

  // Refuses where no two loops become one.
  Obstacle decide();

  const std::vector<FusedPair>& pairs() const { return fused; }
  // The two loops of which this is the second; null: it is none.
  const FusedPair* endingWith(const ReductionKernel& loop) const;
  bool beginsPair(const ReductionKernel& loop) const;

  // An iteration of both, dealt out like the second.
  ReductionKernel together(const FusedPair& pair) const;
  // What sums are multiplied with where the greatest goes from one value to another.
  static ir::ExprPtr factor(const FusedPair& pair, size_t sum, const ir::ExprPtr& from,
                            const ir::ExprPtr& to);

  // A later loop over elements that the second does not store any more, with their values worked out again.
  struct Again {
    ReductionKernel loop;
    std::vector<RowWork> reads;  // of these values
  };
  std::optional<Again> workedOutAgain(const ReductionKernel& loop);

  // What must hold before the launch; null: nothing.
  const ir::ExprPtr& condition() const { return elements.condition(); }

 private:
  // A store of the second loop that goes.
  struct Dropped {
    KeptElements::Replaced until;
    const ReductionKernel* by;
    ir::VarPtr stored;                    // has the value in an iteration of that loop
    ir::ExprPtr value;                    // as the loop writes it
    std::vector<affine::AccessId> reads;  // of that loop
  };
  const affine::KernelModel& model;
  const RowLoops& row;
  Names& names;
  KeptElements elements;
  std::vector<FusedPair> fused;
  std::vector<Dropped> dropped;

  Obstacle fuse(const ReductionKernel& first, const ReductionKernel& second, const Accumulator& most);
  Obstacle haveSameIterations(const ReductionKernel& first, const ReductionKernel& second,
                              const Accumulator& most) const;
  Obstacle takeFirst(FusedPair& pair, ir::ExprPtr& value) const;
  Obstacle takeStart(FusedPair& pair, const ir::ExprPtr& value) const;
  Obstacle takeSecond(FusedPair& pair, const ir::ExprPtr& written, const ir::ExprPtr& value,
                      std::vector<Dropped>& drops);
  // The second loop's body without stores that later loops replace.
  Obstacle withoutStores(const ReductionKernel& loop, ir::StmtList& body, std::vector<Dropped>& drops);
  Obstacle drop(const ReductionKernel& loop, const ir::StmtPtr& s, const ir::Assign& set,
                const ir::StmtList& body, std::vector<Dropped>& drops);
};

}  // namespace hone::passes
