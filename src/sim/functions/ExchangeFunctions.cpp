#include "sim/functions/ExchangeFunctions.h"

#include "sim/functions/ExchangeLane.h"

namespace hone::sim {

ExchangeFunction findExchange(std::string_view id, std::span<const Scalar> args,
                              std::span<const Scalar> results) {
  if (ExchangeFunction found = exchange::findShuffle(id, args, results)) return found;
  if (ExchangeFunction found = exchange::findVote(id, args, results)) return found;
  return exchange::findReduction(id, args, results);
}

bool isLeafwise(std::string_view id) {
  return id.starts_with("shfl") || id.starts_with("group_shfl") || id.starts_with("sub_group_shuffle") ||
         id.find("broadcast") != std::string_view::npos || id.ends_with("rotate");
}

}  // namespace hone::sim
