// Values of polynomials and conditions where every unknown has a number.
#pragma once

#include "affine/KernelModel.h"

namespace hone::affine {

// A launch with numbers for everything that is the same for all threads. Symbols without one make an answer
// unknown.
struct Launch {
  std::array<int64_t, 3> grid{1, 1, 1};
  std::map<std::string, int64_t> symbols;  // the others, by Atom::name
  std::array<std::optional<int64_t>, 3> globalOffset{};
  std::optional<int64_t> workDim{};
};

// Numbers for atoms by id; absent ones are unknown.
class Values {
 public:
  Values(const Atoms& table, const Launch& launch);
  void setBlock(unsigned axis, int64_t v);
  void setThread(unsigned axis, int64_t v);
  void set(AtomId id, int64_t v);
  void clear(AtomId id);
  std::optional<int64_t> of(AtomId id) const;

  std::optional<int64_t> value(const Poly& p) const;
  std::optional<bool> holds(const CondPtr& c) const;  // nothing: it depends on something unknown

 private:
  std::optional<int64_t> symbol(const Atom& a) const;

  const Atoms& atoms;
  Launch launch;
  std::vector<std::optional<int64_t>> known;  // what set() was told, by atom
  std::array<std::optional<int64_t>, 3> block, thread;
};

// One execution of an access by a warp: the lanes that take part, each with its byte address in the array.
struct WarpRequest {
  std::array<int64_t, 3> block{};
  unsigned warp = 0;
  uint32_t mask = 0;
  std::array<int64_t, 32> address{};
};

// Calls `fn` for each execution of an access by each warp of the chosen blocks (all when empty), lanes of one
// iteration of all loops together, as the hardware does while warps stay converged. False when something
// needed is unknown, a requirement does not hold, or more than `limit` executions of single lanes were looked
// at; `fn` may have been called before.
bool forEachRequest(const KernelModel& model, const Access& access, const Launch& launch,
                    const std::vector<std::array<int64_t, 3>>& blocks, uint64_t limit,
                    const std::function<void(const WarpRequest&)>& fn);

}  // namespace hone::affine
