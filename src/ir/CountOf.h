// Numbers of things in messages: "1 file", "2 files", "3 launches".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hone::ir {

inline std::string countOf(uint64_t count, std::string_view thing) {
  const bool hisses = thing.ends_with("ch") || thing.ends_with('s') || thing.ends_with('x');
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : hisses ? "es" : "s");
}

}  // namespace hone::ir
