// Where the elements of a tile come from, as expressions that take the place of reading them.
#pragma once

#include "analysis/TileFills.h"
#include "passes/edit/Names.h"
#include "passes/shared/FillValue.h"

namespace hone::passes {

class TileSource {
 public:
  explicit TileSource(const affine::KernelModel& ofKernel) : model(ofKernel), names(*ofKernel.kernel) {}

  // What a load of a tile gives, read from where its element came from. Refuses where that is not known.
  Result<ir::ExprPtr> insteadOf(affine::AccessId load);

  // What the expressions so far rely on.
  const std::set<affine::ArrayId>& arrays() const { return read; }   // to stay unchanged
  const std::set<unsigned>& requirements() const { return needed; }  // of the model
  const std::vector<affine::Requirement>& conditions() const { return dimensions; }
  // Pointers that the kernel changes, with variables that are to hold them from its beginning on.
  const std::map<ir::VarPtr, ir::VarPtr>& pointers() const { return starts; }

 private:
  // A value by the element alone.
  struct OfElement {
    struct Load {
      const ir::Expr* place;
      affine::AccessId access;
      std::vector<affine::Poly> index;  // subscripts of an array with dimensions, else bytes from its start
    };
    struct Choice {
      affine::CondPtr when;
      ir::ExprPtr value;
      std::vector<Load> loads;
    };
    std::vector<Choice> choices;
  };
  // Fills with one formula.
  struct Group {
    OfElement value;
    std::vector<size_t> fills;
  };

  const OfElement& valueOf(const analysis::TileFill& fill);
  bool saysTheSame(const OfElement& a, const OfElement& b, const analysis::Inverse& where) const;
  std::vector<Group> groupsOf(const analysis::TileFills& found);
  void putInOrder(std::vector<Group>& groups, const analysis::TileFills& found) const;
  void rely(affine::AccessId access);
  ir::VarPtr startOf(affine::AccessId load);

  const affine::KernelModel& model;
  Names names;
  std::map<std::pair<affine::AccessId, std::vector<affine::LoopId>>, OfElement> values;
  std::set<affine::ArrayId> read;
  std::set<unsigned> needed;
  std::vector<affine::Requirement> dimensions;
  std::map<ir::VarPtr, ir::VarPtr> starts;
};

}  // namespace hone::passes
