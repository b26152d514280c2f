#include "device/NpyFile.h"

#include "Source.h"
#include "ir/Error.h"

namespace hone::device {

namespace {

std::string messageOf(const std::string& file) {
  try {
    readArray(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was wrong";
}

// As NumPy writes it, with a header of our choice.
std::string npy(const std::string& header, const std::string& data) {
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}

}  // namespace

TEST(NpyFile, roundTrip) {
  Folder folder;
  for (const char* type : {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"}) {
    NpyArray array{type, {2, 3}, {}};
    for (unsigned i = 0; i < 6 * npyElementBytes(type); ++i)
      array.bytes.push_back(static_cast<uint8_t>(i * 7));
    writeArray(folder.of("a.npy"), array);
    NpyArray read = readArray(folder.of("a.npy"));
    EXPECT_EQ(read.type, type);
    EXPECT_EQ(read.shape, array.shape);
    EXPECT_EQ(read.bytes, array.bytes);
  }
  NpyArray raw{"", {5}, {1, 2, 3, 4, 5}};
  writeArray(folder.of("a.bin"), raw);
  EXPECT_EQ(readArray(folder.of("a.bin")).bytes, raw.bytes);
}

TEST(NpyFile, theHeaderIsNumPys) {
  Folder folder;
  writeArray(folder.of("a.npy"), {"f4", {3}, std::vector<uint8_t>(12)});
  std::ifstream in(folder.of("a.npy"), std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_EQ((text.size() - 12) % 64, 0u);
  EXPECT_EQ(text.substr(10, 57), "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
}

TEST(NpyFile, readsWhatOthersWrite) {
  Folder folder;
  std::string file =
      folder.write("a.npy", npy("{\"descr\": '<i2', 'fortran_order': False, 'shape': (), }\n", "ab"));
  EXPECT_EQ(messageOf(file), file + ": the header of this .npy file has no 'descr'");
  file = folder.write("b.npy", npy("{'descr': '<i2', 'fortran_order': False, 'shape': (), }\n", "ab"));
  EXPECT_EQ(readArray(file).elements(), 1u);
}

TEST(NpyFile, shapesThatWrapAreRefused) {
  Folder folder;
  for (const char* shape :
       {"(4294967296, 4294967296)", "(9223372036854775808, 2)", "(4611686018427387904,)"}) {
    const std::string file = folder.write(
        "a.npy",
        npy(std::string("{'descr': '<f4', 'fortran_order': False, 'shape': ") + shape + ", }\n", ""));
    EXPECT_EQ(messageOf(file),
              file + ": the shape in the header of this .npy file is larger than any memory");
  }
}

TEST(NpyFile, saysWhatIsWrong) {
  Folder folder;
  std::string file = folder.write("a.npy", "no array");
  EXPECT_EQ(messageOf(file), file + ": is not a .npy file");
  folder.write("a.npy", npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", "abcd"));
  EXPECT_EQ(messageOf(file), file + ": holds big-endian numbers; convert it with .astype('<f4') or the like");
  folder.write("a.npy", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n", "abcdefgh"));
  EXPECT_EQ(messageOf(file),
            file + ": holds elements of type '<c8'; f2, f4, f8, i1 to i8 and u1 to u8 are read");
  folder.write("a.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }\n", "abcd"));
  EXPECT_EQ(messageOf(file), file + ": is in Fortran order; save it with numpy.ascontiguousarray");
  folder.write("a.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", "abcd"));
  EXPECT_EQ(messageOf(file), file + ": has 4 bytes of data and its shape asks for 8");
  EXPECT_EQ(messageOf(folder.of("missing.npy")),
            folder.of("missing.npy") + ": cannot be read: No such file or directory");
}

}  // namespace hone::device
