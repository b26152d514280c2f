// Where the things lie that a parse needs: Clang's resources, hone's headers, the CUDA toolkit, the cache.
#pragma once

#include <optional>
#include <string>

namespace hone::frontend {

/// Clang's resource directory: HONE_RESOURCE_DIR, else what the build found.
std::string resourceDirectory();

/// The folder with hone_cuda.h: HONE_INCLUDE_DIR, else beside the installed program, else the source tree.
std::string honeIncludeDirectory();

/// What is wrong with this installation of hone, in one line; empty when both folders above are there.
std::string checkInstallation();

struct CudaToolkit {
  std::string root;
  int version = 0;  ///< CUDA_VERSION, such as 13000
};

/// The toolkit at `preferred` or, when that is empty, at CUDA_PATH, CUDA_HOME or /usr/local/cuda.
std::optional<CudaToolkit> findCudaToolkit(const std::string& preferred);

/// True when `directory` is the include folder of a CUDA toolkit.
bool isCudaIncludeDirectory(const std::string& directory);

/// The folder if it is the user's own and nobody else can write to it or be let in; made where it is not
/// there, empty where it is not so. What is executed or read ahead may lie in such a folder alone.
std::string privateFolder(const std::string& folder);

/// $XDG_CACHE_HOME/hone or ~/.cache/hone as a private folder; empty when there is no home or it is not
/// private.
std::string cacheDirectory();

}  // namespace hone::frontend
