// The kernels of one source file as byte code, as a program built for the embedded device carries them.
#pragma once

#include "sim/bytecode/Program.h"

namespace hone::sim {

struct BundledKernel {
  std::string linkageName;  // in object files
  std::string name;         // as the user writes it, template arguments included
  std::string reason;       // why it cannot run; then there is no program
  std::string file;         // and line of the reason
  uint32_t line = 0;
  std::vector<uint8_t> program;  // as write(Program) makes it
};

// How the kernels of a file are imported once more, when it is linked with others.
struct LinkedSource {
  std::string id;  // of this compilation; empty: the file is not to be linked, its kernels are here
  std::string directory;
  std::vector<std::string> flags;
  struct File {
    std::string path, hash;  // of the contents
  };
  std::vector<File> files;  // that were read
};

struct Bundle {
  std::string source;                     // the file it was made from
  std::vector<BundledKernel> kernels;     // of a file that is to be linked: none, see linked bundles
  std::vector<std::string> sharedByName;  // variables that are the same in all files, names in object files
  LinkedSource link;
};

std::vector<uint8_t> writeBundle(const Bundle& bundle);
// `data` begins with a bundle, which says itself how long it is. Throws hone::Error when it does not.
Bundle readBundle(const uint8_t* data);
// All bundles in the bytes of an object file or an archive, in their order.
std::vector<Bundle> findBundles(const std::vector<uint8_t>& bytes);

// What linking the files of a program gives: their bundles with kernels, each with the id of its file.
std::vector<uint8_t> writeLinkedBundles(const std::vector<Bundle>& bundles);
std::vector<Bundle> readLinkedBundles(const uint8_t* data);
std::vector<Bundle> findLinkedBundles(const std::vector<uint8_t>& bytes);

}  // namespace hone::sim
