// Variants of a space in random order, every way through its levels equally likely.
#pragma once

#include <set>

#include "tune/Space.h"

namespace hone::tune {

// A walk that takes each level's choices with equal chances comes too often where there are few of them. So a walk is kept with a chance in
// proportion to the number of choices on its way, the most of the first 200 walks being the measure: what is kept is uniform over all ways. Choices are
// remembered, and a space that was seen as a whole is handed out in random order without further walks.
class UniformDraws {
 public:
  // Space::choices, or something that remembers what it gave.
  using Choices = std::function<std::vector<Variant>(const Variant&, Level)>;
  // The space lives as long as this object.
  UniformDraws(Space& space, uint64_t seed);
  UniformDraws(const Variant& original, Choices from, uint64_t seed, size_t trialWalks = 200);
  ~UniformDraws();

  // One that was not drawn before, of equal plans the first; the original is none. Nothing: there are no more, or `mayGoOn` said no.
  std::optional<Variant> next(const std::function<bool()>& mayGoOn = {});

  // How many ways there are, so far as the walks tell; exact once all were seen.
  double ways() const;

 private:
  struct Node;
  struct Walk {
    const Variant* variant = nullptr;
    double choices = 1;  // product over the levels
  };
  Walk walk();
  void open(Node& node);
  void handOutAll();
  std::optional<Variant> ifNew(const Variant& variant);

  Choices choices;
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
