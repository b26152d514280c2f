// Bytes of arrays by the type of their elements: filling from a seed, and comparing leaf by leaf, padding
// left aside.
#pragma once

#include <string>

#include "RunTable.h"
#include "ir/Type.h"

namespace hone::test {

struct TypedLeaf {
  uint64_t offset = 0;
  ir::TypePtr type;  // a scalar or pointer; null: one byte of a union
};
std::vector<TypedLeaf> leavesOf(const ir::TypePtr& type, bool isOpenCL);

// Fills: "" moderate values; "LOW..HIGH" with expressions; "whole:LOW..HIGH" floats without a fraction;
// "zero"; "out" bytes that nothing should read; "rising:K" K * index; "below" from -1 to one less than the
// index. Pointers are null.
void fillBytes(std::vector<uint8_t>& bytes, const ir::TypePtr& element, bool isOpenCL,
               const std::string& fill, const Numbers& numbers, uint64_t seed);

// A value of this type: its parts are expressions or decimal numbers, separated by commas; pointers are null.
std::vector<uint8_t> valueBytes(const ir::TypePtr& type, bool isOpenCL, const std::string& text,
                                const Numbers& numbers);

struct Tolerance {
  double ulps = 0;
  bool ofGreatest = false;  // units in the last place of the greatest number wanted, not of each
};
struct Difference {
  std::string text;  // "" when there is none beyond the tolerance
  double ulps = 0;   // greatest distance of floats
};
Difference compareBytes(const std::vector<uint8_t>& have, const std::vector<uint8_t>& want,
                        const ir::TypePtr& element, bool isOpenCL, const Tolerance& tolerance);

}  // namespace hone::test
