#include "capture/HostSymbols.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace hone::capture {

void HostSymbols::read() {
  uint64_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &bias);
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Elf64_Ehdr head;
  if (file.size() < sizeof head) return;
  std::memcpy(&head, file.data(), sizeof head);
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_shoff + sections.size() * sizeof(Elf64_Shdr) > file.size())
    return;
  std::memcpy(sections.data(), file.data() + head.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size() ||
        table.sh_offset + table.sh_size > file.size())
      continue;
    const Elf64_Shdr& strings = sections[table.sh_link];
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym one;
      std::memcpy(&one, file.data() + table.sh_offset + at, sizeof one);
      if (ELF64_ST_TYPE(one.st_info) == STT_OBJECT && strings.sh_offset + one.st_name < file.size())
        names[bias + one.st_value] = file.c_str() + strings.sh_offset + one.st_name;
    }
  }
}

std::string HostSymbols::nameOf(const void* variable) {
  if (!isRead) read();
  isRead = true;
  const auto known = names.find(reinterpret_cast<uint64_t>(variable));
  return known == names.end() ? "" : known->second;
}

}  // namespace hone::capture
