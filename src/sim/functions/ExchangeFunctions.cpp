#include "sim/functions/ExchangeFunctions.h"

#include "sim/functions/ExchangeLane.h"

namespace hone::sim {

ExchangeFunction findExchange(std::string_view id, std::span<const Scalar> args,
                              std::span<const Scalar> results) {
  if (ExchangeFunction found = exchange::findShuffle(id, args, results)) return found;
  if (ExchangeFunction found = exchange::findVote(id, args, results)) return found;
  return exchange::findReduction(id, args, results);
}

}  // namespace hone::sim
