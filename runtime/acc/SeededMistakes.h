// Mistakes that the tests of OpenACC must find. HONE_SEED(CountOffByOne, right, wrong) is `right` in hone; in
// the library of the same sources that programs of test/acc/mistakes.py link it is `wrong` where HONE_MISTAKE
// has that name. Both are expressions of one type. src/acc has the same for its part.
#pragma once

#ifndef HONE_SEEDED_MISTAKES

#define HONE_SEED(name, right, wrong) (right)

#else

#include <cstdlib>
#include <string_view>

#define HONE_SEED(name, right, wrong) (::hone::acc::isSeeded(#name) ? (wrong) : (right))

namespace hone::acc {

inline bool isSeeded(std::string_view name) {
  static const char* const wanted = std::getenv("HONE_MISTAKE");
  return wanted && name == wanted;
}

}  // namespace hone::acc

#endif
