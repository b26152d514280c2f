#include "Fibers.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <utility>

#include "Arrays.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

extern "C" void judge_switch(void** from, void* to);
// Registers that a call keeps go onto the old stack, and come from the new one.
#if defined(__aarch64__)
asm(R"(
.text
.globl judge_switch
.type judge_switch, %function
judge_switch:
  stp x19, x20, [sp, #-160]!
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x19, x20, [sp], #160
  ret
.size judge_switch, .-judge_switch
)");
static void* firstFrame(char* top, void (*entry)()) {
  auto* frame = reinterpret_cast<uint64_t*>(top - 160);
  memset(frame, 0, 160);
  frame[11] = reinterpret_cast<uint64_t>(entry);  // x30
  return frame;
}
#elif defined(__x86_64__)
asm(R"(
.text
.globl judge_switch
.type judge_switch, @function
judge_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size judge_switch, .-judge_switch
)");
static void* firstFrame(char* top, void (*entry)()) {
  auto* frame = reinterpret_cast<uint64_t*>(top - 64);
  memset(frame, 0, 64);
  frame[6] = reinterpret_cast<uint64_t>(entry);  // where ret goes; the stack is then as after a call
  return frame;
}
#else
#error "the judge knows how to switch stacks on aarch64 and x86_64"
#endif

namespace judge {

RunState run;
sigjmp_buf failed;
std::string failure;

void fail(const std::string& what) {
  failure = what;
  siglongjmp(failed, 1);
}

namespace {

constexpr size_t kStack = 64 << 10, kGuard = 4096;

enum class State { Ready, AtBarrier, AtGrid, AtExchange, Done };

struct Copy {
  void* to;
  const void* from;
  size_t bytes, zeroBytes;
  size_t group;
};

struct Fiber {
  void* sp = nullptr;
  char* stack = nullptr;
  State state = State::Ready;
  uint3 index{};
  unsigned linear = 0;
  int line = 0, predicate = 0, voted = 0;
  BarrierVote vote = BarrierVote::None;
  const char* what = nullptr;
  unsigned mask = 0;
  alignas(16) unsigned char mine[16];
  size_t mineBytes = 0;
  Lanes got;
  std::vector<Copy> copies;
  size_t copyGroup = 0;
};

struct Block {
  uint3 index{};
  std::vector<Fiber*> fibers;
  std::vector<unsigned> order;
  std::vector<char> sharedAside;
  char* dynamic = nullptr;
  size_t dynamicBytes = 0;
};

// Stacks are kept: making them takes longer than most kernels.
std::vector<Fiber*> idle;
Fiber* current = nullptr;
Block* currentBlock = nullptr;
void* schedulerStack = nullptr;
Body theBody = nullptr;
void* theClosure = nullptr;
bool gridBarrierAllowed = false;
std::vector<std::unique_ptr<Block>> live;

void fiberMain() {
  while (true) {
    theBody(theClosure);
    current->state = State::Done;
    judge_switch(&current->sp, schedulerStack);
  }
}

Fiber* takeFiber() {
  Fiber* f;
  if (idle.empty()) {
    f = new Fiber;
    f->stack = static_cast<char*>(mmap(nullptr, kStack + kGuard, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (f->stack == MAP_FAILED) fail("no room for more stacks");
    mprotect(f->stack, kGuard, PROT_NONE);
  } else {
    f = idle.back();
    idle.pop_back();
  }
  f->state = State::Ready;
  f->sp = firstFrame(f->stack + kStack + kGuard, fiberMain);
  f->copies.clear();
  f->copyGroup = 0;
  return f;
}

void resume(Fiber* f) {
  current = f;
  run.thread = f->linear;
  threadIdx = f->index;
  judge_switch(&schedulerStack, f->sp);
  current = nullptr;
}

void wait(State state) {
  Fiber* f = current;
  f->state = state;
  judge_switch(&f->sp, schedulerStack);
}

unsigned char poison() {
  return run.order == Order::Forward ? 0xff : run.order == Order::Backward ? 0x7b : 0xc5;
}

// Whether all lanes of its mask that still run have come; if so they go on.
bool tryExchange(Block& block, Fiber* f) {
  const unsigned warp = f->linear / 32 * 32;
  const size_t end = std::min<size_t>(block.fibers.size(), warp + 32);
  Lanes lanes;
  lanes.present = 0;
  for (size_t i = warp; i < end; ++i) {
    if (!(f->mask >> (i - warp) & 1)) continue;
    const Fiber* other = block.fibers[i];
    if (other->state == State::Done) continue;
    if (other->state != State::AtExchange || other->mask != f->mask || strcmp(other->what, f->what) != 0)
      return false;
    lanes.present |= 1u << (i - warp);
  }
  memset(lanes.value, poison() ^ 0x22, sizeof lanes.value);
  for (size_t i = warp; i < end; ++i)
    if (lanes.present >> (i - warp) & 1)
      memcpy(lanes.value[i - warp], block.fibers[i]->mine, block.fibers[i]->mineBytes);
  ++run.barriers;
  for (size_t i = warp; i < end; ++i)
    if (lanes.present >> (i - warp) & 1) {
      block.fibers[i]->got = lanes;
      block.fibers[i]->state = State::Ready;
    }
  return true;
}

std::string nameOf(const Fiber& f) {
  return "thread (" + std::to_string(f.index.x) + "," + std::to_string(f.index.y) + "," +
         std::to_string(f.index.z) + ")";
}

void releaseBarrier(Block& block) {
  ++run.barriers;
  int line = 0, count = 0, all = 1, any = 0;
  const Fiber* first = nullptr;
  for (const Fiber* f : block.fibers) {
    if (f->state != State::AtBarrier) {
      run.leftBarrierEarly = true;
      continue;
    }
    if (!first) first = f, line = f->line;
    if (f->line != line)
      fail("a barrier in divergent code: " + nameOf(*first) + " waits in line " + std::to_string(line) +
           ", " + nameOf(*f) + " in line " + std::to_string(f->line));
    count += f->predicate != 0, all &= f->predicate != 0, any |= f->predicate != 0;
  }
  for (Fiber* f : block.fibers)
    if (f->state == State::AtBarrier) {
      f->voted = f->vote == BarrierVote::Count ? count : f->vote == BarrierVote::And ? all : any;
      f->state = State::Ready;
    }
}

// Until all threads have ended or all wait for the grid.
bool runBlock(Block& block) {
  while (true) {
    bool ran = false;
    for (const unsigned i : block.order)
      if (block.fibers[i]->state == State::Ready) resume(block.fibers[i]), ran = true;
    if (ran) continue;
    size_t done = 0, atBarrier = 0, atGrid = 0;
    bool exchanged = false;
    for (Fiber* f : block.fibers) {
      done += f->state == State::Done;
      atBarrier += f->state == State::AtBarrier;
      atGrid += f->state == State::AtGrid;
      if (f->state == State::AtExchange) exchanged |= tryExchange(block, f);
    }
    if (done == block.fibers.size()) return true;
    if (exchanged) continue;
    if (done + atBarrier == block.fibers.size()) {
      releaseBarrier(block);
      continue;
    }
    if (done + atGrid == block.fibers.size()) {
      if (done) fail("a barrier of the grid that not all threads reach");
      return false;
    }
    std::string text = "deadlock:";
    int shown = 0;
    for (const Fiber* f : block.fibers) {
      if (f->state == State::Done || shown++ > 3) continue;
      text += " " + nameOf(*f) + " waits at ";
      char mask[16];
      snprintf(mask, sizeof mask, "%x", f->mask);
      text += f->state == State::AtExchange ? std::string(f->what) + "(" + mask + ")"
              : f->state == State::AtGrid   ? std::string("a barrier of the grid")
                                            : "a barrier in line " + std::to_string(f->line);
    }
    fail(text + "; " + std::to_string(done) + " threads have ended");
  }
}

void bringShared(Block& block, bool isFirst) {
  const size_t bytes = size_t(run.sharedEnd - run.sharedBegin);
  if (isFirst)
    memset(run.sharedBegin, poison(), bytes);
  else
    memcpy(run.sharedBegin, block.sharedAside.data(), bytes);
}

void beginBlock(Block& block, const Config& config, std::mt19937_64& engine) {
  const unsigned count = config.block.x * config.block.y * config.block.z;
  for (unsigned i = 0; i < count; ++i) {
    Fiber* f = takeFiber();
    f->linear = i;
    f->index = {i % config.block.x, i / config.block.x % config.block.y, i / config.block.x / config.block.y};
    block.fibers.push_back(f);
    block.order.push_back(i);
  }
  if (run.order == Order::Backward) std::reverse(block.order.begin(), block.order.end());
  if (run.order == Order::Shuffled) std::shuffle(block.order.begin(), block.order.end(), engine);
  block.dynamicBytes = config.shared;
  // A device that has no memory left still has the shared memory of its blocks.
  const bool refused = std::exchange(refuseMemory, false);
  block.dynamic = static_cast<char*>(allocate(config.shared));
  refuseMemory = refused;
}

void endBlock(Block& block) {
  for (Fiber* f : block.fibers) {
    if (!f->copies.empty()) fail("a thread ends with asynchronous copies under way");
    idle.push_back(f);
  }
  block.fibers.clear();
  if (block.dynamic) release(block.dynamic);
}

// Fibers of a run that failed are as good as new ones.
void dropAll() {
  for (const auto& block : live)
    for (Fiber* f : block->fibers) idle.push_back(f);
  live.clear();
  current = nullptr;
  currentBlock = nullptr;
}

void checkConfig(const char* name, const Config& c) {
  const unsigned long long threads = (unsigned long long)c.block.x * c.block.y * c.block.z;
  const bool isBad = threads == 0 || threads > 1024 || c.block.z > 64 || c.grid.x == 0 || c.grid.y == 0 ||
                     c.grid.z == 0 || c.grid.x > 0x7fffffffu || c.grid.y > 65535 || c.grid.z > 65535 ||
                     c.shared > 227 << 10;
  if (isBad)
    fail(std::string("a launch of ") + name + " that CUDA refuses: grid " + std::to_string(c.grid.x) + "," +
         std::to_string(c.grid.y) + "," + std::to_string(c.grid.z) + " block " + std::to_string(c.block.x) +
         "," + std::to_string(c.block.y) + "," + std::to_string(c.block.z));
}

}  // namespace

std::string whereNow() {
  if (!current) return "on the host";
  return nameOf(*current) + " of block (" + std::to_string(blockIdx.x) + "," + std::to_string(blockIdx.y) +
         "," + std::to_string(blockIdx.z) + ")";
}

void runGrid(const char* name, const Config& config, bool isCooperative, Body body, void* closure) {
  dropAll();
  checkConfig(name, config);
  const size_t blocks = size_t(config.grid.x) * config.grid.y * config.grid.z;
  const size_t threads = size_t(config.block.x) * config.block.y * config.block.z;
  if (blocks > 1 << 20 || blocks * threads > 1 << 21) fail("too many threads for this machine");
  if (run.originalName != name && strcmp(name, "the original") != 0) run.ranOther = true;
  run.threads += blocks * threads;
  std::mt19937_64 engine(run.seed * 7919 + 3);
  std::vector<uint32_t> order(blocks);
  for (uint32_t i = 0; i < blocks; ++i) order[i] = i;
  if (run.order == Order::Backward) std::reverse(order.begin(), order.end());
  if (run.order == Order::Shuffled) std::shuffle(order.begin(), order.end(), engine);
  theBody = body, theClosure = closure;
  gridBarrierAllowed = isCooperative;
  blockDim = config.block, gridDim = config.grid;
  const auto enter = [&](Block& block) {
    currentBlock = &block;
    blockIdx = block.index;
    run.block = block.index.x + config.grid.x * (block.index.y + config.grid.y * block.index.z);
  };
  // A block that waits for the others keeps its threads; the next one begins.
  std::vector<Block*> waiting;
  for (const uint32_t i : order) {
    live.push_back(std::make_unique<Block>());
    Block& block = *live.back();
    block.index = {i % config.grid.x, i / config.grid.x % config.grid.y, i / config.grid.x / config.grid.y};
    beginBlock(block, config, engine);
    enter(block);
    bringShared(block, true);
    if (runBlock(block)) {
      endBlock(block);
      if (!waiting.empty()) fail("a barrier of the grid that not all blocks reach");
      live.pop_back();
    } else {
      if (waiting.size() != live.size() - 1) fail("a barrier of the grid that not all blocks reach");
      block.sharedAside.assign(run.sharedBegin, run.sharedEnd);
      waiting.push_back(&block);
    }
  }
  if (!waiting.empty() && waiting.size() != blocks) fail("a barrier of the grid that not all blocks reach");
  while (!waiting.empty()) {
    if (run.order == Order::Shuffled) std::shuffle(waiting.begin(), waiting.end(), engine);
    std::vector<Block*> still;
    ordered();
    for (Block* block : waiting)
      for (Fiber* f : block->fibers) f->state = State::Ready;
    for (Block* block : waiting) {
      enter(*block);
      bringShared(*block, false);
      if (runBlock(*block)) {
        endBlock(*block);
        continue;
      }
      block->sharedAside.assign(run.sharedBegin, run.sharedEnd);
      still.push_back(block);
    }
    if (!still.empty() && still.size() != waiting.size())
      fail("a barrier of the grid that not all blocks reach");
    waiting = still;
  }
  live.clear();
  currentBlock = nullptr;
}

int barrier(int line, BarrierVote vote, int predicate) {
  current->line = line, current->vote = vote, current->predicate = predicate;
  wait(State::AtBarrier);
  return current->voted;
}

void ordered() { ++run.epoch, ++run.barriers; }

void gridBarrier() {
  if (!gridBarrierAllowed) fail("a barrier of the grid in a launch that is not cooperative");
  wait(State::AtGrid);
}

const Lanes& exchange(const char* what, unsigned mask, const void* value, size_t bytes) {
  Fiber* f = current;
  if (!(mask >> (f->linear % 32) & 1))
    fail(std::string(what) + " with a mask that leaves out the calling lane");
  f->what = what, f->mask = mask, f->mineBytes = bytes;
  if (bytes) memcpy(f->mine, value, bytes);
  f->state = State::AtExchange;
  // The last to come goes on at once in one order and waits its turn in the others.
  if (tryExchange(*currentBlock, f) && run.order == Order::Forward) return f->got;
  judge_switch(&f->sp, schedulerStack);
  return f->got;
}

unsigned laneId() { return current->linear % 32; }
unsigned activeLanes() {
  const unsigned warp = current->linear / 32 * 32;
  unsigned out = 0;
  for (size_t i = warp; i < std::min<size_t>(currentBlock->fibers.size(), warp + 32); ++i)
    if (currentBlock->fibers[i]->state != State::Done) out |= 1u << (i - warp);
  return out;
}
void* dynamicShared() { return currentBlock->dynamic; }

static void doCopy(const Copy& c) {
  memcpy(c.to, c.from, c.bytes - c.zeroBytes);
  memset(static_cast<char*>(c.to) + (c.bytes - c.zeroBytes), 0, c.zeroBytes);
}
// At once in one order, as late as the program lets it be in the others.
void copyLater(void* to, const void* from, size_t bytes, size_t zeroBytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    fail("an asynchronous copy of " + std::to_string(bytes) + " bytes");
  if ((uintptr_t)to % bytes || (uintptr_t)from % bytes) fail("an asynchronous copy that is not aligned");
  const Copy copy{to, from, bytes, zeroBytes, current->copyGroup};
  if (run.order == Order::Forward)
    doCopy(copy);
  else
    current->copies.push_back(copy);
}
void commitCopies() { ++current->copyGroup; }
void waitCopies(size_t groupsLeft) {
  auto& copies = current->copies;
  const size_t upTo = current->copyGroup > groupsLeft ? current->copyGroup - groupsLeft : 0;
  size_t kept = 0;
  for (const Copy& copy : copies)
    if (copy.group < upTo)
      doCopy(copy);
    else
      copies[kept++] = copy;
  copies.resize(kept);
}

}  // namespace judge
