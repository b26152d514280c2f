// Up to where threads of a launch touch memory, along each axis of their global ids.
#pragma once

#include "affine/KernelModel.h"

namespace hone::passes {

struct GlobalIdBounds {
  // Polynomials of symbols: a thread touches memory outside its own only where its global id along the axis
  // is below one of them, and prints, asserts or loops without end nowhere else. Empty: no such bound is
  // known.
  std::vector<affine::Poly> bounds;
  // What must hold for that, ids of 31 bits taken for granted: past its width an unsigned sum of an id and a
  // parameter begins anew, and a signed one that no thread of the original works out may be past it.
  std::vector<affine::Requirement> conditions;
};
GlobalIdBounds globalIdBounds(const affine::KernelModel& model, unsigned axis);

// blockIdx * block + threadIdx of the axis.
affine::Poly globalId(const affine::KernelModel& model, unsigned axis);

}  // namespace hone::passes
