// Whether each element of an array is touched by one thread only, or by one block only, and where it then
// would live in that thread.
#pragma once

#include "affine/Evaluate.h"

namespace hone::analysis {

enum class Answer : uint8_t { Yes, No, Unknown };

// How a thread's own elements lie among those of the others.
enum class OwnerForm : uint8_t {
  None,
  OneSlot,      // one element a thread: result[tx]
  SlotMajor,    // slot * pitch + thread: list[edge * threads + tx]
  ThreadMajor,  // thread * slots + slot: row[tx * slots + k]
  Other         // private, by another map
};

struct Privacy {
  Answer perThread = Answer::Unknown, perBlock = Answer::Unknown;
  std::string reason;  // why not, or why it is not known; of perThread, of perBlock where that is the first
  affine::AccessId first, second;  // accesses of two threads that meet, where perThread is No

  // Of an array with perThread == Yes.
  OwnerForm form = OwnerForm::None;
  std::optional<int64_t> slots;  // elements a thread owns, when it is a number
  // The number of the slot, by access of the array (in the order of the model); numbers make it a register
  // each, others need an array.
  std::vector<std::pair<affine::AccessId, affine::Poly>> slotOf;
  bool hasRuntimeSlot =
      false;  // some slot is no number, even with loops unrolled: it varies with more than loop counters
  std::vector<affine::Requirement> conditions;
};

// For shared arrays "one thread" is one of the block; for global ones one of the launch. Atomics, volatile
// and addresses that are not resolved say no or unknown, with the reason. Two names of one memory are not
// looked at here (Aliasing.h).
Privacy privacy(const affine::KernelModel& model, affine::ArrayId array,
                const affine::Launch* launch = nullptr);

const char* str(Answer answer);
const char* str(OwnerForm form);

}  // namespace hone::analysis
