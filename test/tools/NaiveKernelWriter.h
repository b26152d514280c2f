// What the parts of the generator of naive kernels share: random choices, text, arrays and coordinates.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <random>

#include "NaiveKernels.h"

namespace hone::test {

enum class Rank : uint8_t { Whole, Float, Double };

struct Value {
  std::string text;
  Rank rank = Rank::Whole;
};

struct NaiveArray {
  std::string name, type;
  bool isWritten = false;
  unsigned pitch = 0;  // declared as rows of so many elements; 0: flat
};

class NaiveKernelWriter {
 public:
  explicit NaiveKernelWriter(unsigned seed);
  NaiveKernel write(bool asMap);

 private:
  // Choices.
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  std::string oneOf(const std::vector<std::string>& all) {
    return all[static_cast<size_t>(pick(0, static_cast<int64_t>(all.size()) - 1))];
  }

  // Text.
  void line(const std::string& text) { body += std::string(2 * indent, ' ') + text + "\n"; }
  void open(const std::string& text) { line(text + " {"), ++indent; }
  void close() { --indent, line("}"); }
  std::string fresh(const char* stem) { return stem + std::to_string(++names); }

  // Arrays.
  std::string elementType();
  const NaiveArray& input(bool mayBeRows = false);
  const NaiveArray& output(const std::string& type = "");
  std::string indexArray();
  std::string element(const NaiveArray& array, const std::string& row, const std::string& column,
                      const std::string& pitch);
  std::string own(const NaiveArray& array);
  std::string ownIndex();
  Value load(const std::string& place, const std::string& type);
  void store(const std::string& place, const std::string& type, const Value& value);
  std::string narrowed(const std::string& type, const Value& value);

  // Values.
  Value mixed(const Value& a, const Value& b);
  Value changed(const Value& value);
  std::string condition(const Value& value);
  std::string accumulator(Rank rank);
  Value somewhere(const std::vector<std::string>& counters);  // a load in the iterations of loops
  std::string subscript(const std::vector<std::string>& counters);
  std::string loop(const std::string& counter, bool mayBeTriangular);

  // Parts of a body, each with outputs of its own (NaiveKernelParts.cpp).
  void part();
  void elementwise();
  void registerReduction();
  void memoryReduction();
  void pairReduction();
  void extremes();
  void nestedReduction();
  void stencil();
  void interleaved();
  void transposed();
  void rows();
  void gather();
  void counting();
  void throughTemporary();
  void invariantLoad();
  void conditional(int depth);
  void lastOf(const std::string& accumulatorName, const std::string& type, Rank rank);

  // Parts with values that go through memory, registers in a row, bits, other control flow
  // (NaiveKernelMoreParts.cpp).
  void seldomPart();
  void scan();
  void bits();
  void exchange();
  void untilData();
  void ofBlock();
  void unsignedWindow();
  void choice();
  void registerRow();
  void guardedRow();
  void throughPointer();

  // Iterations that need what earlier ones stored (NaiveKernelRecurrences.cpp).
  void recurrence();
  const NaiveArray& typedInput(const std::string& type);

  // Runs of neighbouring elements, angles (NaiveKernelRuns.cpp).
  void runOfStores();
  void angles();

  // Whole kernels of one element after the other, in all types (NaiveKernelMaps.cpp).
  void chooseMap();
  void map();

  // Whole kernels of several loops over a row (NaiveKernelRowLoops.cpp).
  void rowLoops();
  std::string rowHead(const std::string& counter);
  void powersOfRow(const std::string& type, const std::string& from, const std::string& to);

  // Whole kernels whose threads take a flat id apart (NaiveKernelFlatIds.cpp).
  void chooseFlatIds();
  void writeFlatIds();
  void writeFlatGuard(const std::string& bound);
  void chooseFlatSizes();
  int64_t oneNumber(const std::vector<int64_t>& all);

  // Whole kernels whose threads put values together by hand (NaiveKernelTrees.cpp).
  enum class TreeForm : uint8_t { Sum, LongSum, Bits, Call, Compared };
  void chooseTrees();
  void trees();
  void treesOfWarps(const std::string& type, const std::string& element);
  void treeInShared(const std::string& shared, const std::string& value);
  void treeByShuffles(const std::string& type, const std::string& shared, const std::string& value);
  std::string treeStep(const std::string& into, const std::string& other);

  // Whole kernels whose iterations could be threads (NaiveKernelIterations.cpp).
  enum class IterationForm : uint8_t {
    OfThread,
    OfBlock,
    Runs,
    Planes,
    Rows,
    Squares,
    GridStride,
    BlockStride
  };
  void chooseIterations();
  void iterations();
  std::string iterationHead(const std::string& counter, const std::string& end);
  void storeIteration(const std::string& at, const std::string& earlier,
                      const std::vector<std::string>& whole);

  // Whole kernels of products of which a mask leaves out a part (NaiveKernelMasks.cpp).
  void chooseMasks();
  void masks();
  std::string mask();
  void maskedSum(const std::string& type, const std::string& sum);
  void chooseMaskSizes();

  // Whole kernels with barriers of the whole grid (NaiveKernelPhases.cpp).
  void phased();
  void twoPhases();
  void smoothing();
  void halving();

  // Whole kernels with shared memory (NaiveKernelTiles.cpp).
  void tiled();
  unsigned startRow(int64_t percentWide, unsigned wide, unsigned narrow);
  std::string declareRow(const std::vector<std::string>& inputs);
  void tileTransposed();
  void tileProduct();
  void tileSum();
  void tileStencil();
  void tileStrip();
  void tileWindow();
  void tileScan();
  void tileCount();
  void tileSwitched();
  void tileNested();

  // Whole kernels whose shared memory holds copies of global memory (NaiveKernelCaches.cpp).
  void chooseCaches();
  void caches();
  std::string cached(const std::string& array, const std::string& at, const std::string& size);
  void fillRow(const std::string& array, unsigned b, int64_t shift, unsigned extent);
  void cacheRow();
  void cacheSquare();

  void writeIds(bool isFixed);
  void writeGuard();
  void writeBody();
  void chooseGeometry();
  void chooseSizes();
  std::string parameters() const;

  std::mt19937_64 engine;
  NaiveKernel kernel;
  std::string body, prologue;
  size_t indent = 1;
  unsigned names = 0;
  unsigned dims = 1;
  bool isMap = false, isStrided = false;
  bool isGuarded = true, isTiled = false, isPhased = false, hasRows = false, usesPoint = false,
       usesHalf = false;
  bool writesOwnOnly = true;  // outputs at the index of the thread
  bool covers = false;        // the grid must cover everything
  bool isBelowK = false;      // the counter of the last loop
  bool hasRecurrence = false;
  bool hasTrees = false;
  bool hasIterations = false;
  bool hasMasks = false;
  bool hasCaches = false;
  IterationForm iterationForm = IterationForm::OfThread;
  TreeForm treeForm = TreeForm::Sum;
  std::string treeCall;
  bool isFlat = false;     // x, y and z are made of a flat id
  unsigned flatWidth = 0;  // rows of as many ids, in numbers; 0: of w
  std::string flatId = "i";
  std::string idType = "int", sizeType = "int";
  std::string shiftType;  // of a parameter that ids along x are shifted by; empty: there is none
  std::string x = "x", y = "y", z = "z";  // the coordinates as the parts see them
  std::vector<NaiveArray> arrays;
};

}  // namespace hone::test
