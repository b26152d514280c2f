#include "tune/UniformDraws.h"

#include <algorithm>

#include "ir/Compare.h"

namespace hone::tune {

namespace {

// Kept walks in a row to plans that were drawn before, after which all that is left of a space is looked at.
constexpr int kMostVain = 400;

}  // namespace

struct UniformDraws::Node {
  struct Way {
    passes::Recipe recipe;  // empty: nothing is done at this level
    std::unique_ptr<Node> to;
  };

  Variant variant;
  size_t level = 0;  // whose offers are its ways
  bool isOpen = false, isSeen = false;
  double ways = 0;          // below it, once isSeen
  std::vector<Way> onward;  // less those that passes were found to refuse

  bool isEnd() const { return level == allLevels.size(); }

  void look() {
    if (isSeen || !isOpen) return;
    if (!std::all_of(onward.begin(), onward.end(), [](const Way& way) { return way.to && way.to->isSeen; }))
      return;
    isSeen = true;
    ways = isEnd() ? 1 : 0;
    for (const Way& way : onward) ways += way.to->ways;
  }

  void collect(std::vector<const Variant*>& into) const {
    if (isEnd()) into.push_back(&variant);
    for (const Way& way : onward) way.to->collect(into);
  }
};

UniformDraws::UniformDraws(Space& space, uint64_t seed)
    : UniformDraws(space.original(),
                   {[&space](const Variant& variant, Level level) { return space.offers(variant, level); },
                    [&space](const Variant& variant, const passes::Recipe& recipe) {
                      return space.with(variant, recipe);
                    }},
                   seed) {}

UniformDraws::UniformDraws(const Variant& original, Source from, uint64_t seed, size_t trialWalks)
    : source(std::move(from)), firstWalks(trialWalks), random(seed), root(std::make_unique<Node>()) {
  root->variant = original;
  seen.insert(ir::hash(*original.plan));
}

UniformDraws::~UniformDraws() = default;

void UniformDraws::open(Node& node) {
  if (node.isOpen) return;
  node.isOpen = true;
  if (node.isEnd()) return node.look();
  node.onward.push_back({});
  for (passes::Recipe& one : source.offers(node.variant, allLevels[node.level]))
    node.onward.push_back({std::move(one), nullptr});
}

UniformDraws::Node* UniformDraws::go(Node& node, size_t way) {
  Node::Way& taken = node.onward[way];
  if (taken.to) return taken.to.get();
  std::optional<Variant> made =
      taken.recipe.isIdentity() ? node.variant : source.with(node.variant, taken.recipe);
  if (!made) {
    node.onward.erase(node.onward.begin() + static_cast<std::ptrdiff_t>(way));
    return nullptr;
  }
  taken.to = std::make_unique<Node>();
  taken.to->variant = std::move(*made);
  taken.to->level = node.level + 1;
  return taken.to.get();
}

UniformDraws::Walk UniformDraws::walk() {
  Walk out;
  std::vector<Node*> path{root.get()};
  while (path.back()) {
    Node& node = *path.back();
    open(node);
    if (node.isEnd()) break;
    out.choices *= static_cast<double>(node.onward.size());
    path.push_back(go(node, std::uniform_int_distribution<size_t>(0, node.onward.size() - 1)(random)));
  }
  if (path.back())
    out.variant = &path.back()->variant;
  else
    path.pop_back();
  for (auto node = path.rbegin(); node != path.rend(); ++node) (*node)->look();
  ++walks;
  if (out.variant) choicesSeen += out.choices;
  return out;
}

bool UniformDraws::lookAtAll(Node& node, const std::function<bool()>& mayGoOn) {
  if (node.isSeen) return true;
  if (mayGoOn && !mayGoOn()) return false;
  open(node);
  for (size_t way = 0; way < node.onward.size();) {
    Node* next = go(node, way);
    if (!next) continue;
    if (!lookAtAll(*next, mayGoOn)) return false;
    ++way;
  }
  node.look();
  return true;
}

double UniformDraws::ways() const { return root->isSeen ? root->ways : walks ? choicesSeen / walks : 0; }

void UniformDraws::handOutAll() {
  rest.emplace();
  root->collect(*rest);
  std::shuffle(rest->begin(), rest->end(), random);
}

std::optional<Variant> UniformDraws::ifNew(const Variant& variant) {
  if (!seen.insert(ir::hash(*variant.plan)).second) return std::nullopt;
  return variant;
}

std::optional<Variant> UniformDraws::next(const std::function<bool()>& mayGoOn) {
  if (most == 0) {
    while (trials.size() < firstWalks && !root->isSeen) {
      if (mayGoOn && !mayGoOn()) return std::nullopt;
      if (const Walk one = walk(); one.variant) trials.push_back(one);
    }
    for (const Walk& one : trials) most = std::max(most, one.choices);
  }
  for (int vain = 0; !root->isSeen && vain < kMostVain;) {
    if (mayGoOn && !mayGoOn()) return std::nullopt;
    Walk one;
    if (trials.empty()) {
      one = walk();
    } else {
      one = trials.back();
      trials.pop_back();
    }
    if (!one.variant || std::uniform_real_distribution<double>(0, most)(random) >= one.choices) continue;
    if (auto fresh = ifNew(*one.variant)) return fresh;
    ++vain;
  }
  if (!lookAtAll(*root, mayGoOn)) return std::nullopt;
  if (!rest) handOutAll();
  while (!rest->empty()) {
    const Variant* one = rest->back();
    rest->pop_back();
    if (auto fresh = ifNew(*one)) return fresh;
  }
  return std::nullopt;
}

}  // namespace hone::tune
