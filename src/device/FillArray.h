// Data for arrays that nobody gave, by the types of the kernel; the values are made by worker/FillElements.
#pragma once

#include "device/Parameters.h"
#include "worker/FillElements.h"

namespace hone::device {

using worker::Fill;
using worker::FillKind;

worker::Scalar scalarOf(const ir::Type& type);  // Address for what is no number
std::vector<worker::Leaf> scalarLeaves(const std::vector<TypeLeaf>& leaves);

// Writes elements first … first + count - 1; `data` points to the first of them.
void fillElements(uint8_t* data, uint64_t first, uint64_t count, const std::vector<TypeLeaf>& leaves,
                  uint64_t elementBytes, const Fill& fill);

// A number in the bytes of its type.
void storeNumber(uint8_t* at, const ir::Type& type, double real, int64_t whole);
// The value of a float or integer of this type.
double loadNumber(const uint8_t* at, const ir::Type& type);

uint64_t hashOf(const std::string& text);

}  // namespace hone::device
