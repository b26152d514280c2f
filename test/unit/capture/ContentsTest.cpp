#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "capture/CaptureFile.h"

namespace hone::capture {
namespace {

RecordedLaunch launchOn(std::vector<RecordedPointer> pointers, const std::string& kernel = "k") {
  RecordedLaunch launch;
  launch.kernel = kernel;
  launch.bytes.resize(pointers.size() * 8);
  for (uint32_t i = 0; i < pointers.size(); ++i) launch.parameters.emplace_back(8 * i, 8);
  launch.pointers = std::move(pointers);
  return launch;
}

uint64_t bytesOf(const std::vector<ContentsPiece>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), uint64_t{0},
                         [](uint64_t sum, const ContentsPiece& piece) { return sum + piece.bytes; });
}

TEST(ChooseContents, NothingUnlessItIsAllowed) {
  ContentsChooser chooser;
  EXPECT_TRUE(chooser.choose(launchOn({{0, 4096, 100, 0}})).empty());
}

TEST(ChooseContents, ShortArraysAreWholeAndComeFirst) {
  ContentsChooser chooser;
  chooser.allow(1 << 20);
  const auto pieces = chooser.choose(launchOn({{0, 1 << 30, 50'000'000, 0}, {8, 4096, 1000, 0}}));
  ASSERT_EQ(pieces.size(), 17u);
  EXPECT_EQ(pieces[0].allocation, 4096u);
  EXPECT_EQ(pieces[0].bytes, 1000u);
  // Of the long one the begin, then pieces up to its end.
  EXPECT_EQ(pieces[1].from, 0u);
  EXPECT_EQ(pieces[1].bytes, (1u << 20) / 16 / 2);
  for (size_t i = 2; i < pieces.size(); ++i)
    EXPECT_GE(pieces[i].from, pieces[i - 1].from + pieces[i - 1].bytes);
  EXPECT_EQ(pieces.back().from + pieces.back().bytes, 50'000'000u);
  EXPECT_LE(bytesOf(pieces), (1u << 20) / 16 + 1000);
}

TEST(ChooseContents, PartsOfOneAllocationAreArrays) {
  ContentsChooser chooser;
  chooser.allow(1 << 20);
  const auto pieces =
      chooser.choose(launchOn({{0, 4096, 3000, 1000}, {8, 4096, 3000, 0}, {16, 4096, 3000, 1000}}));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].from, 0u);
  EXPECT_EQ(pieces[0].bytes, 1000u);
  EXPECT_EQ(pieces[1].from, 1000u);
  EXPECT_EQ(pieces[1].bytes, 2000u);
}

TEST(ChooseContents, OnceForAShapeAndWithinTheLimit) {
  ContentsChooser chooser;
  chooser.allow(1 << 20);
  EXPECT_FALSE(chooser.choose(launchOn({{0, 4096, 60'000, 0}})).empty());
  EXPECT_TRUE(chooser.choose(launchOn({{0, 8192, 60'000, 0}})).empty());
  uint64_t all = 60'000;
  for (int i = 0; i < 500; ++i)
    all += bytesOf(chooser.choose(launchOn({{0, 4096, 60'000, 0}}, "k" + std::to_string(i))));
  EXPECT_LE(all, 1u << 20);
  EXPECT_TRUE(chooser.hasLeftOut());
}

struct Recorded {
  std::string path =
      (std::filesystem::temp_directory_path() / ("hone-contents-" + std::to_string(getpid()))).string();
  Recorded() {
    std::filesystem::remove(path);
    setenv("HONE_CAPTURE_DATA", "16000000", 1);
    Recorder recorder;
    recorder.open(path, "a test");
    const RecordedLaunch launch = launchOn({{0, 4096, 600'000, 0}, {8, 1 << 20, 5000, 0}});
    const uint32_t number = recorder.add(launch);
    std::vector<uint8_t> data(600'000);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 7);
    for (const ContentsPiece& piece : recorder.contentsOf(launch, number))
      recorder.addContents(number, piece,
                           piece.bytes == 5000 ? std::vector<uint8_t>(5000).data() : data.data());
    unsetenv("HONE_CAPTURE_DATA");
  }
  ~Recorded() { std::filesystem::remove(path); }
};

TEST(CaptureFile, ContentsComeBack) {
  Recorded recorded;
  const CaptureFile read = readCapture(recorded.path);
  EXPECT_TRUE(read.notes.empty());
  ASSERT_EQ(read.launches.size(), 1u);
  const auto& pieces = read.launches[0].contents;
  ASSERT_EQ(pieces.size(), 4u);  // lines are short
  EXPECT_EQ(pieces[0]->bytes, std::vector<uint8_t>(5000));
  EXPECT_EQ(pieces[3]->from + pieces[3]->bytes.size(), 600'000u);
  EXPECT_EQ(pieces[3]->bytes.back(), static_cast<uint8_t>(599'999 * 7));
  // An array of one byte over and over takes little room.
  std::ifstream in(recorded.path);
  for (std::string line; std::getline(in, line);)
    if (line.find("\"allocation\":1048576,\"from\"") != std::string::npos) EXPECT_LT(line.size(), 150u);
}

TEST(CaptureFile, ContentsOfALaunchLikeItServe) {
  Recorded recorded;
  CaptureFile read = readCapture(recorded.path);
  CapturedLaunch other = read.launches[0];
  other.contents.clear();
  for (RecordedPointer& p : other.pointers) p.allocation += 1 << 16;
  EXPECT_EQ(read.withContents(other), &read.launches[0]);
  other.grid[0] = 2;
  EXPECT_EQ(read.withContents(other), nullptr);
}

TEST(CaptureFile, DamagedContentsAreLeftOut) {
  Recorded recorded;
  std::ifstream in(recorded.path);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()), line;
  std::ofstream(recorded.path) << text.substr(0, text.size() - 100'000);
  const CaptureFile cut = readCapture(recorded.path);
  EXPECT_EQ(cut.launches.at(0).contents.size(), 3u);
  EXPECT_EQ(cut.notes.at(0).substr(0, 17), "1 line is damaged");
  const std::string process =
      text.substr(text.find("\"process\":"), text.find(",\"by\"") - text.find("\"process\":"));
  std::ofstream more(recorded.path);
  more << text;
  for (const char* bad :
       {R"("of":4,"bytes":"0011")", R"("of":99999999999,"bytes":"00")", R"("of":1,"bytes":"x0")"})
    more << "{" << process << R"(,"contents":0,"allocation":1,"from":0,)" << bad << "}\n";
  more.close();
  EXPECT_EQ(readCapture(recorded.path).notes.at(0).substr(0, 21), "3 lines are damaged a");
}

// Other tools write JSON with blanks and keys in another order.
TEST(CaptureFile, LinesThatOtherToolsWrote) {
  Recorded recorded;
  std::ifstream in(recorded.path);
  std::string text;
  for (std::string line; std::getline(in, line);)
    text += nlohmann::json::parse(line).dump(-1, ' ').insert(1, " ") + " \n";
  std::ofstream(recorded.path) << text;
  const CaptureFile read = readCapture(recorded.path);
  EXPECT_TRUE(read.notes.empty());
  ASSERT_EQ(read.launches.size(), 1u);
  EXPECT_EQ(read.launches[0].contents.size(), 4u);
}

}  // namespace
}  // namespace hone::capture
