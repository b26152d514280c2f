#include "device/Settings.h"

#include "Source.h"
#include "ir/Error.h"

namespace hone::device {

namespace {

template <class F> std::string messageOf(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was wrong";
}

}  // namespace

TEST(Settings, pairsAndExtents) {
  std::map<std::string, Given> table;
  addPair(table, "p.n = w * h", "--length");
  EXPECT_EQ(table["p.n"].text, "w * h");
  EXPECT_EQ(messageOf([&] { addPair(table, "n", "--set"); }), "--set takes NAME=VALUE, not 'n'");
  EXPECT_EQ(messageOf([&] { addPair(table, "n+1=3", "--set"); }), "--set takes NAME=VALUE, not 'n+1=3'");
  EXPECT_EQ(splitExtents({"4x8x2", "--grid"}), (std::vector<std::string>{"4", "8", "2"}));
  EXPECT_EQ(splitExtents({"dim3(max(n, 4), 2)", "--grid"}), (std::vector<std::string>{"max(n, 4)", "2"}));
  EXPECT_EQ(splitExtents({"0x10", "--grid"}), (std::vector<std::string>{"0x10"}));
  EXPECT_EQ(messageOf([] { splitExtents({"4x", "--grid"}); }),
            "--grid takes one to three extents such as 4x4 or '(n + 15) / 16, 8', not '4x'");
}

TEST(Settings, pragmasBelongToTheNextKernel) {
  std::string source =
      "#pragma hone set(n=5)\n"
      "__global__ void a() {}\n"
      "#pragma hone set(n=6) \\\n"
      "    grid(4, 2) length(x=n)\n"
      "#  pragma hone block(64)\n"
      "__global__ void b() {}\n"
      "#pragma hone kernel(a) seed(9)\n";
  Settings a = pragmasFor(source, "k.cu", "a", 2, 0), b = pragmasFor(source, "k.cu", "b", 6, 2);
  EXPECT_EQ(a.set.at("n").text, "5");
  EXPECT_EQ(a.seed->text, "9");
  EXPECT_FALSE(a.grid);
  EXPECT_EQ(b.set.at("n").text, "6");
  EXPECT_EQ(b.grid->text, "4, 2");
  EXPECT_EQ(b.block->text, "64");
  EXPECT_EQ(b.length.at("x").text, "n");
  EXPECT_EQ(b.length.at("x").from, "k.cu:3: #pragma hone");
  EXPECT_FALSE(b.seed);
}

TEST(Settings, badPragmas) {
  std::string kernel;
  EXPECT_EQ(messageOf([&] { parsePragma("gird(4)", "k.cu:1", kernel); }),
            "k.cu:1: #pragma hone: there is no 'gird'; did you mean 'grid'?");
  EXPECT_EQ(messageOf([&] { parsePragma("grid(4", "k.cu:1", kernel); }),
            "k.cu:1: #pragma hone: the ')' of grid( is missing");
  EXPECT_EQ(
      messageOf([&] { parsePragma("grid 4", "k.cu:1", kernel); }),
      "k.cu:1: #pragma hone: expected a word and its value in parentheses, such as set(n=1000), at 'grid 4'");
}

TEST(Settings, tomlBesideTheSource) {
  Folder folder;
  std::string source = folder.of("k.cu");
  EXPECT_TRUE(tomlFor(source, "a").set.empty());
  folder.write("k.cu.hone.toml",
               "grid = [4, 2]\n"
               "set = { n = 100, alpha = 2.0 }\n"
               "[kernel.b]\n"
               "grid = '(n + 3) / 4'\n"
               "unordered = ['out']\n"
               "temporary = ['part']\n"
               "input = { x = 'x.npy' }\n");
  Settings a = tomlFor(source, "a"), b = tomlFor(source, "b");
  EXPECT_EQ(a.grid->text, "4, 2");
  EXPECT_EQ(a.set.at("alpha").text, "2.0");
  EXPECT_EQ(b.grid->text, "(n + 3) / 4");
  EXPECT_EQ(b.set.at("n").text, "100");
  EXPECT_EQ(b.input.at("x").text, folder.of("x.npy"));
  EXPECT_TRUE(b.unordered.contains("out"));
  EXPECT_TRUE(b.temporary.contains("part"));
  folder.write("k.cu.hone.toml", "\ngirth = 4\n");
  EXPECT_EQ(messageOf([&] { tomlFor(source, "a"); }), source + ".hone.toml:2: there is no key 'girth'");
}

TEST(Settings, theFirstThatSaysSomethingCounts) {
  Settings upper, lower;
  upper.set["n"] = {"1", "--set n"};
  lower.set["n"] = {"2", "toml"};
  lower.set["m"] = {"3", "toml"};
  lower.grid = Given{"4", "toml"};
  upper.fillFrom(lower);
  EXPECT_EQ(upper.set["n"].text, "1");
  EXPECT_EQ(upper.set["m"].text, "3");
  EXPECT_EQ(upper.grid->text, "4");
}

TEST(Settings, whatRecipesMayDo) {
  std::string kernel;
  Settings s = parsePragma("keep reassociate(no), block(free) seed(3)", "k.cu:1", kernel);
  EXPECT_TRUE(s.keep->isOn);
  EXPECT_EQ(s.keep->from, "k.cu:1: #pragma hone");
  EXPECT_FALSE(s.reassociate->isOn);
  EXPECT_TRUE(s.blockFree->isOn);
  EXPECT_FALSE(s.block);
  EXPECT_EQ(s.seed->text, "3");

  s = parsePragma("block(free, 16, 8) reassociate", "k.cu:1", kernel);
  EXPECT_TRUE(s.blockFree->isOn);
  EXPECT_EQ(s.block->text, "16, 8");
  EXPECT_TRUE(s.reassociate->isOn);
  EXPECT_FALSE(s.keep);

  s = parsePragma("block(16, 8)", "k.cu:1", kernel);
  EXPECT_FALSE(s.blockFree);
  EXPECT_EQ(s.block->text, "16, 8");

  EXPECT_EQ(messageOf([&] { parsePragma("keep(maybe)", "k.cu:1", kernel); }),
            "k.cu:1: #pragma hone: keep takes yes or no, not 'maybe'");
  EXPECT_EQ(messageOf([&] { parsePragma("reasociate", "k.cu:1", kernel); }),
            "k.cu:1: #pragma hone: there is no 'reasociate'; did you mean 'reassociate'?");
  EXPECT_EQ(messageOf([&] { parsePragma("set(n=1) kep", "k.cu:1", kernel); }),
            "k.cu:1: #pragma hone: there is no 'kep'; did you mean 'keep'?");
}

TEST(Settings, whatRecipesMayDoInToml) {
  Folder folder;
  std::string source = folder.of("k.cu");
  folder.write("k.cu.hone.toml",
               "reassociate = true\n"
               "block = 'free'\n"
               "[kernel.b]\n"
               "keep = true\n"
               "reassociate = 'no'\n"
               "block = ['free', 32, 8]\n");
  Settings a = tomlFor(source, "a"), b = tomlFor(source, "b");
  EXPECT_TRUE(a.reassociate->isOn);
  EXPECT_TRUE(a.blockFree->isOn);
  EXPECT_FALSE(a.block);
  EXPECT_FALSE(a.keep);
  EXPECT_TRUE(b.keep->isOn);
  EXPECT_FALSE(b.reassociate->isOn);
  EXPECT_EQ(b.block->text, "32, 8");
  EXPECT_TRUE(b.blockFree->isOn);
  folder.write("k.cu.hone.toml", "\nkeep = 'perhaps'\n");
  EXPECT_EQ(messageOf([&] { tomlFor(source, "a"); }),
            source + ".hone.toml:2: keep takes yes or no, not 'perhaps'");
  folder.write("k.cu.hone.toml", "\nreassociated = true\n");
  EXPECT_EQ(messageOf([&] { tomlFor(source, "a"); }),
            source + ".hone.toml:2: there is no key 'reassociated'; did you mean 'reassociate'?");
}

TEST(Settings, switchesOfAHigherPlaceCount) {
  Settings upper, lower;
  upper.reassociate = Switch{false, "--reassociate"};
  lower.reassociate = Switch{true, "toml"};
  lower.keep = Switch{true, "toml"};
  lower.blockFree = Switch{true, "toml"};
  upper.block = Given{"32", "--block"};
  upper.fillFrom(lower);
  EXPECT_FALSE(upper.reassociate->isOn);
  EXPECT_TRUE(upper.keep->isOn);
  EXPECT_TRUE(upper.blockFree->isOn);
  EXPECT_EQ(upper.block->text, "32");
}

}  // namespace hone::device
