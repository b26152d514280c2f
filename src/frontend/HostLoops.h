// Loops of host functions that launch one kernel in every iteration and do nothing else that matters:
//   for (int p = 1; p < n; p *= 2) {
//     step<<<grid, block>>>(in, out, n, p);
//     check(cudaGetLastError());
//     std::swap(in, out);
//   }
// What is required:
// - A `for` with a counter of its own, a local integer that nothing but the loop's head changes and whose
// address nobody takes, and a step of one operation
//   on it: p *= 2, p += k, p <<= 1, ++p. The condition is over the counter and values that the loop does not
//   change.
// - In the body one launch with <<< >>>, as a statement of its own and not out of a macro, and besides it
// only exchanges of two local pointers (std::swap, or
//   three assignments) and checks for errors that do nothing as long as there is none (QuietStatements.h).
// - Arguments of the launch are the counter, exchanged pointers whose partner is an argument too, or
// expressions without effects that neither the
//   loop nor a launch can change, so nothing behind a pointer; so are grid, block, shared memory and stream.
// The launches of several iterations may then be made in one call that is handed the arguments of the first,
// and the loop may go on with the counter of the last; an odd number where pointers are exchanged, since the
// loop exchanges them once for that call. Made one after the other they leave the same in memory.
//
// HostIteration::unreadByHost: arrays that the host cannot read before the loop is over and does not read
// afterwards. The exchanged pointers are local variables, set by one cudaMalloc of the same function each,
// and used for nothing but launches and cudaMemcpy or cudaMemset before the loop; the loop stands in no
// other; and the pointer that holds the array after the loop is then used for nothing but cudaFree.
#pragma once

#include "frontend/Importer.h"

namespace hone::frontend {

/// The iteration of a launch in the body of a host function; null: it stands in no such loop.
std::shared_ptr<const LaunchIteration> hostIteration(const clang::CUDAKernelCallExpr& launch,
                                                     const clang::FunctionDecl& inside, UnitImporter& unit);

}  // namespace hone::frontend
