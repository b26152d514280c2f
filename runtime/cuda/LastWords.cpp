#include "LastWords.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace hone::cuda {

namespace {

std::atomic<const LastWords*> prepared{nullptr};

const LastWords* take() {
  const LastWords* const words = prepared.load();
  if (!words || words->process != getpid()) return nullptr;
  return prepared.exchange(nullptr);
}

void writeAll(int file, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t now = write(file, text.data() + done, text.size() - done);
    if (now <= 0) return;
    done += size_t(now);
  }
}

void say(const LastWords& words) {
  writeAll(STDERR_FILENO, words.text);
  if (words.jsonFile.empty()) return;
  const int file = open(words.jsonFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  writeAll(file, words.json);
  close(file);
}

// Says what is left to say; the exit status then.
int statusAfter(int status) {
  const LastWords* const words = take();
  if (!words) return status;
  say(*words);
  return words->fails ? 1 : status;
}

[[noreturn]] void leaveAtOnce(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

void onDeadlySignal(int signal) {
  sayLastWords();
  raise(signal);  // whose action is the usual one again
}

}  // namespace

void prepareLastWords(LastWords words) {
  // One that another thread is writing while it dies outlives its successor.
  static const LastWords *last = nullptr, *before = nullptr;
  delete before;
  before = last;
  last = new LastWords(std::move(words));
  prepared = last;
}

void dropLastWords() { prepared = nullptr; }

void sayLastWords() {
  if (const LastWords* const words = take()) say(*words);
}

void watchEndings() {
  for (const int signal : {SIGABRT, SIGALRM, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGPIPE, SIGPROF, SIGQUIT,
                           SIGSYS, SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ}) {
    struct sigaction now{};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
      continue;
    now.sa_handler = onDeadlySignal;
    now.sa_flags = int(SA_RESETHAND) | SA_NODEFER | SA_ONSTACK;
    sigaction(signal, &now, nullptr);
  }
  // Where the program's stack has no room left, handlers need one of their own.
  constexpr size_t handlerBytes = size_t(1) << 18;
  stack_t stack{};
  stack.ss_size = handlerBytes;
  stack.ss_sp = mmap(nullptr, handlerBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
  at_quick_exit([] {
    const int status = statusAfter(0);
    if (status) leaveAtOnce(status);
  });
}

}  // namespace hone::cuda

// In the place of libc's, for the program's own calls.
extern "C" void _exit(int status) { hone::cuda::leaveAtOnce(hone::cuda::statusAfter(status)); }
extern "C" void _Exit(int status) noexcept { hone::cuda::leaveAtOnce(hone::cuda::statusAfter(status)); }
