// Whether the map from thread to element of a store can be turned round: which thread, in which iteration,
// wrote an element. What removing an array of the block asks: its elements can be read from where they came
// from.
#pragma once

#include "affine/Delinearize.h"

namespace hone::analysis {

// Of one thread axis or loop.
enum class CoordinateRole : uint8_t {
  Fixed,   // the block has one along this axis; the loop's iteration is the same on both sides
  Solved,  // the element says which
  Free,    // the address does not depend on it: several wrote the element, each of them the same where their
           // source is
  Mixed    // several that the address tells apart wrote one element: no inverse
};

struct SolvedLoop {
  affine::LoopId loop;
  CoordinateRole role = CoordinateRole::Mixed;
  std::optional<affine::Poly> iteration;  // Solved: its counter
};

// For one block and one iteration of the loops that are fixed.
struct Inverse {
  affine::AccessId access;
  affine::Exactness exactness =
      affine::Exactness::Unknown;  // of the map; Over: some of the elements may not be written
  std::string reason;              // why there is no inverse, or why the map is not exact
  bool isInjective = false;        // over the integers, free coordinates aside
  bool isWritten = false;          // every solved coordinate below could be written down
  // Every element between the first and the last of each dimension is written (the map is unimodular on what
  // it uses).
  bool isDense = false;
  // Placeholders for the element's subscripts, outermost first; an array with one declared dimension or with
  // constant pitches has one.
  std::vector<affine::Poly> element;
  std::vector<affine::Poly> extents;     // of all dimensions but the outermost
  std::vector<affine::Poly> subscripts;  // of the store, in these dimensions
  int64_t unit = 0;                      // bytes of an element
  std::array<CoordinateRole, 3> axes{};
  std::array<std::optional<affine::Poly>, 3>
      thread;                     // Solved: over `element`, block, symbols and fixed loops
  std::vector<SolvedLoop> loops;  // those around the access that are not fixed
  std::vector<affine::Requirement> conditions;
};

// `fixed`: loops around the access whose iteration is given. Usually those with a barrier in them
// (iterationsBetweenBarriers): what an iteration stores is read in the same iteration.
Inverse invert(const affine::KernelModel& model, affine::AccessId access,
               const std::vector<affine::LoopId>& fixed, const affine::Launch* launch = nullptr);
Inverse invert(const affine::KernelModel& model, affine::AccessId access);
// The loops around an access with a barrier of the block in them.
std::vector<affine::LoopId> iterationsBetweenBarriers(const affine::KernelModel& model,
                                                      affine::AccessId access);

// A value of the thread and iteration that wrote an element, given by its subscripts in the inverse's
// dimensions. Nothing when it depends on a coordinate that is not solved.
std::optional<affine::Poly> atWriter(const affine::KernelModel& model, const Inverse& inverse,
                                     const affine::Poly& value, const std::vector<affine::Poly>& element);
// The subscripts of another access of the array in the inverse's dimensions; nothing when it does not fit
// them.
std::optional<std::vector<affine::Poly>> elementOf(const affine::KernelModel& model, const Inverse& inverse,
                                                   affine::AccessId access);

// The load whose value a store writes as it is, -1 and why where there is none.
struct StoreSource {
  affine::AccessId load;
  std::string reason;
};
StoreSource sourceOf(const affine::KernelModel& model, affine::AccessId store);

// Whether two stores with their sources say the same about every element that both dimensions have: one
// formula serves for both.
struct Agreement {
  bool agrees = false;
  std::string reason;
};
Agreement sourcesAgree(const affine::KernelModel& model, const Inverse& first, affine::AccessId firstLoad,
                       const Inverse& second, affine::AccessId secondLoad);

// Whether every element that a load reads was written by one of the stores of the same block, in the same
// iteration of the loops that all of them share and that have a barrier in them.
struct Coverage {
  enum Verdict : uint8_t { Covered, Uncovered, Unknown } verdict = Unknown;
  std::string reason;                           // Uncovered: an element, "[16][0]"; Unknown: why
  std::vector<affine::Requirement> conditions;  // that the dimensions rely on
};
Coverage coveredBy(const affine::KernelModel& model, affine::AccessId load,
                   const std::vector<affine::AccessId>& stores, const affine::Launch* launch = nullptr);

}  // namespace hone::analysis
