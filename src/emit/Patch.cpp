#include "emit/Patch.h"

#include <algorithm>
#include <tuple>

namespace hone::emit {

namespace {

bool sameEdit(const Edit& a, const Edit& b) {
  return a.begin == b.begin && a.end == b.end && a.text == b.text;
}

// Insertions overlap a replacement only strictly inside it, and never each other.
bool overlaps(const Edit& a, const Edit& b) {
  if (a.begin == a.end && b.begin == b.end) return false;
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace

bool PatchSet::add(Edit edit) {
  auto& list = edits[edit.file];
  for (const Edit& other : list) {
    if (sameEdit(edit, other)) return true;
    if (overlaps(edit, other)) return false;
  }
  list.push_back(std::move(edit));
  return true;
}

std::vector<std::string> PatchSet::files() const {
  std::vector<std::string> names;
  names.reserve(edits.size());
  for (const auto& [name, list] : edits) names.push_back(name);
  return names;
}

std::string PatchSet::apply(const std::string& file, const std::string& contents) const {
  auto found = edits.find(file);
  if (found == edits.end()) return contents;
  std::vector<const Edit*> order;
  order.reserve(found->second.size());
  for (const Edit& edit : found->second) order.push_back(&edit);
  // Insertions at one place keep the order in which they were added (that of their addresses), and stand
  // before a replacement that begins there.
  std::sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    return std::tuple(a->begin, a->end, a) < std::tuple(b->begin, b->end, b);
  });
  std::string out;
  size_t at = 0;
  for (const Edit* edit : order) {
    size_t begin = std::min<size_t>(edit->begin, contents.size());
    size_t end = std::min<size_t>(edit->end, contents.size());
    out.append(contents, at, begin - at);
    out += edit->text;
    at = end;
  }
  out.append(contents, at);
  return out;
}

}  // namespace hone::emit
