// Variants of a space in random order, every way through its levels equally likely.
#pragma once

#include <set>

#include "tune/Space.h"

namespace hone::tune {

// A walk takes one of a level's offers, all with equal chances, or none of them; it ends in vain where the
// pass refuses, and that offer is not made again. A walk comes too often where there are few offers. So it is
// kept with a chance in proportion to the product of the numbers of offers on its way, the most of the first
// 200 walks being the measure: what is kept is uniform over all ways, whatever is known of refusals by then.
// Ways are remembered, and a space that was seen as a whole is handed out in random order without further
// walks.
class UniformDraws {
 public:
  // Space::offers and Space::with, or something that remembers what they gave.
  struct Source {
    std::function<std::vector<passes::Recipe>(const Variant&, Level)> offers;
    std::function<std::optional<Variant>(const Variant&, const passes::Recipe&)> with;
  };
  // The space lives as long as this object.
  UniformDraws(Space& space, uint64_t seed);
  UniformDraws(const Variant& original, Source from, uint64_t seed, size_t trialWalks = 200);
  ~UniformDraws();

  // One that was not drawn before, of equal plans the first; the original is none. Nothing: there are no
  // more, or `mayGoOn` said no.
  std::optional<Variant> next(const std::function<bool()>& mayGoOn = {});

  // How many ways there are, so far as the walks tell; exact once all were seen.
  double ways() const;

 private:
  struct Node;
  struct Walk {
    const Variant* variant = nullptr;  // none: a pass refused
    double choices = 1;                // product over the levels
  };
  Walk walk();
  void open(Node& node);
  Node* go(Node& node, size_t way);
  bool lookAtAll(Node& node, const std::function<bool()>& mayGoOn);
  void handOutAll();
  std::optional<Variant> ifNew(const Variant& variant);

  Source source;
  const size_t firstWalks;
  std::mt19937_64 random;
  std::unique_ptr<Node> root;
  std::vector<Walk> trials;  // not yet judged
  double most = 0;           // choices of a walk that is always kept
  double walks = 0, choicesSeen = 0;
  std::optional<std::vector<const Variant*>> rest;  // of a space that was seen as a whole
  std::set<uint64_t> seen;                          // hashes of plans
};

}  // namespace hone::tune
