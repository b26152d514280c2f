// What the runtime of the embedded device has beside CUDA's, so that messages speak of the program's
// variables and lines. Elsewhere these are null.
#pragma once

#include <cstddef>

extern "C" {
// Findings call the memory by this name, and count its elements; its bytes where their size is 0.
__attribute__((weak)) void hone_name_memory(const void* memory, const char* name, unsigned long elementBytes);
// Addresses that no memory gets lie before the next that is allocated.
__attribute__((weak)) void hone_leave_addresses(unsigned long bytes);
// For launches of this thread from now on: which pointers of a region lead to memory of the host, in words.
__attribute__((weak)) void hone_absent_pointers(const char* words);
// The place in the program's own code that called us; false where it is not known.
__attribute__((weak)) bool hone_caller_place(char* file, size_t bytes, unsigned* line);
}
