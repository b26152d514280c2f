#include "tune/UniformDraws.h"

#include <algorithm>

#include "ir/Compare.h"

namespace hone::tune {

namespace {

// Kept walks in a row to plans that were drawn before, after which a space counts as exhausted.
constexpr int kMostVain = 400;

}  // namespace

struct UniformDraws::Node {
  Variant variant;
  size_t level = 0;  // whose choices are its children
  bool isOpen = false, isSeen = false;
  double ways = 0;  // below it, once isSeen
  std::vector<std::unique_ptr<Node>> children;

  bool isEnd() const { return level == allLevels.size(); }

  void collect(std::vector<const Variant*>& into) const {
    if (isEnd()) into.push_back(&variant);
    for (const auto& child : children) child->collect(into);
  }
};

UniformDraws::UniformDraws(Space& space, uint64_t seed)
    : UniformDraws(
          space.original(),
          [&space](const Variant& variant, Level level) { return space.choices(variant, level); }, seed) {}

UniformDraws::UniformDraws(const Variant& original, Choices from, uint64_t seed, size_t trialWalks)
    : choices(std::move(from)), firstWalks(trialWalks), random(seed), root(std::make_unique<Node>()) {
  root->variant = original;
  seen.insert(ir::hash(*original.plan));
}

UniformDraws::~UniformDraws() = default;

void UniformDraws::open(Node& node) {
  node.isOpen = true;
  if (node.isEnd()) {
    node.isSeen = true;
    node.ways = 1;
    return;
  }
  for (Variant& one : choices(node.variant, allLevels[node.level])) {
    auto child = std::make_unique<Node>();
    child->variant = std::move(one);
    child->level = node.level + 1;
    node.children.push_back(std::move(child));
  }
}

UniformDraws::Walk UniformDraws::walk() {
  Walk out;
  std::vector<Node*> path{root.get()};
  while (true) {
    Node& node = *path.back();
    if (!node.isOpen) open(node);
    if (node.isEnd()) break;
    out.choices *= static_cast<double>(node.children.size());
    const size_t at = std::uniform_int_distribution<size_t>(0, node.children.size() - 1)(random);
    path.push_back(node.children[at].get());
  }
  out.variant = &path.back()->variant;
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    Node& one = **node;
    if (one.isSeen) continue;
    if (!std::all_of(one.children.begin(), one.children.end(), [](const auto& c) { return c->isSeen; }))
      break;
    one.isSeen = true;
    for (const auto& child : one.children) one.ways += child->ways;
  }
  ++walks;
  choicesSeen += out.choices;
  return out;
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
      trials.push_back(walk());
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
    if (std::uniform_real_distribution<double>(0, most)(random) >= one.choices) continue;
    if (auto fresh = ifNew(*one.variant)) return fresh;
    ++vain;
  }
  if (!root->isSeen) return std::nullopt;
  if (!rest) handOutAll();
  while (!rest->empty()) {
    const Variant* one = rest->back();
    rest->pop_back();
    if (auto fresh = ifNew(*one)) return fresh;
  }
  return std::nullopt;
}

}  // namespace hone::tune
