// A region of OpenACC to the kernels that do its work on a GPU: gangs become blocks, workers and vector lanes
// threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "frontend/AccUnit.h"
#include "ir/Kernel.h"

namespace hone::acc {

/// The numbers that the host hands over with a region (hone_acc_call::values), in this order; those not given
/// are 0.
struct HostValues {
  static constexpr int numGangs = 0;  ///< three: of dimensions 1, 2, 3
  static constexpr int numWorkers = 3;
  static constexpr int vectorLength = 4;
  /// One for each loop that has hostTrips, and behind it one for each of its innerTrips, in the order of
  /// `loopsOf`.
  static constexpr int firstTrips = 5;
};

/// The annotated loops of a region in source order, which is that of their trip counts among the host's
/// values.
std::vector<const ir::Stmt*> loopsOf(const frontend::AccRegion& region, const frontend::AccNotes& notes);

/// One number of a grid or a block, worked out before the launch: the clause's value where given and
/// `fromClause` says which, else the trip count divided by `per` (rounded up) where `fromTrips` says which,
/// else `otherwise`; at least 1 and at most `most`.
struct Extent {
  int fromClause = -1;  ///< index into values
  int fromTrips = -1;   ///< index into values
  int tripsCount = 1;   ///< as many values from there on, multiplied
  int64_t per = 1;
  int64_t otherwise = 1;
  int64_t most = 2147483647;
};

struct KernelArgument {
  enum class From : uint8_t {
    Captured,  ///< AccRegion::captured[index], as AccSeen says
    Scratch,   ///< LoweredRegion::scratch[index]
    Gangs      ///< number of gangs of the launch of kernel `index` (int)
  };
  From from = From::Captured;
  int index = 0;
};

/// A kernel that is launched only where LoweredRegion::apart[test] holds, or only where it does not.
struct When {
  int test = -1;  ///< -1: always
  bool holds = true;
};

/// Memory of the device for the time of the region.
struct Scratch {
  uint64_t bytes = 0;  ///< of one unit
  int perGangOf = -1;  ///< units: as many as this kernel has gangs; -1: one
  /// Each unit as often as this captured number (HostTrips) says; -1: once.
  int elements = -1;
  When when = {};
};

struct LoweredKernel {
  ir::KernelPtr kernel;  ///< named after the region, with an ordinal where there are several
  std::vector<KernelArgument> arguments;
  Extent grid[3];
  int64_t block[3] = {1, 1, 1};
  /// The grid has to cover the trip counts: `most` and clauses do not apply to axes with fromTrips.
  bool isCovering = false;
  When when = {};
  /// Arrays, as findings call them, with what the program lacks where their elements race.
  std::vector<std::pair<std::string, std::string>> hints = {};
};

/// How a loop was mapped and why, for `hone explain` and remarks.
struct LoopMapping {
  ir::SourceLoc loc;
  std::string levels;  ///< "gang vector", "seq"
  std::string reason;  ///< "each iteration reads what the one before wrote: a[i - 1]"
  /// Reductions that it needs and the program does not name: their part of the reason.
  std::vector<std::string> missing;
};

/// The kernels are right for as many iterations only: with more the host runs the region.
struct TripLimit {
  int trips = -1;  ///< index into values
  int64_t most = 0;
};

struct LoweredRegion {
  std::vector<TripLimit> limits;
  std::vector<LoweredKernel> kernels;  ///< in the order of their launches
  std::vector<Scratch> scratch;
  /// Tests before the launch: pairs of captured variables that all lead to memory of their own.
  std::vector<std::vector<std::pair<int, int>>> apart;
  std::vector<LoopMapping> loops;
  /// Why it is left to the host; empty: it is not. Errors are what OpenACC forbids.
  std::string reason;
  ir::SourceLoc reasonLoc;
  bool isError = false;
};

LoweredRegion lowerRegion(const frontend::AccRegion& region, const frontend::AccUnit& unit);

/// Functions with loops that gangs, workers or lanes share (routine worker, routine vector, …) are lowered
/// once for all regions; `unit.module.functions` keep their identity and get new bodies. Call it before
/// lowerRegion. Returns refusals by function.
std::vector<frontend::AccMessage> lowerRoutines(frontend::AccUnit& unit);

}  // namespace hone::acc
