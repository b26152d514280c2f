// writeAtomically: every file is first written in full beside its place, so that only renames remain to be
// done, and renames that were done are undone when a later one fails.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "emit/Patch.h"
#include "ir/Error.h"

namespace hone::emit {

namespace fs = std::filesystem;

namespace {

// One file on its way to disk; `temporary` and `backup` are empty when there is none.
struct Pending {
  std::string name;    // as the caller knows it
  std::string target;  // links followed
  const std::string* text = nullptr;
  std::string temporary, backup;
  bool existed = false;
  bool special = false;  // a device or pipe: written through, never replaced
  bool renamed = false;
};

[[noreturn]] void fail(const Pending& file, const char* what, int error) {
  throw Error(fmt::format("{}: {}: {}; nothing was changed", file.name, what, std::strerror(error)));
}

// Follows links also where the last one points at nothing yet.
std::string followLinks(const std::string& name) {
  fs::path path = name;
  std::error_code ignored;
  for (int steps = 0; steps < 40 && fs::is_symlink(fs::symlink_status(path, ignored)); ++steps) {
    fs::path next = fs::read_symlink(path, ignored);
    if (ignored) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path.string();
}

void writeAll(const Pending& file, int fd) {
  const char* at = file.text->data();
  size_t left = file.text->size();
  while (left > 0) {
    ssize_t done = ::write(fd, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      int error = errno;
      ::close(fd);
      fail(file, "cannot write", error);
    }
    at += done;
    left -= static_cast<size_t>(done);
  }
}

std::string templateBeside(const std::string& target, const char* purpose) {
  fs::path path = target;
  std::string name = "." + path.filename().string().substr(0, 200) + purpose + "XXXXXX";
  return (path.parent_path() / name).string();
}

void prepare(Pending& file) {
  struct stat info{};
  file.existed = ::stat(file.target.c_str(), &info) == 0;
  if (file.existed && S_ISDIR(info.st_mode)) fail(file, "cannot write", EISDIR);
  file.special = file.existed && !S_ISREG(info.st_mode);
  // A rename would get around a file's own protection.
  if (file.existed && ::access(file.target.c_str(), W_OK) != 0) fail(file, "cannot write", errno);
  if (file.special) return;

  std::string temporary = templateBeside(file.target, ".hone-");
  int fd = ::mkstemp(temporary.data());
  if (fd < 0) fail(file, "cannot write", errno);
  file.temporary = temporary;
  writeAll(file, fd);
  mode_t mode = 0;
  if (file.existed) {
    mode = info.st_mode & 07777;
    // Owner first, since changing it clears set-id bits; only root may give files away, and that is no reason
    // to stop.
    [[maybe_unused]] int unowned = ::fchown(fd, info.st_uid, info.st_gid);
  } else {
    mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  if (::fchmod(fd, mode) != 0 || ::fsync(fd) != 0) {
    int error = errno;
    ::close(fd);
    fail(file, "cannot write", error);
  }
  if (::close(fd) != 0) fail(file, "cannot write", errno);
}

// A second name for the old contents, to go back to.
void keepOld(Pending& file) {
  if (!file.existed || file.special) return;
  std::string backup = templateBeside(file.target, ".hone-old-");
  int fd = ::mkstemp(backup.data());
  if (fd < 0) fail(file, "cannot write", errno);
  ::close(fd);
  file.backup = backup;
  ::unlink(backup.c_str());
  if (::link(file.target.c_str(), backup.c_str()) == 0) return;
  std::error_code error;
  fs::copy_file(file.target, backup, fs::copy_options::overwrite_existing, error);  // no hard links here
  if (error) fail(file, "cannot keep the old contents", error.value());
}

void replace(Pending& file) {
  if (file.special) {
    int fd = ::open(file.target.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0) fail(file, "cannot write", errno);
    writeAll(file, fd);
    ::close(fd);
    return;
  }
  if (::rename(file.temporary.c_str(), file.target.c_str()) != 0) fail(file, "cannot write", errno);
  file.temporary.clear();
  file.renamed = true;
}

void undo(Pending& file) {
  if (!file.temporary.empty()) ::unlink(file.temporary.c_str());
  if (file.renamed && file.existed && ::rename(file.backup.c_str(), file.target.c_str()) == 0)
    file.backup.clear();
  if (file.renamed && !file.existed) ::unlink(file.target.c_str());
  if (!file.backup.empty()) ::unlink(file.backup.c_str());
}

}  // namespace

void writeAtomically(const std::map<std::string, std::string>& contents) {
  std::vector<Pending> files;
  files.reserve(contents.size());
  for (const auto& [name, text] : contents) {
    Pending file;
    file.name = name;
    file.target = followLinks(name);
    file.text = &text;
    files.push_back(std::move(file));
  }
  try {
    for (Pending& file : files) prepare(file);
    // A single rename needs no way back.
    if (files.size() > 1)
      for (Pending& file : files) keepOld(file);
    for (Pending& file : files) replace(file);
  } catch (...) {
    for (Pending& file : files) undo(file);
    throw;
  }
  for (Pending& file : files)
    if (!file.backup.empty()) ::unlink(file.backup.c_str());
}

}  // namespace hone::emit
