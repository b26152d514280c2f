#include "CompilerProcess.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ir/Error.h"

// The hone that built the program; `hone build -lnvrtc` defines it.
extern "C" const char hone_executable[] __attribute__((weak));

namespace hone::cuda {

namespace {

// HONE_EXECUTABLE, which `hone run` sets; the one that built the program; the one in PATH.
std::string executable() {
  const char* given = std::getenv("HONE_EXECUTABLE");
  if (given && *given) return given;
  const char* built = hone_executable;
  if (built && access(built, X_OK) == 0) return built;
  return "hone";
}

class Socket {
 public:
  explicit Socket(int given) : fd(given) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { close(fd); }
  const int fd;
};

// False: the other side has ended.
bool sendAll(int fd, const std::vector<uint8_t>& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t put = send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    sent += size_t(put);
  }
  shutdown(fd, SHUT_WR);
  return true;
}

std::vector<uint8_t> receiveAll(int fd) {
  std::vector<uint8_t> bytes;
  size_t size = 0;
  for (;;) {
    bytes.resize(size + 65536);
    const ssize_t got = recv(fd, bytes.data() + size, bytes.size() - size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += size_t(got);
  }
  bytes.resize(size);
  return bytes;
}

// Its standard input and output are `fd`; what goes wrong is said where the program says such.
pid_t start(const std::string& hone, int fd) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fd, 0);
  posix_spawn_file_actions_adddup2(&actions, fd, 1);
  std::string name = hone, command = "nvrtc";
  char* const words[] = {name.data(), command.data(), nullptr};
  pid_t child = 0;
  const int status = posix_spawnp(&child, hone.c_str(), &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status)
    throw Error("NVRTC compiles with hone, and " + hone + " cannot be started (" + std::strerror(status) +
                "); HONE_EXECUTABLE names it");
  return child;
}

}  // namespace

sim::CompileAnswer askHone(const sim::CompileRequest& request) {
  const std::string hone = executable();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(std::string("no socket for hone: ") + std::strerror(errno));
  const Socket ours(ends[0]);
  pid_t child = 0;
  {
    const Socket its(ends[1]);
    child = start(hone, its.fd);
  }
  std::vector<uint8_t> answer;
  if (sendAll(ours.fd, write(request))) answer = receiveAll(ours.fd);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
  if (answer.empty()) throw Error(hone + " ended without an answer to NVRTC");
  return sim::readCompileAnswer(answer);
}

}  // namespace hone::cuda
