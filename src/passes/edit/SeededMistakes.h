// Mistakes that the random tests must find. HONE_SEED(HaloOffByOne, right, wrong) is `right` in hone; in the
// library of the same sources that tests link it is `wrong` while the mistake of that name is switched on.
// Both are expressions of one type.
#pragma once

#ifndef HONE_SEEDED_MISTAKES

#define HONE_SEED(name, right, wrong) (right)

#else

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#define HONE_SEED(name, right, wrong) (::hone::passes::isSeeded<#name>() ? (wrong) : (right))

namespace hone::passes {

struct SeededMistake {
  std::string name;
  bool isOn = false;
  size_t reached = 0;  // how often the passes came by
};

// All that the passes hold, in no particular order.
inline std::vector<SeededMistake*>& seededMistakes() {
  static std::vector<SeededMistake*> all;
  return all;
}

template <size_t N> struct MistakeName {
  char text[N]{};
  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval MistakeName(const char (&name)[N]) { std::copy_n(name, N, text); }
};

template <MistakeName Name> struct RegisteredMistake {
  static SeededMistake& add() {
    static SeededMistake one{Name.text};
    seededMistakes().push_back(&one);
    return one;
  }
  static inline SeededMistake& mistake = add();
};

template <MistakeName Name> bool isSeeded() {
  SeededMistake& mistake = RegisteredMistake<Name>::mistake;
  ++mistake.reached;
  return mistake.isOn;
}

}  // namespace hone::passes

#endif
