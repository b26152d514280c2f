// What the process holds and nobody uses.
#pragma once

namespace hone::sim {

// Gives back to the system what was freed in small pieces: the allocator keeps all of it, which is hundreds
// of megabytes once source was parsed or races were looked for.
void returnFreedMemory();

}  // namespace hone::sim
