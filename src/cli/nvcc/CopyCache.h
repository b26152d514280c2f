// Rewritten copies of sources, kept between builds: found by what they were made from, whole or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::cli {

// What hone made of a source.
struct SourceCopy {
  struct File {
    std::string
        place;  // below the folder of the copy: the source's base name, or of a header the path from it
    std::string user;  // the file that it stands for, as compilers name it
    std::string text;
  };
  std::vector<File> files;           // the source first; none: nothing was rewritten
  std::string news;                  // one line for the log
  std::string details;               // lines for those who look: what was left alone, and why
  std::optional<double> cutShortAt;  // more time might have found more: the seconds given; 0: by nvcc's time
};

// What a copy was made from besides the source and the command line.
struct CopyInputs {
  std::map<std::string, std::string> files;  // path to hash of the contents
  std::vector<std::string> absent;           // files that would have been read, had they been there

  // Whether all is as it was.
  bool areUnchanged() const;
};

// A copy in the cache.
struct KeptCopy {
  std::string folder;
  std::string path;                          // of the source's copy; empty: nothing was rewritten
  std::map<std::string, std::string> names;  // of its files, to the user's
  std::string news, details;                 // as in SourceCopy
  std::optional<double> cutShortAt;          // the same
  std::string bad;                           // why it is not to be used; empty: it is
};

class CopyCache {
 public:
  // In HONE_CACHE, XDG_CACHE_HOME/hone or ~/.cache/hone. Throws hone::Error where it cannot be used.
  CopyCache();

  const std::string& place() const { return folder; }

  // `request`: hash of what is known before the source is read.
  std::optional<KeptCopy> find(const std::string& request) const;
  // Throws hone::Error where nothing can be kept.
  void checkWritable() const;
  // The same; what is in the cache stays whole.
  KeptCopy keep(const std::string& request, const CopyInputs& inputs, const SourceCopy& made) const;
  // The copy is not tried again.
  static void reject(const KeptCopy& copy, const std::string& why);
  // Whether its files are as they were written.
  static bool isWhole(const KeptCopy& copy);

 private:
  std::string listOf(const std::string& request) const;
  void prune(const std::string& exceptFolder) const;

  std::string folder;
};

}  // namespace hone::cli
