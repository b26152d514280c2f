#include "cli/programs/ChildPool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "ir/Error.h"

namespace hone::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  size_t item = 0;
  pid_t pid = -1;
  int pipe = -1;
  Clock::time_point began, deadline;
  double seconds = 0, processorSeconds = 0;
  int texts[2] = {-1, -1};  // what it prints; -1: not kept
  std::string output;
  bool isLate = false;
};

// In the child: works, sends the result and ends without running anyone's destructors.
[[noreturn]] void work(int out, const int (&texts)[2], size_t item,
                       const std::function<std::string(size_t)>& job) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDIN_FILENO);
  ::dup2(texts[0] < 0 ? null : texts[0], STDOUT_FILENO);
  ::dup2(texts[1] < 0 ? null : texts[1], STDERR_FILENO);
  int status = 0;
  try {
    std::string text = job(item);
    std::fflush(nullptr);
    for (size_t at = 0; at < text.size();) {
      ssize_t done = ::write(out, text.data() + at, text.size() - at);
      if (done < 0 && errno != EINTR) ::_exit(99);
      at += done > 0 ? static_cast<size_t>(done) : 0;
    }
  } catch (...) {
    status = 98;
  }
  ::close(out);
  ::_exit(status);
}

void endAfter(double processorSeconds) {
  if (processorSeconds <= 0) return;
  const auto whole = static_cast<rlim_t>(std::ceil(processorSeconds));
  const rlimit limit{whole, whole + 1};
  ::setrlimit(RLIMIT_CPU, &limit);
}

Child start(size_t item, const std::function<std::string(size_t)>& job, const ChildPool& pool,
            double seconds) {
  const bool keepsTexts = pool.keepsTexts;
  Child child;
  for (int& text : child.texts) {
    if (!keepsTexts) continue;
    text = ::memfd_create("hone", MFD_CLOEXEC);
    if (text < 0) throw Error(fmt::format("cannot keep what a process prints: {}", std::strerror(errno)));
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  pid_t pid = ::fork();
  if (pid < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (pid == 0) {
    ::close(ends[0]);
    endAfter(pool.processorSeconds);
    work(ends[1], child.texts, item, job);
  }
  ::close(ends[1]);
  child.item = item;
  child.seconds = seconds;
  child.processorSeconds = pool.processorSeconds;
  child.pid = pid;
  child.pipe = ends[0];
  child.began = Clock::now();
  child.deadline = child.began + std::chrono::milliseconds(static_cast<long>(seconds * 1000));
  return child;
}

// True when the child has closed its end.
bool readSome(Child& child) {
  char buffer[65536];
  ssize_t count = ::read(child.pipe, buffer, sizeof buffer);
  if (count > 0) child.output.append(buffer, static_cast<size_t>(count));
  return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

// All that was written to a file in memory.
std::string takeText(int& file) {
  std::string out;
  if (file < 0) return out;
  char buffer[65536];
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t count = 0; (count = ::read(file, buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<size_t>(count));
  ::close(file);
  file = -1;
  return out;
}

ChildResult finish(Child& child) {
  ::close(child.pipe);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {}
  ChildResult result;
  const bool hasSpentAll = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  result.isLate = child.isLate || hasSpentAll;
  if (child.isLate)
    result.problem = fmt::format("took longer than {:.3g} s", child.seconds);
  else if (hasSpentAll)
    result.problem = fmt::format("took all of its {:.3g} s of processors", child.processorSeconds);
  else if (WIFSIGNALED(status))
    result.problem = fmt::format("crashed (signal {}, {})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0)
    result.problem = fmt::format("failed (exit status {})", WEXITSTATUS(status));
  else
    result.output = std::move(child.output);
  result.tookSeconds = std::chrono::duration<double>(Clock::now() - child.began).count();
  result.printed = takeText(child.texts[0]);
  result.said = takeText(child.texts[1]);
  return result;
}

}  // namespace

void ChildPool::run(size_t count, const std::function<std::string(size_t)>& job,
                    const std::function<void(size_t, ChildResult)>& done) const {
  std::vector<Child> running;
  size_t next = 0;
  const Clock::time_point begin = Clock::now();
  const auto secondsLeft = [&] {
    return secondsInAll - std::chrono::duration<double>(Clock::now() - begin).count();
  };
  while (next < count || !running.empty()) {
    while (next < count && running.size() < std::max(1u, jobs)) {
      const double own = secondsOf ? secondsOf(next) : seconds;
      if (secondsInAll > 0 && secondsLeft() <= 0) {
        ChildResult none;
        none.problem = "there was no time left for it";
        none.isStarted = false;
        done(next++, std::move(none));
        continue;
      }
      running.push_back(start(next, job, *this, secondsInAll > 0 ? std::min(own, secondsLeft()) : own));
      ++next;
    }
    if (running.empty()) continue;
    std::vector<pollfd> wait;
    Clock::time_point nearest = Clock::time_point::max();
    for (const Child& child : running) {
      wait.push_back({child.pipe, POLLIN, 0});
      if (!child.isLate) nearest = std::min(nearest, child.deadline);
    }
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(nearest - Clock::now()).count();
    ::poll(wait.data(), wait.size(), static_cast<int>(std::clamp<long>(left + 1, 0, 1000)));
    Clock::time_point now = Clock::now();
    for (size_t i = running.size(); i-- > 0;) {
      Child& child = running[i];
      bool ended = (wait[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && readSome(child);
      if (!ended && !child.isLate && now >= child.deadline) {
        child.isLate = true;
        ::kill(child.pid, SIGKILL);
      }
      if (!ended) continue;
      ChildResult result = finish(child);
      size_t item = child.item;
      running.erase(running.begin() + static_cast<long>(i));
      done(item, std::move(result));
    }
  }
}

}  // namespace hone::cli
