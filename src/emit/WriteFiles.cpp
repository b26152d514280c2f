// writeAtomically: every file is first written in full beside its place, so that only renames remain to be
// done, and renames that were done are undone when a later one fails.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

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
  const std::string* expected = nullptr;  // what it must hold until it is replaced; null: anything
  std::string temporary, backup;
  int held = -1;  // the temporary, open and locked: a later run takes away those that nobody holds
  bool existed = false;
  bool special = false;  // a device or pipe: written through, never replaced
  bool renamed = false;
  unsigned long names = 1;  // hard links
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
    if (done < 0) fail(file, "cannot write", errno);
    at += done;
    left -= static_cast<size_t>(done);
  }
}

std::string temporaryPrefix(const fs::path& target) {
  return "." + target.filename().string().substr(0, 200) + ".hone-";
}

std::string templateBeside(const std::string& target, const char* purpose) {
  fs::path path = target;
  return (path.parent_path() / (temporaryPrefix(path) + purpose + "XXXXXX")).string();
}

bool holds(const std::string& path, const std::string& text) {
  std::ifstream in(path, std::ios::binary);
  return in && std::string(std::istreambuf_iterator<char>(in), {}) == text;
}

// Whether the file is edited meanwhile, by its name or, once that is taken, by the old contents' other name.
void checkExpected(const Pending& file) {
  if (!file.expected || holds(file.renamed ? file.backup : file.target, *file.expected)) return;
  throw Error(
      fmt::format("{}: was edited while hone worked on it; nothing was changed, run hone again", file.name),
      2);
}

// Removes what runs that were killed left beside the file: temporaries that no process holds, and second
// names of what the file still is. Old contents that are nowhere else stay.
void removeLeftOvers(const Pending& file) {
  const fs::path target = file.target;
  const std::string prefix = temporaryPrefix(target);
  struct stat mine{};
  const bool isThere = ::stat(file.target.c_str(), &mine) == 0;
  std::error_code error;
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    std::string rest = name.substr(prefix.size());
    const bool isOld = rest.starts_with("old-");
    if (isOld) rest = rest.substr(4);
    const bool isOurs = rest.size() == 6 && std::all_of(rest.begin(), rest.end(),
                                                        [](unsigned char c) { return std::isalnum(c) != 0; });
    struct stat info{};
    if (!isOurs || ::lstat(it->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_uid != ::geteuid())
      continue;
    if (isOld && !(isThere && info.st_ino == mine.st_ino && info.st_dev == mine.st_dev)) continue;
    const int fd = ::open(it->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(it->path().c_str());
    ::close(fd);
  }
}

void prepare(Pending& file) {
  struct stat info{};
  file.existed = ::stat(file.target.c_str(), &info) == 0;
  if (file.existed && S_ISDIR(info.st_mode)) fail(file, "cannot write", EISDIR);
  file.special = file.existed && !S_ISREG(info.st_mode);
  // A rename would get around a file's own protection, and root's rights get around it too.
  if (file.existed && ::access(file.target.c_str(), W_OK) != 0) fail(file, "cannot write", errno);
  if (file.special) return;
  if (file.existed && (info.st_mode & 0222) == 0) fail(file, "it is read-only", EACCES);
  if (file.existed) file.names = info.st_nlink;
  removeLeftOvers(file);

  std::string temporary = templateBeside(file.target, "");
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) fail(file, "cannot write", errno);
  file.temporary = temporary;
  file.held = fd;
  ::flock(fd, LOCK_EX | LOCK_NB);
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
  if (::fchmod(fd, mode) != 0 || ::fsync(fd) != 0) fail(file, "cannot write", errno);
}

// A second name for the old contents, to go back to.
void keepOld(Pending& file) {
  if (!file.existed || file.special) return;
  std::string backup = templateBeside(file.target, "old-");
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
    file.held = fd;
    writeAll(file, fd);
    return;
  }
  checkExpected(file);
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
  if (file.held >= 0) ::close(file.held);
}

}  // namespace

std::vector<std::string> writeAtomically(const std::map<std::string, std::string>& contents,
                                         const std::map<std::string, std::string>& expected) {
  std::vector<Pending> files;
  std::vector<std::string> notes;
  files.reserve(contents.size());
  for (const auto& [name, text] : contents) {
    Pending file;
    file.name = name;
    file.target = followLinks(name);
    file.text = &text;
    if (auto found = expected.find(name); found != expected.end()) file.expected = &found->second;
    files.push_back(std::move(file));
  }
  try {
    for (Pending& file : files) prepare(file);
    // A single rename needs no way back, unless what it replaces has to be looked at again.
    for (Pending& file : files)
      if (files.size() > 1 || file.expected) keepOld(file);
    for (const Pending& file : files) checkExpected(file);
    for (Pending& file : files) replace(file);
    // An editor that had the file open may have written to it between the look and the rename.
    for (const Pending& file : files) checkExpected(file);
  } catch (...) {
    for (Pending& file : files) undo(file);
    throw;
  }
  for (Pending& file : files) {
    if (!file.backup.empty()) ::unlink(file.backup.c_str());
    if (file.held >= 0) ::close(file.held);
    if (file.renamed && file.names > 1)
      notes.push_back(
          fmt::format("{}: had {} names (hard links); the others keep the old text", file.name, file.names));
  }
  return notes;
}

}  // namespace hone::emit
