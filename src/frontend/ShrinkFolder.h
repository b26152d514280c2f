/// The size of cache folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace hone::frontend {

/// Removes files and folders right below `folder`, those that were not used for longest first, until what is
/// left takes no more than `limit` bytes. Only what `counts` says true of is counted and removed. Returns
/// what is gone.
std::vector<std::filesystem::path> shrinkFolder(
    const std::filesystem::path& folder, std::uintmax_t limit,
    const std::function<bool(const std::filesystem::path&)>& counts);

/// The most that what is made for builds may take: HONE_CACHE_SIZE (`200M`), else 1 GiB.
std::uintmax_t givenCacheSize();

}  // namespace hone::frontend
