#include "passes/recipe/OldNames.h"

namespace hone::passes {

namespace {

struct RenamedPass {
  std::string_view before, now;
  std::string_view parameterBefore = "", parameterNow = "";  // empty: its parameters have kept their names
};

constexpr RenamedPass renamedPasses[] = {
    {"exchange-ids", "swap-axes"},   {"exchange-stores", "coalesce-stores"},
    {"join-steps", "fuse-launches"}, {"keep", "forward-stores", "rounds", "iterations"},
    {"steps", "unroll-host-loop"},
};

}  // namespace

std::string newPassName(std::string_view name) {
  for (const RenamedPass& one : renamedPasses)
    if (one.before == name) return std::string(one.now);
  return "";
}

std::string newParameterName(std::string_view pass, std::string_view parameter) {
  for (const RenamedPass& one : renamedPasses)
    if (one.now == pass && !parameter.empty() && one.parameterBefore == parameter)
      return std::string(one.parameterNow);
  return "";
}

}  // namespace hone::passes
