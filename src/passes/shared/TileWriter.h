// Code that fills tiles in shared memory and reads them: the whole block loads, neighbouring threads
// neighbouring elements.
#pragma once

#include <optional>

#include "affine/ToExpr.h"
#include "analysis/BlockTile.h"
#include "passes/edit/Names.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

using analysis::Tile;
using analysis::TileDimension;

// A tile with what was decided about how it lies in shared memory.
struct StagedTile {
  Tile tile;
  bool columns = false;             // the last two dimensions are exchanged
  int64_t pad = 0;                  // elements more in the innermost one
  int64_t againstConflicts = 0;     // of them, what conflicts of banks ask for
  int64_t sideBySide = 1;           // elements of a row that a thread loads one after the other
  unsigned swizzle = 0;             // innermost subscript ^ (the next outer one & this); 0: none
  ir::VarPtr var = nullptr;         // the shared array, once made
  bool isFilled = false;            // slots of elements that do not exist hold zeros, or there are none
  ir::ConstantRole depthRole = {};  // the constant behind the tile's depth
  ir::ExprPtr loopStart = nullptr;  // value of the loop's variable where the tile starts
};

class TileWriter {
 public:
  // Constants that it names are added to the kernel. `scope` counts the statements of the kernel's body that
  // stand before all it writes: what they declare may be used.
  TileWriter(ir::Kernel& kernel, const affine::KernelModel& model, Names& names, size_t scope);

  // Makes the shared array; refuses where its elements cannot be addressed.
  Obstacle declare(StagedTile& staged);
  // Fills the tile from the array; a tile of stores is written to the array instead.
  Result<ir::StmtList> load(const StagedTile& staged);
  // The element of an access, by its number in the request.
  Result<ir::ExprPtr> read(const StagedTile& staged, size_t access);

  // Declarations for the beginning of the kernel.
  const ir::StmtList& declarations() const { return atTop; }

  // Tests on the launch alone are left out of the tiles' guards and kept here, where the kernel writes
  // nothing unless they hold.
  bool leavesTestsToPlan = false;
  const std::vector<ir::ExprPtr>& leftToPlan() const { return launchTests; }

 private:
  affine::Poly inValues(const affine::Poly& p, const Tile& tile);
  affine::CondPtr inValues(const affine::CondPtr& c, const Tile& tile);
  affine::Poly withGlobalIds(const affine::Poly& p);
  Result<ir::ExprPtr> expr(affine::ToExpr& to, const affine::Poly& p, const Tile& tile);
  affine::Poly iterationsSymbol(const Tile& tile);
  affine::Poly offsetSymbol(const StagedTile& staged, size_t d);
  bool isSmall(const affine::Poly& p, const Tile& tile);
  affine::ToExpr writer(const StagedTile& staged, bool narrow = false);
  ir::ExprPtr slot(const StagedTile& staged, std::vector<ir::ExprPtr> subscripts);
  Result<ir::StmtList> loadDirectly(const StagedTile& staged);
  Result<ir::StmtList> loadInTurn(const StagedTile& staged);
  Result<ir::StmtPtr> copyElement(const StagedTile& staged, affine::ToExpr& to,
                                  const std::vector<ir::ExprPtr>& slots,
                                  const std::vector<affine::Poly>& elements);
  ir::VarPtr threadVar(unsigned axis);
  ir::ExprPtr linearThread();
  ir::ConstantRole blockRole(unsigned axis);
  ir::ExprPtr blockSize(unsigned axis);
  ir::ExprPtr withBlockNames(const ir::ExprPtr& e);
  bool isLoadedDirectly(const StagedTile& staged) const;
  std::pair<ir::ConstantRole, int64_t> countRole(const StagedTile& staged, size_t d);
  ir::ExprPtr countOf(const StagedTile& staged, size_t d);
  bool isTestOfLaunch(const affine::CondPtr& c) const;
  affine::CondPtr withoutTestsOfLaunch(const affine::CondPtr& c, affine::ToExpr& to);
  void findVariables(size_t scope);

  ir::Kernel& kernel;
  const affine::KernelModel& model;
  affine::Atoms& atoms;
  Names& names;
  ir::StmtList atTop;
  std::array<ir::VarPtr, 3> threads;    // hold threadIdx
  std::array<ir::VarPtr, 3> globalIds;  // hold blockIdx * block + threadIdx
  std::array<affine::Poly, 3> globalIdSymbols;
  ir::VarPtr tid;
  std::vector<ir::ExprPtr> launchTests;
};

}  // namespace hone::passes
