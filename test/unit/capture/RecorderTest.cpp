#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "capture/CaptureFile.h"
#include "ir/Error.h"

namespace hone::capture {
namespace {

struct TemporaryFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("hone-capture-" + std::to_string(getpid()))).string();
  TemporaryFile() { std::filesystem::remove(path); }
  ~TemporaryFile() { std::filesystem::remove(path); }
};

RecordedLaunch launchWith(uint64_t pointer, uint32_t number, uint64_t bytes = 4000) {
  RecordedLaunch launch;
  launch.kernel = "_Z3addPfi";
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  launch.parameters = {{0, 8}, {8, 4}};
  launch.bytes.resize(12);
  std::memcpy(launch.bytes.data(), &pointer, 8);
  std::memcpy(launch.bytes.data() + 8, &number, 4);
  launch.pointers = {{0, pointer, bytes, 0, false, false}};
  return launch;
}

TEST(Recorder, LaunchesThatDifferInAddressesAloneAreOne) {
  TemporaryFile file;
  Recorder recorder;
  ASSERT_TRUE(recorder.open(file.path, "a test", "none"));
  const uint32_t first = recorder.add(launchWith(0x1000, 7));
  EXPECT_EQ(recorder.add(launchWith(0x9000, 7)), first);
  const uint32_t longer = recorder.add(launchWith(0x1000, 7, 8000));
  EXPECT_NE(longer, first);
  EXPECT_NE(recorder.add(launchWith(0x1000, 8)), first);
  recorder.addTime(first, 2.5);
  recorder.close();
  const CaptureFile read = readCapture(file.path);
  ASSERT_EQ(read.launches.size(), 3u);
  EXPECT_EQ(read.launches[0].launches, 2u);
  EXPECT_DOUBLE_EQ(read.launches[0].microseconds, 2.5);
  EXPECT_EQ(read.launches[1].pointers[0].bytes, 8000u);
  EXPECT_EQ(read.of("_Z3addPfi").front(), &read.launches[0]);
  EXPECT_DOUBLE_EQ(read.share("_Z3addPfi"), 1);
  EXPECT_TRUE(read.notes.empty());
}

// A recorder that knows a launch again tells no more than that it was, and its time.
TEST(Recorder, CountsAreThereForAProgramThatIsKilled) {
  TemporaryFile file;
  Recorder recorder;
  ASSERT_TRUE(recorder.open(file.path, "a test"));
  const uint32_t number = recorder.add(launchWith(0x1000, 7));
  for (int i = 0; i < 9; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    recorder.addTime(number, 2.5, 1);
  }
  const CaptureFile read = readCapture(file.path);
  ASSERT_EQ(read.launches.size(), 1u);
  EXPECT_GE(read.launches[0].launches, 5u);
  EXPECT_GE(read.launches[0].microseconds, 10);
  EXPECT_FALSE(read.notes.empty());
}

TEST(Recorder, SomeOfVeryManyStandForTheOthers) {
  TemporaryFile file;
  Recorder recorder;
  ASSERT_TRUE(recorder.open(file.path, "a test"));
  constexpr uint32_t count = 20'000;
  for (uint32_t i = 0; i < count; ++i) recorder.add(launchWith(0x1000, i));
  recorder.close();
  const CaptureFile read = readCapture(file.path);
  EXPECT_GT(read.launches.size(), 500u);
  EXPECT_LT(read.launches.size(), 2000u);
  uint64_t all = 0;
  for (const CapturedLaunch& launch : read.launches) all += launch.launches;
  EXPECT_EQ(all, count);
  // The last ones are among them.
  uint32_t last = 0;
  std::memcpy(&last, read.launches.back().bytes.data() + 8, 4);
  EXPECT_GT(last, count - 200);
}

TEST(Recorder, ContentsOfVariablesAreKeptOnce) {
  TemporaryFile file;
  Recorder recorder;
  ASSERT_TRUE(recorder.open(file.path, "a test"));
  const uint8_t data[4] = {1, 2, 3, 4};
  for (int i = 0; i < 5; ++i) recorder.setVariable("weights", 0, data, sizeof data);
  recorder.close();
  const CaptureFile read = readCapture(file.path);
  ASSERT_EQ(read.variables.size(), 1u);
  EXPECT_EQ(read.variables[0].bytes, std::vector<uint8_t>({1, 2, 3, 4}));
}

TEST(CaptureFile, DamagedLinesAreLeftOutAndSaid) {
  TemporaryFile file;
  {
    Recorder recorder;
    ASSERT_TRUE(recorder.open(file.path, "a test"));
    recorder.add(launchWith(0x1000, 1));
  }
  {
    std::ofstream more(file.path, std::ios::app);
    more
        << R"({"process":1,"launch":9,"kernel":"k","grid":[0,1,1],"block":[1,1,1],"bytes":"","parameters":[],"pointers":[]})"
        << "\n"
        << R"({"process":1,"launch":9,"kernel":"k","grid":[1,1,1],"block":[1,1,1],"bytes":"00","parameters":[[0,8]],"pointers":[]})"
        << "\n"
        << R"({"process":1,"launch":9,"kernel":"k","grid":[1,1,1],"block":[1,1,1],"bytes":"0000000000000000","parameters":[[0,8]],"pointers":[{"at":0,"allocation":4096,"bytes":8,"offset":0},{"at":0,"allocation":8192,"bytes":8,"offset":0}]})"
        << "\n"
        << R"({"process":1,"launch":9,"kernel":"k","grid":[4294967297,1,1],"block":[1,1,1],"bytes":"","parameters":[],"pointers":[]})"
        << "\n"
        << R"({"process":)" << getpid() << R"(,"counts":[[0,-5,0,1.5]]})"
        << "\n"
        << "{\"process\":1,\"counts\":[[0,\"x\"]]}\n{\"pro";
  }
  const CaptureFile read = readCapture(file.path);
  EXPECT_EQ(read.launches.size(), 1u);
  ASSERT_FALSE(read.notes.empty());
  EXPECT_EQ(read.notes[0].substr(0, 20), "6 lines are damaged ");
}

TEST(CaptureFile, SomethingElseIsRefused) {
  TemporaryFile file;
  std::ofstream(file.path) << "int main() {}\n";
  EXPECT_THROW(readCapture(file.path), Error);
  std::ofstream(file.path) << "{\"hone_capture\":2}\n";
  EXPECT_THROW(readCapture(file.path), Error);
  EXPECT_THROW(readCapture(file.path + ".missing"), Error);
}

}  // namespace
}  // namespace hone::capture
