// SPDX-License-Identifier: MIT
// The flags that an author gives nvcc. Those that say what the program is (macros, include paths) are the C++
// compiler's too, when the same file is compiled for the emulator; those about code generation are nvcc's alone.
#ifndef REDUCTIO_OWN_FLAGS_H
#define REDUCTIO_OWN_FLAGS_H

#include "harness/selection.h"

// Appends each flag to one of the two lists. Returns NULL, or one sentence from malloc about a flag that cannot be
// taken because it chooses what the compiler makes.
char *own_flags_split(const struct text_list *flags, struct text_list *taken, struct text_list *left);
// "NAME=FLAGS" for one of nvcc's variables NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS, with folders left out as in a
// record; from malloc, NULL where it gives no flags.
char *own_flags_of_variable(const char *name);
// The words joined by blanks, each quoted for a shell where it needs it; from malloc, "" for none.
char *own_flags_text(const struct text_list *words);

#endif
