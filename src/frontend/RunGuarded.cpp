#include "frontend/RunGuarded.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <fmt/core.h>
#include <pthread.h>

#include <array>
#include <csignal>
#include <mutex>
#include <vector>

namespace hone::frontend {

namespace {

constexpr unsigned stackSize = 64u << 20;
constexpr size_t roomForHandler = 64 * 1024;

thread_local const char* lowestOfStack = nullptr;
thread_local bool* isUsedUp = nullptr;

constexpr std::array faults = {SIGSEGV, SIGBUS};
std::array<struct sigaction, faults.size()> handlers;  // LLVM's

// Notes whether it is the stack that is used up; LLVM's handler goes back to before the work. It runs on a
// stack of its own: there is no other left.
void onFault(int signal, siginfo_t* info, void*) {
  const auto* at = static_cast<const char*>(info->si_addr);
  constexpr ptrdiff_t near = 1 << 20;
  if (isUsedUp && lowestOfStack && at >= lowestOfStack - near && at < lowestOfStack + near) *isUsedUp = true;
  handlers[signal == faults[0] ? 0 : 1].sa_handler(signal);
}

void enable() {
  llvm::CrashRecoveryContext::Enable();
  for (size_t i = 0; i < faults.size(); ++i) {
    sigaction(faults[i], nullptr, &handlers[i]);
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(faults[i], &action, nullptr);
  }
}

const char* lowestOfThisThread() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return static_cast<const char*>(lowest);
}

}  // namespace

Crash runGuarded(const std::function<void()>& work) {
  static std::once_flag enabled;
  std::call_once(enabled, enable);
  llvm::CrashRecoveryContext context;
  std::vector<char> room(roomForHandler);
  bool isDeep = false;
  const auto watched = [&] {
    lowestOfStack = lowestOfThisThread();
    isUsedUp = &isDeep;
    stack_t other{};
    other.ss_sp = room.data();
    other.ss_size = room.size();
    sigaltstack(&other, nullptr);
    work();
  };
  if (context.RunSafelyOnThread(watched, stackSize)) return {};
  if (isDeep) return {"nested too deeply to be read", true};
  return {fmt::format("Clang crashed (internal error, code {})", context.RetCode)};
}

}  // namespace hone::frontend
