#include "cli/nvcc/RunNvcc.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "ir/Error.h"

namespace hone::cli {

namespace {

constexpr int notFound = 127, notRunnable = 126, signalStatus = 128;
constexpr int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> compiler{0};
std::atomic<int> receivedSignal{0};

void handOn(int signal) {
  receivedSignal = signal;
  if (const pid_t pid = compiler; pid > 0) ::kill(pid, signal);
}

std::vector<char*> argumentsOf(const std::string& nvcc, const std::vector<std::string>& words) {
  std::vector<char*> out{const_cast<char*>(nvcc.c_str())};
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

int keptText() {
  const int file = ::memfd_create("hone-nvcc", MFD_CLOEXEC);
  if (file < 0) throw Error(fmt::format("cannot keep what nvcc prints: {}", std::strerror(errno)));
  return file;
}

std::string textOfFile(int file) {
  std::string out;
  char buffer[65536];
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t count = 0; (count = ::read(file, buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<size_t>(count));
  ::close(file);
  return out;
}

void writeWhole(int to, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(to, text.data() + at, text.size() - at);
    if (done < 0 && errno != EINTR) return;
    at += done > 0 ? static_cast<size_t>(done) : 0;
  }
}

}  // namespace

int becomeNvcc(const std::string& nvcc, const std::vector<std::string>& words) {
  std::fflush(nullptr);
  ::execv(nvcc.c_str(), argumentsOf(nvcc, words).data());
  const int error = errno;
  fmt::print(stderr, "hone nvcc: {}: {}\n", nvcc, std::strerror(error));
  return error == ENOENT ? notFound : notRunnable;
}

NvccRun runNvcc(const std::string& nvcc, const std::vector<std::string>& words, NvccTexts wanted) {
  const std::vector<char*> arguments = argumentsOf(nvcc, words);
  const bool isKept = wanted == NvccTexts::Kept;
  const int texts[] = {isKept ? keptText() : -1, isKept ? keptText() : -1};
  struct sigaction action{}, before[std::size(endings)];
  action.sa_handler = handOn;
  for (size_t i = 0; i < std::size(endings); ++i) ::sigaction(endings[i], &action, &before[i]);
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (pid == 0) {
    for (size_t i = 0; i < std::size(endings); ++i) ::sigaction(endings[i], &before[i], nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (isKept) {
      ::dup2(texts[0], STDOUT_FILENO);
      ::dup2(texts[1], STDERR_FILENO);
    }
    ::execv(nvcc.c_str(), arguments.data());
    ::_exit(errno == ENOENT ? notFound : notRunnable);
  }
  compiler = pid;
  int ended = 0;
  rusage usage{};
  while (::wait4(pid, &ended, 0, &usage) < 0 && errno == EINTR) {}
  compiler = 0;
  for (size_t i = 0; i < std::size(endings); ++i) ::sigaction(endings[i], &before[i], nullptr);
  NvccRun run;
  run.status = WIFSIGNALED(ended) ? signalStatus + WTERMSIG(ended) : WEXITSTATUS(ended);
  run.isStopped = receivedSignal != 0 || (WIFSIGNALED(ended) && WTERMSIG(ended) != SIGSEGV &&
                                          WTERMSIG(ended) != SIGABRT && WTERMSIG(ended) != SIGBUS);
  if (isKept) {
    run.printed = textOfFile(texts[0]);
    run.said = textOfFile(texts[1]);
  }
  for (const timeval& part : {usage.ru_utime, usage.ru_stime})
    run.seconds += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  return run;
}

void show(const NvccRun& run) {
  writeWhole(STDOUT_FILENO, run.printed);
  writeWhole(STDERR_FILENO, run.said);
}

}  // namespace hone::cli
