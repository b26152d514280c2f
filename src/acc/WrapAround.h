// What a model of a loop takes for granted of numbers that are cut off at their width, taken back.
#pragma once

#include <string>

#include "affine/KernelModel.h"

namespace hone::acc {

// Conditions and ends of loops that rely on numbers that do not wrap tell no iterations apart.
void forgetWhatMayWrap(affine::KernelModel& model);

// Why two elements of a written array that the model holds for different may be one: an index that wraps, or
// is cut off. Empty: none may.
std::string elementsMayWrap(const affine::KernelModel& model);

}  // namespace hone::acc
