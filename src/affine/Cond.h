// Conditions over polynomials: guards, loop bounds, and what a fact relies on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "affine/Ids.h"
#include "affine/Poly.h"

namespace hone::affine {

struct Cond;
using CondPtr = std::shared_ptr<const Cond>;

// What a value may differ by from thread to thread and from time to time.
struct Variation {
  uint8_t threadAxes = 0, blockAxes = 0;  // one bit per axis
  bool anyThread = false;  // may differ between any two threads: loaded by a varying address, an exchange
  uint64_t loops = 0;      // one bit per loop of the model; bit 63 stands for every loop from the 63rd on
  bool isUniform() const { return !threadAxes && !anyThread; }  // over the block
  Variation& operator|=(const Variation& o) {
    threadAxes |= o.threadAxes, blockAxes |= o.blockAxes, anyThread |= o.anyThread, loops |= o.loops;
    return *this;
  }
  friend bool operator==(const Variation&, const Variation&) = default;
};

enum class CondKind : uint8_t { True, False, AtLeast0, Zero, And, Or, Unknown };

struct Cond {
  CondKind kind = CondKind::True;
  Poly value;                  // AtLeast0, Zero: what is compared with 0
  std::vector<CondPtr> parts;  // And, Or
  std::string reason;          // Unknown: why, in words ("depends on flags[i]")
  Variation varies;            // Unknown
  // Unknown: which one, so that a condition and its negation are known to exclude each other.
  uint32_t number = 0;
  bool negated = false;
};

CondPtr always();
CondPtr never();
CondPtr atLeast0(Poly value);
CondPtr isZero(Poly value);
CondPtr isNotZero(const Poly& value);
CondPtr allOf(std::vector<CondPtr> parts);  // flattened; never() absorbs, always() is dropped
CondPtr anyOf(std::vector<CondPtr> parts);
CondPtr unknownCond(std::string reason, Variation varies, uint32_t number);
CondPtr negation(const CondPtr& cond);
inline CondPtr both(CondPtr a, CondPtr b) { return allOf({std::move(a), std::move(b)}); }

bool hasUnknown(const CondPtr& cond);
// The first reason found in an Unknown part, "" when there is none.
std::string unknownReason(const CondPtr& cond);
bool sameCond(const CondPtr& a, const CondPtr& b);

}  // namespace hone::affine
