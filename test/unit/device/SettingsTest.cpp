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
               "input = { x = 'x.npy' }\n");
  Settings a = tomlFor(source, "a"), b = tomlFor(source, "b");
  EXPECT_EQ(a.grid->text, "4, 2");
  EXPECT_EQ(a.set.at("alpha").text, "2.0");
  EXPECT_EQ(b.grid->text, "(n + 3) / 4");
  EXPECT_EQ(b.set.at("n").text, "100");
  EXPECT_EQ(b.input.at("x").text, folder.of("x.npy"));
  EXPECT_TRUE(b.unordered.contains("out"));
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

}  // namespace hone::device
