// SPDX-License-Identifier: MIT
// Workers built from the user's own .cu file, one for each backend and type: translated and compiled by the C++
// compiler for the emulator and its hazard builds, compiled by nvcc with the author's flags for the GPU. What they are
// linked with lies in the folder lib/reductio beside the program's.
#ifndef REDUCTIO_OWN_BUILD_H
#define REDUCTIO_OWN_BUILD_H

#include "harness/selection.h"

enum { OWN_MESSAGE = 1024 };

// One worker that is wanted, and what became of it.
struct own_build {
    const char *backend; // "simt", "tsan", "asan", "cuda"
    const char *type;    // "f32", "f64", "f32:f64"
    char *worker;        // path, NULL: it was not built
    char *failure;       // all that the translator or compiler said; NULL: nothing went wrong
    bool refused;        // by the translator: the emulator lacks something
};

// A file, how it is compiled, and what is wanted of it.
struct own_file {
    const char *path;
    struct text_list flags;       // the author's own, as given
    struct text_list taken, left; // those that the C++ compiler is given too, and those that it is not
    char *cxx, *nvcc;             // compilers, NULL: there is none
    char *cxx_version, *nvcc_version;
    struct own_build *builds;
    size_t build_count;
    bool machine_lacks; // what own_file_build returns is no word about the file, its flags, the compilers or the cache
};

// Whether what a worker for this backend is linked with is there.
bool own_build_possible(const char *backend);
// One sentence from malloc about a part of the kit, or the translator, that a whole build or installation would have;
// NULL: all are there.
char *own_tools_lost_part(void);
// Reads the file's own lines "// Types:" and "// Backends:", and plans its builds for those of `backends` that it names
// and nvcc or the C++ compiler are there for; `types` empty: all. Returns NULL, or one sentence from malloc: the file
// cannot be read, a flag cannot be taken, nothing is left to build.
char *own_file_open(struct own_file *file, const char *path, const struct text_list *flags,
                    const struct text_list *backends, const struct text_list *types);
// Builds what is not in the cache. Returns NULL, or one sentence from malloc about the cache, the compilers or what the
// machine lacks; what is wrong with the file itself is in `failure` of the builds. Unless quiet, says on stderr what is
// being compiled.
char *own_file_build(struct own_file *file, bool quiet);
void own_file_free(struct own_file *file);

#endif
