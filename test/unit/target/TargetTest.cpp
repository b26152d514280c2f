#include "target/Target.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/Error.h"

using hone::target::Target;

namespace {

std::vector<Target> shipped() {
  return hone::target::loadTargets(std::string(HONE_TEST_DIR) + "/../targets");
}

std::string fileText(const std::string& name) {
  std::ifstream in(std::string(HONE_TEST_DIR) + "/../targets/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string failure(const std::string& toml) {
  try {
    hone::target::parseTarget(toml, "x", "x.toml");
  } catch (const hone::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Targets, ShippedOnesHoldTogether) {
  auto targets = shipped();
  EXPECT_GE(targets.size(), 15u);
  for (const Target& t : targets) {
    SCOPED_TRACE(t.name);
    EXPECT_EQ(t.warpSize, 32u);
    EXPECT_LE(t.threadsPerBlock, t.threadsPerMultiprocessor);
    EXPECT_EQ(t.threadsPerMultiprocessor % t.warpSize, 0u);
    EXPECT_LE(t.sharedPerBlock, t.sharedPerBlockOptIn);
    EXPECT_LE(t.sharedPerBlockOptIn, t.sharedPerMultiprocessor);
    EXPECT_LE(t.registersPerBlock, t.registersPerMultiprocessor);
    EXPECT_EQ(t.maxBlock[0], t.threadsPerBlock);
    EXPECT_GT(t.peakGFlops(), 100);
    EXPECT_GT(t.bandwidthGBs, 40);
    EXPECT_LE(t.reachedGBs, t.bandwidthGBs);
    EXPECT_EQ(t.bankRowBytes % (t.banks * t.bankBytes), 0u);
    EXPECT_EQ(t.l1LineBytes % t.l1SectorBytes, 0u);
    for (unsigned size : {t.banks, t.bankBytes, t.bankRowBytes, t.l1LineBytes, t.l2LineBytes})
      EXPECT_EQ(size & (size - 1), 0u) << size;  // the counters rely on it
    EXPECT_EQ(t.l2LineBytes % t.l2FetchBytes, 0u);
    EXPECT_LE(t.l2EffectiveKiB, t.l2KiB);
    EXPECT_LE(t.l2DirtyKiB, t.l2KiB);
    EXPECT_LE(t.sharedCycles, t.dramCycles);
    EXPECT_EQ(t.l1KiB == 0, t.l1Global == hone::target::CachedLoads::None);
    if (!t.l1CarveoutsKiB.empty()) EXPECT_EQ(t.l1CarveoutsKiB.back() * 1024, t.sharedPerMultiprocessor);
  }
}

TEST(Targets, EachNumberHasAnOrigin) {
  for (const Target& t : shipped()) {
    std::istringstream text(fileText(t.name + ".toml"));
    bool isInSection = false;
    for (std::string line; std::getline(text, line);) {
      isInSection = isInSection || line.starts_with("[");
      if (!isInSection || line.find(" = ") == std::string::npos) continue;
      const size_t origin = line.find("# ");
      EXPECT_TRUE(origin != std::string::npos && origin + 2 < line.size()) << t.name << ": " << line;
    }
  }
}

TEST(Targets, FoundByNameAndAlias) {
  auto targets = shipped();
  EXPECT_EQ(hone::target::findTarget(targets, "h200").bandwidthGBs, 4800);
  EXPECT_EQ(hone::target::findTarget(targets, "sm_80").name, "a100");
  EXPECT_EQ(hone::target::findTarget(targets, "gtx480").name, "gtx480-48k");
  EXPECT_EQ(hone::target::findTarget(targets, "sm_70").name, "v100");
  EXPECT_EQ(hone::target::findTarget(targets, "sm_75").name, "t4");
  EXPECT_EQ(hone::target::findTarget(targets, "sm_100").name, "b200");
  EXPECT_EQ(hone::target::findTarget(targets, "l4").memoryGB, 24);
  EXPECT_EQ(hone::target::findTarget(targets, "l40s").memoryGB, 48);
  try {
    hone::target::findTarget(targets, "h20");
    FAIL();
  } catch (const hone::Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'h200'?"), std::string::npos) << error.what();
  }
}

TEST(Targets, AnswerWhatTheyCanDo) {
  const std::vector<Target> targets = shipped();
  auto all = [&](bool (Target::*question)() const) {
    std::string names;
    for (const Target& t : targets)
      if ((t.*question)()) names += t.name + " ";
    return names;
  };
  EXPECT_EQ(all(&Target::hasAsyncCopies), "a100 l4 l40s rtx4090 h100 h200 b200 ");
  EXPECT_EQ(all(&Target::hasShuffles), "k20 v100 t4 a100 l4 l40s rtx4090 h100 h200 b200 ");
  EXPECT_EQ(all(&Target::hasIndependentLanes), "e5-2620 v100 t4 a100 l4 l40s rtx4090 h100 h200 b200 ");
  EXPECT_EQ(all(&Target::allocatesRegistersByBlock), "gtx8800 gtx280 ");
  EXPECT_EQ(hone::target::findTarget(targets, "rtx4090").capabilityText(), "8.9");
  EXPECT_EQ(hone::target::findTarget(targets, "cpu").capabilityText(), "cpu");
}

TEST(Targets, MistakesAreNamedWithTheirLine) {
  std::string good = fileText("h200.toml");
  EXPECT_EQ(failure(good), "");
  auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return failure(text);
  };
  EXPECT_NE(with("warp_size = 32", "warp_sise = 32").find("limits.warp_size"), std::string::npos);
  EXPECT_NE(
      with("multiprocessors = 132", "multiprocessors = \"many\"").find("x.toml:7: 'machine.multiprocessors'"),
      std::string::npos)
      << with("multiprocessors = 132", "multiprocessors = \"many\"");
  EXPECT_NE(with("[limits]", "turbo = 1\n[limits]").find("unknown key 'machine.turbo'"), std::string::npos);
  EXPECT_NE(with("l2_line_bytes = 128", "l2_line_bytes = 96").find("'memory.l2_line_bytes' must be 32, 64"),
            std::string::npos);
  EXPECT_NE(with("\"sectors\"", "\"sector\"").find("'memory.coalescing' must be one of"), std::string::npos);
  for (const char* capability : {"\"9\"", "\"9.x\"", "\"9.0a\"", "\"gpu\""})
    EXPECT_NE(with("\"9.0\"", capability).find("x.toml:3: 'compute_capability' must be \"major.minor\" or"),
              std::string::npos)
        << capability;
  EXPECT_NE(failure("title = ").find("x.toml:1"), std::string::npos);
}

}  // namespace
