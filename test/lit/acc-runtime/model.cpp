// Random sequences of data directives against a model that has, for each byte, what OpenACC 2.6.7 says of it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -o program
// RUN: env HONE_RUN_LEAKS=1 ./program 400 | FileCheck %s
// CHECK: 400 sequences, 0 wrong
#include <hone_acc.h>
#include <openacc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

constexpr int size = 24, parts = 6;

struct Section {
  int begin = 0, bytes = 0, structured = 0, dynamic = 0;
  unsigned char device[size];
  bool in(int from, int count) const { return begin <= from && from + count <= begin + bytes; }
  bool overlaps(int from, int count) const { return begin < from + count && from < begin + bytes; }
};

struct Model {
  unsigned char host[size];
  std::vector<Section> present;
  Section* find(int from, int count) {
    for (Section& s : present)
      if (s.in(from, count)) return &s;
    return nullptr;
  }
  bool isPartly(int from, int count) {
    for (Section& s : present)
      if (s.overlaps(from, count) && !s.in(from, count)) return true;
    return false;
  }
  void enter(int kind, int from, int count, bool isStructured) {
    Section* s = find(from, count);
    if (!s) {
      if (kind == hone_acc_no_create) return;
      present.emplace_back();
      s = &present.back();
      s->begin = from;
      s->bytes = count;
      if ((kind & 31) == hone_acc_copy || (kind & 31) == hone_acc_copyin)
        memcpy(s->device + from, host + from, size_t(count));
      else
        memset(s->device + from, 0, size_t(count));  // the tests say zero
    } else if (kind & hone_acc_always_in) {
      memcpy(s->device + from, host + from, size_t(count));
    }
    ++(isStructured ? s->structured : s->dynamic);
  }
  void exit(int kind, int from, int count, bool isStructured) {
    Section* s = find(from, count);
    if (!s) return;
    int& counter = isStructured ? s->structured : s->dynamic;
    if (counter == 0) return;
    counter = kind & hone_acc_finalize ? 0 : counter - 1;
    const bool ends = s->structured + s->dynamic == 0;
    const bool copies = (kind & 31) == hone_acc_copy || (kind & 31) == hone_acc_copyout;
    if (copies && (ends || (kind & hone_acc_always_out))) memcpy(host + from, s->device + from, size_t(count));
    if (ends) present.erase(present.begin() + (s - present.data()));
  }
};

struct Region {
  int kind, from, count;
  bool isCounted;
};

int main(int, char** argv) {
  const int sequences = atoi(argv[1]);
  int wrong = 0;
  for (int seed = 0; seed < sequences; ++seed) {
    std::mt19937 random{unsigned(seed)};
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    unsigned char host[size];
    Model model;
    for (int k = 0; k < size; ++k) host[k] = model.host[k] = (unsigned char)below(256);
    std::vector<Region> regions;
    bool isRight = true;
    for (int step = 0; step < 60 && isRight; ++step) {
      const int from = below(parts) * (size / parts), count = (1 + below(parts - from * parts / size)) * (size / parts);
      const int async = below(3) ? int(hone_acc_sync) : below(2);
      const int what = below(9);
      const bool hasRegion = !regions.empty();
      if (what == 0 && hasRegion) {
        hone_acc_data_end("end");
        const Region r = regions.back();
        regions.pop_back();
        if (r.isCounted) model.exit(r.kind, r.from, r.count, true);
      } else if (what <= 1) {
        static const int kinds[] = {hone_acc_copy,
                                    hone_acc_copyin,
                                    hone_acc_copyout | hone_acc_zero,
                                    hone_acc_create | hone_acc_zero,
                                    hone_acc_no_create,
                                    hone_acc_copy | hone_acc_always_in | hone_acc_always_out,
                                    hone_acc_copyin | hone_acc_always_in,
                                    hone_acc_copyout | hone_acc_zero | hone_acc_always_out};
        const int kind = kinds[below(8)];
        if (model.isPartly(from, count)) continue;
        hone_acc_data_begin("data", 1, async, -1, 1, kind, "x", host + from, (unsigned long)count, nullptr);
        const bool isCounted = kind != hone_acc_no_create || model.find(from, count);
        model.enter(kind, from, count, true);
        regions.push_back({kind, from, count, isCounted});
      } else if (what == 2) {
        const int kind = below(2) ? int(hone_acc_copyin) : hone_acc_create | hone_acc_zero;
        if (model.isPartly(from, count)) continue;
        hone_acc_enter_data("enter", 1, async, -1, 1, kind, "x", host + from, (unsigned long)count, nullptr);
        model.enter(kind, from, count, false);
      } else if (what == 3) {
        const int kind = (below(2) ? int(hone_acc_copyout) : int(hone_acc_delete)) | (below(4) ? 0 : hone_acc_finalize);
        if (model.isPartly(from, count)) continue;
        hone_acc_exit_data("exit", 1, async, -1, 1, kind, "x", host + from, (unsigned long)count, nullptr);
        model.exit(kind, from, count, false);
      } else if (what == 4) {
        if (model.isPartly(from, count)) continue;
        const bool isToHost = below(2);
        hone_acc_update("update", 1, async, -1, 1,
                        (isToHost ? hone_acc_update_self : hone_acc_update_device) | hone_acc_if_present, "x",
                        host + from, (unsigned long)count, nullptr);
        if (Section* s = model.find(from, count)) {
          unsigned char *h = model.host + from, *d = s->device + from;
          memcpy(isToHost ? h : d, isToHost ? d : h, size_t(count));
        }
      } else if (what == 5) {  // the device writes
        Section* s = model.find(from, count);
        if (acc_is_present(host + from, size_t(count)) != (s != nullptr)) isRight = false;
        if (!s) continue;
        unsigned char value[size];
        for (unsigned char& v : value) v = (unsigned char)below(256);
        acc_memcpy_to_device(acc_deviceptr(host + from), value, size_t(count));
        memcpy(s->device + from, value, size_t(count));
      } else {  // the host writes
        host[from] = model.host[from] = (unsigned char)below(256);
      }
      acc_wait_all();
      isRight = isRight && memcmp(host, model.host, size) == 0;
      for (const Section& s : model.present) {
        unsigned char now[size];
        acc_memcpy_from_device(now, acc_deviceptr(host + s.begin), size_t(s.bytes));
        isRight = isRight && memcmp(now, s.device + s.begin, size_t(s.bytes)) == 0 &&
                  acc_hostptr(acc_deviceptr(host + s.begin)) == host + s.begin;
      }
      for (int k = 0; k < size; ++k)
        isRight = isRight && (acc_is_present(host + k, 1) != 0) == (model.find(k, 1) != nullptr);
      if (!isRight) printf("sequence %d: wrong after step %d (%d)\n", seed, step, what);
    }
    for (; !regions.empty(); regions.pop_back()) hone_acc_data_end("end");
    for (int k = 0; k < size; ++k) acc_delete_finalize(host + k, 1);
    wrong += !isRight;
  }
  printf("%d sequences, %d wrong\n", sequences, wrong);
}
