#include "emit/Patch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "ir/Error.h"

namespace fs = std::filesystem;
using hone::emit::Edit;
using hone::emit::PatchSet;
using hone::emit::unifiedDiff;
using hone::emit::writeAtomically;

namespace {

std::string readAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class WriteFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    dir = fs::temp_directory_path() / ("hone-write-" + std::to_string(::getpid()));
    fs::create_directories(dir);
  }
  void TearDown() override { fs::remove_all(dir); }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(dir / name, std::ios::binary) << text;
    return dir / name;
  }
  size_t entries() const { return static_cast<size_t>(std::distance(fs::directory_iterator(dir), {})); }
  fs::path dir;
};

// Applies a unified diff as `patch` does, checking every context and removed line.
std::string applyDiff(const std::string& before, const std::string& diff) {
  auto split = [](const std::string& text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      lines.push_back(text.substr(at, end - at));
      at = end;
    }
    return lines;
  };
  auto old = split(before), lines = split(diff);
  std::string out;
  size_t at = 0;
  for (size_t i = 2; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (line.starts_with("@@ -")) {
      size_t first = std::stoul(line.substr(4));
      bool none = line.substr(4).starts_with(std::to_string(first) + ",0");
      size_t begin = none ? first : first - 1;
      while (at < begin) out += old.at(at++);
      continue;
    }
    std::string text = line.substr(1);
    if (i + 1 < lines.size() && lines[i + 1].starts_with("\\")) {
      text.pop_back();
      lines.erase(lines.begin() + static_cast<long>(i) + 1);
    }
    if (line[0] != '+') EXPECT_EQ(old.at(at++), text);
    if (line[0] != '-') out += text;
  }
  while (at < old.size()) out += old[at++];
  return out;
}

TEST(PatchSet, ReplacesAndInsertsInOrder) {
  PatchSet patch;
  EXPECT_TRUE(patch.empty());
  EXPECT_TRUE(patch.add({"f", 4, 7, "TWO"}));
  EXPECT_TRUE(patch.add({"f", 0, 3, "1"}));
  EXPECT_TRUE(patch.add({"f", 7, 7, "+a"}));
  EXPECT_TRUE(patch.add({"f", 7, 7, "+b"}));
  EXPECT_EQ(patch.apply("f", "one two three"), "1 TWO+a+b three");
  EXPECT_EQ(patch.apply("g", "one"), "one");
  EXPECT_EQ(patch.files(), std::vector<std::string>{"f"});
}

TEST(PatchSet, TakesAnIdenticalEditOnceAndRefusesOverlap) {
  PatchSet patch;
  EXPECT_TRUE(patch.add({"f", 2, 6, "x"}));
  EXPECT_TRUE(patch.add({"f", 2, 6, "x"}));
  EXPECT_FALSE(patch.add({"f", 2, 6, "y"}));
  EXPECT_FALSE(patch.add({"f", 4, 4, "y"}));
  EXPECT_FALSE(patch.add({"f", 0, 3, "y"}));
  EXPECT_TRUE(patch.add({"f", 0, 2, "y"}));
  EXPECT_TRUE(patch.add({"g", 2, 6, "y"}));
  EXPECT_EQ(patch.apply("f", "ABcdefGH"), "yxGH");
}

TEST(PatchSet, KeepsCarriageReturnsOutsideTheEdit) {
  PatchSet patch;
  patch.add({"f", 3, 5, "{\r\n}"});
  EXPECT_EQ(patch.apply("f", "a\r\n{}\r\nb\r\n"), "a\r\n{\r\n}\r\nb\r\n");
}

TEST(UnifiedDiff, PrintsHunksAsDiffDoes) {
  EXPECT_EQ(unifiedDiff("k.cu", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a/k.cu\n+++ b/k.cu\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unifiedDiff("/t/k.cu", "a\n", "a\nb\n"), "--- /t/k.cu\n+++ /t/k.cu\n@@ -1 +1,2 @@\n a\n+b\n");
  EXPECT_EQ(unifiedDiff("k", "", "a\n"), "--- a/k\n+++ b/k\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unifiedDiff("k", "a\n", ""), "--- a/k\n+++ b/k\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(unifiedDiff("k", "same\n", "same\n"), "");
}

TEST(UnifiedDiff, SaysWhereTheLastNewlineIsMissing) {
  EXPECT_EQ(unifiedDiff("k", "a\nb", "a\nc"),
            "--- a/k\n+++ b/k\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at "
            "end of file\n");
  EXPECT_EQ(unifiedDiff("k", "a\nb", "a\nb\n"),
            "--- a/k\n+++ b/k\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

TEST(UnifiedDiff, KeepsCarriageReturns) {
  EXPECT_EQ(unifiedDiff("k", "a\r\nb\r\n", "a\r\nc\r\n"),
            "--- a/k\n+++ b/k\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
}

TEST(UnifiedDiff, AppliesToRandomTextsAndIsShortest) {
  std::mt19937 random(7);
  for (int iteration = 0; iteration < 2000; ++iteration) {
    auto make = [&] {
      std::string text;
      unsigned lines = random() % 14;
      for (unsigned i = 0; i < lines; ++i)
        text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      if (!text.empty() && random() % 4 == 0) text.pop_back();
      return text;
    };
    std::string before = make(), after = make();
    std::string diff = unifiedDiff("k", before, after);
    if (before == after) continue;
    ASSERT_EQ(applyDiff(before, diff), after) << diff;

    // The number of changed lines against the longest common subsequence.
    auto lines = [](const std::string& text) {
      std::vector<std::string> out;
      std::istringstream in(text);
      for (std::string line; std::getline(in, line);) out.push_back(line);
      if (!text.empty() && text.back() != '\n') out.back() += "$";
      return out;
    };
    auto a = lines(before), b = lines(after);
    std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 1; i <= a.size(); ++i)
      for (size_t j = 1; j <= b.size(); ++j)
        common[i][j] =
            a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1 : std::max(common[i - 1][j], common[i][j - 1]);
    size_t changed = 0;
    std::istringstream in(diff);
    for (std::string line; std::getline(in, line);)
      changed += (line[0] == '-' && !line.starts_with("---")) || (line[0] == '+' && !line.starts_with("+++"));
    ASSERT_EQ(changed, a.size() + b.size() - 2 * common[a.size()][b.size()]) << diff;
  }
}

TEST(UnifiedDiff, IsQuickOnLargeUnrelatedTexts) {
  std::string before, after;
  for (int i = 0; i < 60000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(applyDiff(before, unifiedDiff("k", before, after)), after);
}

TEST_F(WriteFiles, ReplacesAndKeepsModes) {
  fs::path script = write("a.cu", "old");
  ::chmod(script.c_str(), 0750);
  writeAtomically({{script.string(), "new\r\n"}, {(dir / "b.cu").string(), "made"}});
  EXPECT_EQ(readAll(script), "new\r\n");
  EXPECT_EQ(readAll(dir / "b.cu"), "made");
  struct stat info{};
  ASSERT_EQ(::stat(script.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0750u);
  EXPECT_EQ(entries(), 2u) << "temporaries left behind";
}

TEST_F(WriteFiles, FollowsLinks) {
  fs::path real = write("real.cu", "old");
  fs::create_symlink("real.cu", dir / "link.cu");
  fs::create_symlink("link.cu", dir / "linklink.cu");
  writeAtomically({{(dir / "linklink.cu").string(), "new"}});
  EXPECT_TRUE(fs::is_symlink(dir / "link.cu"));
  EXPECT_EQ(readAll(real), "new");
}

TEST_F(WriteFiles, ChangesNothingWhenOneFileCannotBeWritten) {
  fs::path first = write("a.cu", "old");
  fs::path second = write("z.cu", "old");
  fs::path blocked = second / "below.cu";  // its folder is a file
  EXPECT_THROW(writeAtomically({{first.string(), "new"}, {blocked.string(), "new"}}), hone::Error);
  EXPECT_EQ(readAll(first), "old");
  EXPECT_EQ(entries(), 2u);
  try {
    writeAtomically({{first.string(), "new"}, {(dir / "none" / "x.cu").string(), "new"}});
    FAIL() << "wrote below a folder that does not exist";
  } catch (const hone::Error& error) {
    EXPECT_NE(std::string(error.what()).find("none/x.cu"), std::string::npos) << error.what();
  }
  EXPECT_EQ(readAll(first), "old");
}

TEST_F(WriteFiles, RefusesADirectory) {
  fs::path first = write("a.cu", "old");
  fs::create_directory(dir / "sub");
  EXPECT_THROW(writeAtomically({{(dir / "sub").string(), "new"}, {first.string(), "new"}}), hone::Error);
  EXPECT_EQ(readAll(first), "old");
  EXPECT_TRUE(fs::is_directory(dir / "sub"));
}

TEST_F(WriteFiles, KeepsWhatWasEditedMeanwhile) {
  const std::string first = write("a.cu", "old"), second = write("b.cu", "old // MINE");
  try {
    writeAtomically({{first, "new"}, {second, "new"}}, {{first, "old"}, {second, "old"}});
    FAIL() << "an edit was lost";
  } catch (const hone::Error& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_NE(std::string(error.what()).find("b.cu: was edited while hone worked on it"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(readAll(first), "old");
  EXPECT_EQ(readAll(second), "old // MINE");
  EXPECT_EQ(entries(), 2u);
  fs::remove(second);
  EXPECT_THROW(writeAtomically({{second, "new"}}, {{second, "old"}}), hone::Error);
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(writeAtomically({{first, "new"}}, {{first, "old"}}).empty());
  EXPECT_EQ(readAll(first), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFiles, RemovesWhatKilledRunsLeft) {
  const std::string file = write("a.cu", "old");
  write(".a.cu.hone-xL2S8k", "half");
  fs::create_hard_link(file, dir / ".a.cu.hone-old-aB3dE6");
  // Of another file, not of our making, a folder, held by a running process, and old contents that are
  // nowhere else.
  write(".b.cu.hone-xL2S8k", "half");
  write(".a.cu.hone-notes", "mine");
  write(".a.cu.hone-xL2S8k9", "mine");
  fs::create_directory(dir / ".a.cu.hone-folder");
  write(".a.cu.hone-hELd01", "half");
  write(".a.cu.hone-old-oNLy01", "older");
  const int held = ::open((dir / ".a.cu.hone-hELd01").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  writeAtomically({{file, "new"}});
  ::close(held);
  EXPECT_FALSE(fs::exists(dir / ".a.cu.hone-xL2S8k"));
  EXPECT_FALSE(fs::exists(dir / ".a.cu.hone-old-aB3dE6"));
  for (const char* kept : {".b.cu.hone-xL2S8k", ".a.cu.hone-notes", ".a.cu.hone-xL2S8k9", ".a.cu.hone-folder",
                           ".a.cu.hone-hELd01", ".a.cu.hone-old-oNLy01"})
    EXPECT_TRUE(fs::exists(dir / kept)) << kept;
  EXPECT_EQ(readAll(file), "new");
}

TEST_F(WriteFiles, SaysThatHardLinksKeepTheOldText) {
  const std::string file = write("a.cu", "old");
  fs::create_hard_link(file, dir / "same.cu");
  const std::vector<std::string> notes = writeAtomically({{file, "new"}}, {{file, "old"}});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("a.cu: had 2 names (hard links)"), std::string::npos) << notes[0];
  EXPECT_EQ(readAll(dir / "same.cu"), "old");
}

TEST_F(WriteFiles, LeavesReadOnlyFilesAlone) {
  const fs::path file = write("a.cu", "old");
  ::chmod(file.c_str(), 0444);
  EXPECT_THROW(writeAtomically({{file.string(), "new"}}), hone::Error);  // also where root could
  EXPECT_EQ(readAll(file), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFiles, WritesThroughDevices) {
  writeAtomically({{"/dev/null", "gone"}});
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
