// Loops with a number of iterations that is known when they begin: how many, and the counter's value in each,
// computed so that nothing overflows.
#pragma once

#include <optional>
#include <string>

#include "ir/Kernel.h"

namespace hone::acc {

/// for (var = begin; var compare end; var += step). Counters are integers of any width and sign, or pointers.
struct LoopCount {
  ir::VarPtr var;
  bool declares = false;  ///< the loop declares var
  ir::ExprPtr begin;      ///< of the counter's type
  ir::ExprPtr end;        ///< of the type in which the two are compared
  ir::BinaryOp compare = ir::BinaryOp::Lt;
  bool rises = true;
  ir::ExprPtr step;  ///< the distance of two values of the counter, positive; a literal where it is known

  const ir::TypePtr& type() const { return var->type; }
  /// Starts at a small number and rises by one, so that sums of the counter and a thread's number are plain.
  bool isPlain() const;
  /// isPlain, and nothing that the loop is spread over can make the counter leave its type: 64 bits.
  bool isWide() const;
};

/// Nothing where the loop does not count; `why` says what stands against it then.
std::optional<LoopCount> loopCount(const ir::For& loop, std::string* why = nullptr);

/// The number of iterations, int64 (0 or less: none) or uint64.
ir::ExprPtr tripsOf(const LoopCount& count);
/// The counter's value in iteration `number` (of the type of tripsOf).
ir::ExprPtr counterIn(const LoopCount& count, const ir::ExprPtr& begin, const ir::ExprPtr& number);

}  // namespace hone::acc
