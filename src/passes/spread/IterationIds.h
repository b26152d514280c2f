// Sums of a thread's id and the number of an iteration that are digits of one flat id:
//   128 * blockIdx.x + 8 * threadIdx.x + io      with blocks of 16 threads and 8 iterations
// goes through the numbers from 0 on, as the ids of 8 times as many threads do.
#pragma once

#include <map>
#include <optional>

#include "ir/Kernel.h"

namespace hone::passes {

enum class IterationDigit : uint8_t {
  Last,   // neighbours are iterations of one thread: id * iterations + r
  Middle  // each iteration of a block has its own run: (blockIdx * iterations + r) * blockDim + threadIdx
};

struct IterationPlace {
  unsigned axis = 0;
  IterationDigit digit = IterationDigit::Last;
  int64_t iterations = 0;
  int64_t threads = 0;  // of a block along the axis
};

class IterationIds {
 public:
  // `counter` is `first + step * r` in iteration r; `first` may be made of ids.
  struct Counter {
    const ir::Variable* var;
    ir::ExprPtr first;
    int64_t step;
  };
  IterationIds(const ir::Kernel& kernel, Counter counter, IterationPlace place);

  // `s` with ids of the axis made of the new ones. The loop's variable is declared in it, as what it is in
  // the first iteration, and becomes what it is in the thread's own.
  ir::StmtPtr rewritten(const ir::StmtPtr& s) const;
  // Sums below that are multiples of the new id, and the loop's variable if it is one.
  unsigned flatSums(const ir::StmtPtr& s) const;
  // A variable that holds the new id along the axis; set where the digit is the last one.
  ir::VarPtr id;

 private:
  friend class IterationIdsRewriter;
  // block * blockIdx + thread * threadIdx + count * r + rest
  struct Sum {
    int64_t block = 0, thread = 0, count = 0;
    ir::ExprPtr rest;
    bool isPlain() const { return !block && !thread && !count; }
  };
  std::optional<Sum> sumOf(const ir::ExprPtr& e, const ir::TypePtr& type, unsigned depth = 0) const;
  std::optional<int64_t> numberOf(const ir::ExprPtr& e) const;
  // The sum by the new id; null where its digits do not lie so.
  ir::ExprPtr flat(const Sum& sum, const ir::TypePtr& type) const;
  // The iteration, made of the new id of the thread.
  ir::ExprPtr iteration() const;
  // The counter where it is a multiple of the new id; null: it is not.
  ir::ExprPtr counterValue(const ir::TypePtr& type) const;
  ir::ExprPtr newId(const ir::TypePtr& type) const;
  ir::ExprPtr block(const ir::TypePtr& type) const;

  const ir::Kernel& kernel;
  Counter counter;
  IterationPlace place;
  std::map<const ir::Variable*, ir::ExprPtr> values;  // of variables that keep what they are declared as
};

}  // namespace hone::passes
