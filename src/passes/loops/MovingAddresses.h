// Addresses that advance by the same distance in every iteration of a loop.
#pragma once

#include <map>

#include "affine/KernelModel.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// Accesses of one array in one loop that a pointer reaches by distances which no thread changes.
struct MovingAddress {
  ir::StmtPtr loop;
  affine::ArrayId array;
  ir::VarPtr base;   // the pointer that the accesses subscript
  ir::TypePtr type;  // of sums: 64 bits, or as wide as the subscripts and without a sign
  // The element that the first access touches in the first iteration, as it can be written before the loop.
  ir::ExprPtr from;
  ir::ExprPtr advance;                         // elements from one iteration to the next
  std::map<affine::AccessId, ir::ExprPtr> at;  // elements from there; null: none
  affine::Poly start, perIteration;            // `from` and `advance` in bytes
};

struct MovingAddresses {
  std::vector<MovingAddress> all;
  Obstacle leftOut;  // what kept the first of those from it that were left out; nothing: none came near
};

enum class MovingForm : uint8_t { Pointers, Offsets };

// Of wide accesses of global memory, or of all accesses of the arrays named. Every statement of the model's
// kernel is a node of its own.
MovingAddresses movingAddresses(const affine::KernelModel& model, const std::vector<std::string>& arrays,
                                MovingForm form);

// The subscript of a variable behind a place: b[i] of itself and of *(const float4*)(b + i); null where there
// is none.
ir::ExprPtr elementBehind(const ir::ExprPtr& place);

}  // namespace hone::passes
