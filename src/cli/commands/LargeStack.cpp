#include "cli/commands/LargeStack.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>

namespace hone::cli {

namespace {

// Pages come when they are touched. Clang's parser, the longest expressions that are imported and walks over
// them need some kilobytes a level.
constexpr size_t mainStack = size_t(1) << 30, otherStacks = size_t(1) << 27;

struct Work {
  const std::function<int()>& run;
  int status = 0;
  std::exception_ptr thrown = nullptr;
};

const char* lowestOfStack = nullptr;  // of the thread that reads sources
char lastWords[512];

void onFault(int signal, siginfo_t* info, void*) {
  const auto* at = static_cast<const char*>(info->si_addr);
  constexpr ptrdiff_t near = 1 << 20;
  if (lowestOfStack && at >= lowestOfStack - near && at < lowestOfStack + near) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, lastWords, std::strlen(lastWords));
    ::_exit(2);
  }
  // Some other fault: as if nobody had asked.
  ::signal(signal, SIG_DFL);
}

void* runOnThread(void* data) {
  auto& work = *static_cast<Work*>(data);
  pthread_attr_t attributes;
  void* lowest = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    lowestOfStack = static_cast<const char*>(lowest);
  }
  static char alternative[64 * 1024];
  stack_t stack{};
  stack.ss_sp = alternative;
  stack.ss_size = sizeof alternative;
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaltstack(&stack, nullptr) == 0) {
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
  }
  try {
    work.status = work.run();
  } catch (...) {
    work.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

int onLargeStack(const std::string& command, const std::function<int()>& work) {
  const std::string words =
      "hone: " + command.substr(0, 200) +
      ": something in its files is nested too deeply for hone to read; nothing was changed\n";
  std::strncpy(lastWords, words.c_str(), sizeof lastWords - 1);
  Work one{work};
  pthread_attr_t attributes;
  pthread_t thread{};
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, otherStacks);
  pthread_setattr_default_np(&attributes);
  pthread_attr_setstacksize(&attributes, mainStack);
  const bool isStarted = pthread_create(&thread, &attributes, runOnThread, &one) == 0;
  pthread_attr_destroy(&attributes);
  if (!isStarted) return work();  // where memory is limited: with the stack that there is
  pthread_join(thread, nullptr);
  if (one.thrown) std::rethrow_exception(one.thrown);
  return one.status;
}

}  // namespace hone::cli
