#include "worker/ChildProcess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace hone::worker {

ChildProcess::ChildProcess(const std::vector<std::string>& command, bool diesWithUs) {
  std::signal(SIGPIPE, SIG_IGN);
  int toChild[2], fromChild[2], failed[2];
  if (pipe2(toChild, O_CLOEXEC) != 0 || pipe2(fromChild, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid = fork();
  if (pid == 0) {
    if (diesWithUs) prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(toChild[0], 0);
    dup2(fromChild[1], 1);
    std::signal(SIGPIPE, SIG_DFL);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    if (::write(failed[1], &error, sizeof error) < 0) _exit(126);
    _exit(127);
  }
  close(toChild[0]);
  close(fromChild[1]);
  close(failed[1]);
  in = toChild[1];
  out = fromChild[0];
  int error = pid < 0 ? errno : 0;
  const bool couldNot = pid < 0 || ::read(failed[0], &error, sizeof error) > 0;
  close(failed[0]);
  if (!couldNot) return;
  end();
  throw std::runtime_error("'" + command[0] + "' cannot be started: " + std::strerror(error));
}

ChildProcess::~ChildProcess() {
  kill();
  end();
}

bool ChildProcess::write(const std::string& line) {
  std::string all = line + "\n";
  for (size_t at = 0; at < all.size();) {
    const ssize_t written = in < 0 ? -1 : ::write(in, all.data() + at, all.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += static_cast<size_t>(written);
  }
  return true;
}

ChildProcess::Read ChildProcess::read(std::string& line, double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    if (const size_t newline = pending.find('\n'); newline != std::string::npos) {
      line = pending.substr(0, newline);
      pending.erase(0, newline + 1);
      return Read::Line;
    }
    if (out < 0) return Read::Ended;
    int wait = -1;
    if (seconds >= 0) {
      const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (gone >= seconds) return Read::TimedOut;
      wait = static_cast<int>(std::min((seconds - gone) * 1000, 1e6)) + 1;
    }
    pollfd waiting{out, POLLIN, 0};
    const int ready = poll(&waiting, 1, wait);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) continue;
    char buffer[65536];
    const ssize_t got = ::read(out, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Read::Ended;
    pending.append(buffer, static_cast<size_t>(got));
  }
}

bool ChildProcess::endsWithin(double seconds) {
  closeInput();
  const auto begin = std::chrono::steady_clock::now();
  std::string line;
  for (;;) {
    const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const Read how = read(line, seconds - gone > 0 ? seconds - gone : 0);
    if (how != Read::Line) return how == Read::Ended;
  }
}

void ChildProcess::kill() {
  if (pid > 0 && !status) ::kill(pid, SIGKILL);
}

void ChildProcess::lowerPriority() {
  if (pid > 0 && !status) setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 19);
}

void ChildProcess::closeInput() {
  if (in >= 0) close(in);
  in = -1;
}

std::string ChildProcess::end() {
  closeInput();
  if (out >= 0) close(out);
  out = -1;
  if (pid <= 0 || status) return ending;
  int how = 0;
  while (waitpid(pid, &how, 0) < 0 && errno == EINTR) {}
  status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  ending = WIFEXITED(how)
               ? "exit status " + std::to_string(*status)
               : "killed by signal " + std::to_string(WTERMSIG(how)) + " (" + strsignal(WTERMSIG(how)) + ")";
  return ending;
}

}  // namespace hone::worker
