// SPDX-License-Identifier: MIT
// The compilers, and the kit of what a worker is linked with (harness/installation.h).
#ifndef REDUCTIO_OWN_TOOLS_H
#define REDUCTIO_OWN_TOOLS_H

#include "harness/own/build.h"
#include "harness/own/cache.h"

// Finds $CXX and $CUDACXX, or else the compilers that Reductio was built with, or else those of the PATH.
void own_tools_find(struct own_file *file);
// Asks them which they are. Returns NULL, or one sentence from malloc; where the machine lacks something for it,
// file->machine_lacks is set.
char *own_tools_ask(struct own_file *file);
// The variables by which the environment changes what the compilers of this backend make.
void own_tools_hash_environment(own_hash *hash, const char *backend);
// Those that choose the compiler, flags and headers, where they are set, as assignments before a command, quoted for a
// shell: "NVCC_APPEND_FLAGS=-O3"; from malloc, NULL where none is. For a record, folders of absolute paths are left
// out.
char *own_tools_assignments(const char *backend, bool for_record);
// Everything in the kit that gets into a worker for this backend.
void own_tools_hash_kit(own_hash *hash, const char *kit, const char *backend);
// The libraries of a worker for this backend, as words of a link line.
void own_tools_add_libraries(struct text_list *words, const char *kit, const char *backend);
// The words that the C++ compiler is given for this backend of the emulator, to compile and to link.
void own_tools_add_cxx_options(struct text_list *words, const char *backend);
void own_tools_add_link_options(struct text_list *words, const char *backend);

#endif
