// Variables that are private or firstprivate in a region, while the host runs it: one thread does all of it
// and works on the host's own, which come back at the end.
#include <cstdarg>
#include <cstring>
#include <vector>

#include "hone_acc.h"

namespace {

struct Kept {
  void* memory = nullptr;
  std::vector<char> bytes;
};

std::vector<std::vector<Kept>>& keptFrames() {
  thread_local std::vector<std::vector<Kept>> list;
  return list;
}

}  // namespace

void hone_acc_keep(int count, ...) {
  std::vector<Kept> frame;
  va_list arguments;
  va_start(arguments, count);
  for (int k = 0; k < count; ++k) {
    Kept one;
    one.memory = va_arg(arguments, void*);
    const unsigned long bytes = va_arg(arguments, unsigned long);
    const char* const begin = static_cast<const char*>(one.memory);
    if (begin && bytes) one.bytes.assign(begin, begin + bytes);
    frame.push_back(std::move(one));
  }
  va_end(arguments);
  keptFrames().push_back(std::move(frame));
}

void hone_acc_restore() {
  if (keptFrames().empty()) return;
  for (const Kept& one : keptFrames().back())
    if (!one.bytes.empty()) std::memcpy(one.memory, one.bytes.data(), one.bytes.size());
  keptFrames().pop_back();
}
