// Runs nvcc: in place of this process, or as a child whose words can still be withheld.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

// This process becomes nvcc. Returns only where that fails, with the status that a shell gives then, and says
// so.
int becomeNvcc(const std::string& nvcc, const std::vector<std::string>& words);

struct NvccRun {
  int status = 0;             // 128 + n: ended by signal n
  bool isStopped = false;     // the user or the system ended it, not nvcc itself
  std::string printed, said;  // to stdout and stderr
  double seconds = 0;         // of processors, with all that it ran
};

enum class NvccTexts { Kept, Shown };

// Waits for nvcc; what it prints is kept, or goes where it would go. Signals that end this process end it
// too.
NvccRun runNvcc(const std::string& nvcc, const std::vector<std::string>& words, NvccTexts texts);

// Writes what was kept to stdout and stderr.
void show(const NvccRun& run);

}  // namespace hone::cli
