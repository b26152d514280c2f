// A region, a part of one or a routine on its way to kernels.
#pragma once

#include <set>
#include <utility>

#include "acc/LowerRegion.h"
#include "acc/Notes.h"

namespace hone::acc {

/// Why a region stays with the host.
struct Refused {
  std::string reason;
  ir::SourceLoc loc;
  bool isError = false;
};

/// An object in the device's memory that all gangs share. While the region is rewritten a variable stands for
/// it, as in the user's text; at the end it is `*param`.
struct DeviceObject {
  ir::VarPtr var, param;
  KernelArgument argument;
  bool mayLieInOther = false;  ///< as AccCaptured has it
};

/// Whose memory a private section is.
enum class OwnedBy : uint8_t { Gang, Worker, Thread };

/// Memory of the device with a section for each gang, worker or thread.
struct OwnMemory {
  ir::VarPtr memory;  ///< parameter: leads to the first one's
  ir::VarPtr count;   ///< elements of each
  OwnedBy by = OwnedBy::Gang;
};

struct WorkRegion {
  const frontend::AccUnit* unit = nullptr;
  const frontend::AccRegion* region = nullptr;  ///< null: a routine
  frontend::AccConstruct construct = frontend::AccConstruct::Parallel;
  ir::SourceLoc loc;
  ir::StmtPtr body;
  Notes notes;
  RegionNames names;
  std::vector<DeviceObject> objects;
  std::vector<LoopMapping> said;
  std::vector<MissingReduction> missing;      ///< of loops that are spread
  std::set<const ir::Variable*> ofConstruct;  ///< variables that reductions of the construct name
  /// Loops may rely on captured variables that lead to memory of their own; which ones do is in `reliesOn`.
  bool mayRelyOnApart = false;
  std::set<std::pair<int, int>> reliesOn;

  std::vector<OwnMemory> ownMemory;
  /// Pointers to sections that each gang has of its own: its threads share them.
  std::vector<ir::VarPtr> sectionsOfGang;

  bool isObject(const ir::Variable* var) const {
    for (const DeviceObject& object : objects)
      if (object.var.get() == var) return true;
    return false;
  }
};

/// The AccRoutine of a called function; null: it has none that matters to its callers.
const frontend::AccRoutine* routineOf(const frontend::AccUnit& unit, const ir::Call& call);
/// The widest level at which functions called directly in an expression or statement work together (Seq:
/// none). Loops with a note of their own below are not looked into where `notes` is given.
frontend::AccLevel calledLevel(const frontend::AccUnit& unit, const ir::StmtPtr& s,
                               const Notes* notes = nullptr);

/// Replaces one statement somewhere in a region; notes of what is around it go along.
ir::StmtPtr withStatement(Notes& notes, const ir::StmtPtr& root, const ir::Stmt& from,
                          const ir::StmtList& to);

}  // namespace hone::acc
