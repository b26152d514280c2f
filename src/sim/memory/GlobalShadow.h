// What a buffer keeps for the checks, which alone know what is in it.
#pragma once

#include <cstdint>
#include <memory>

namespace hone::sim {

// Races between blocks and threads in one global buffer.
class GlobalShadow {
 public:
  explicit GlobalShadow(uint64_t bytes);
  ~GlobalShadow();
  struct State;
  State& state() { return *impl; }

 private:
  std::unique_ptr<State> impl;
};

}  // namespace hone::sim
