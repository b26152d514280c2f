// All variants of a kernel that the passes allow, as a tree: at each level one of the proposals, or none.
#pragma once

#include <random>

#include "tune/ExtendVariant.h"
#include "tune/Proposals.h"

namespace hone::tune {

// What a level offers: what `proposals` gives, or `allProposals`.
enum class Breadth : uint8_t { Proposed, All };

class Space {
 public:
  // The context lives as long as the space.
  Space(ir::PlanPtr original, passes::PassContext& passContext, Breadth howMuch = Breadth::Proposed);

  const Variant& original() const { return start; }

  // What a level offers to append to a variant's recipe; passes may still refuse.
  std::vector<passes::Recipe> offers(const Variant& variant, Level level);
  // The variant with one of them; nothing when a pass refuses or has nothing to do.
  std::optional<Variant> with(const Variant& variant, const passes::Recipe& offer);

  // The variant itself and what one of the level's proposals makes of it.
  std::vector<Variant> choices(const Variant& variant, Level level);

  // Every variant once, the original among them, in the order of the levels; ends after `most` of them.
  // `progress` is told how many there are so far, and ends it by returning false.
  std::vector<Variant> all(size_t most, const std::function<bool(size_t)>& progress = {});

  // Variants that differ in the passes of one level; later passes are applied again where they still can be.
  std::vector<Variant> neighbours(const Variant& variant);

 private:
  passes::PassContext& context;
  const Breadth breadth;
  Variant start;
};

}  // namespace hone::tune
