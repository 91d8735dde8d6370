// SPDX-License-Identifier: MIT
// The variants and backends at hand: asked of the worker executables that lie beside the program.
#ifndef REDUCTIO_CATALOG_H
#define REDUCTIO_CATALOG_H

#include "harness/protocol.h"
#include "harness/result.h"
#include "harness/selection.h"
#include "reference/float_type.h"

// Whether a device opens. A GPU takes a second to, and longer the more processes open it at once: none is tried before
// a row that was chosen, or a question, needs it. Whoever needs it asks catalog_is_present.
enum device_state { DEVICE_NOT_TRIED, DEVICE_OPENS, DEVICE_ABSENT };

struct catalog_backend {
    const char *name;
    char *worker;                  // path of the executable
    char *load;                    // what it is told to load; NULL: nothing
    enum device_state device;      // from the start DEVICE_ABSENT where the executable has told no rows
    char *absent;                  // of DEVICE_ABSENT: why, in one sentence
    struct text_pair *environment; // what is known of the build, and once its device opens also of the machine
    size_t environment_count;
    uint64_t max_n;       // elements that the tiers may give it, in the time that there is; no row refuses more
    bool hazard;          // the emulator's kernels, compiled with the sanitizer of this name
    double start_seconds; // that its worker may take to start
    bool brought;         // by the command line: a file, a plug-in, a program
    const char *file;     // the .cu file that it was built from, as it was given; NULL: none. It stays the caller's
    bool lost;            // its worker cannot be executed although every build makes it
    // What a command line needs to have its rows again: as it was given, and as a record may hold it.
    struct row_call given, recorded;
    // Of a plug-in that cannot be loaded, which keeps one row that says so, and of a user's file whose worker finds no
    // device where ours does: what happened, in one sentence, and as an outcome of its rows. NULL: nothing. The outcome
    // is also that of a program that does not answer: WORK_LOST where that is no fault of its own, WORK_NOT_POSSIBLE
    // where there is none to start.
    char *fault;
    enum work_outcome outcome;
};

struct catalog_variant {
    struct variant_card card;
    enum float_type in, out;
    int backend; // index
    bool faulty;
};

struct catalog {
    struct catalog_backend *backends;
    size_t backend_count;
    struct catalog_variant *variants;
    size_t variant_count;
    struct catalog_variant *probes; // rows that are no sums but questions, see harness/hardware.h
    size_t probe_count;
    unsigned devices;       // GPUs of this machine
    unsigned device;        // number of the one that runs every cell whose schedule names no other
    struct text_list notes; // sentences for the reader of a run
};

// Looks for the workers in $REDUCTIO_WORKERS, beside the program, or in ../libexec/reductio of it, and asks them for
// their rows. `device` is the number of the GPU that is to be used.
void catalog_load(struct catalog *catalog, unsigned device);
// Whether the backend's device opens, which the first to ask waits for: so ask last, of a row that is to run. Where one
// is absent that rows of a plug-in want, they are to be had all the same, and from now on their cards say why not to
// run; where a user's file has a worker of its own that finds none, they have a fault.
bool catalog_is_present(struct catalog *catalog, int backend);
// Adds the hazard builds of the emulator as the backends "tsan" and "asan". Workers started from now on run without
// address randomisation, which old sanitizers do not survive.
void catalog_add_hazards(struct catalog *catalog);
// The number with which the backend's line `key` of its environment starts; 0 without such a line.
unsigned catalog_backend_number(const struct catalog_backend *backend, const char *key);
// Adds the rows of a program that sums (harness/exec/README.md) as a backend "exec"; it must say hello within
// `seconds`, 0: a default that a large library can meet. False with one sentence in message (BACKEND_MESSAGE bytes)
// where it cannot be used, or where two rows would have the same name.
bool catalog_add_program(struct catalog *catalog, const char *command, double seconds, char *message);
// A worker that was built from the user's own source.
struct catalog_build {
    const char *backend;             // that it was built for
    const char *worker;              // path of the executable
    const char *file;                // as the user gave it; it stays the caller's
    const char *source;              // the same for a record
    struct row_call given, recorded; // as in struct catalog_backend; they stay the caller's
    const char *compiler, *flags;    // for the record
};
// Adds its rows, as another backend of the name; where its device is absent they are listed and not run. There may
// be none: a `launch` that takes floats has no row of f64. False with one sentence in message (BACKEND_MESSAGE bytes)
// where the worker does not answer, or a name is taken by a row from elsewhere.
bool catalog_add_build(struct catalog *catalog, const struct catalog_build *build, char *message);
// Adds the rows of a plug-in (reductio_plugin.h): to a second backend "host", and those that want device memory to a
// second backend "cuda", present where the first one is. A plug-in that cannot be loaded within `seconds`
// (0: a default) is in the catalogue too, with its fault. False with one sentence in message (BACKEND_MESSAGE bytes)
// where there is no such file or another plug-in has its name.
bool catalog_add_plugin(struct catalog *catalog, const char *path, double seconds, char *message);
// Whether its kernel takes so many elements.
static inline bool catalog_row_takes(const struct catalog_variant *row, uint64_t n) {
    return !row->card.max_n || n <= row->card.max_n;
}
bool catalog_is_emulated(const struct catalog *catalog, int variant);
// What happened to the plug-in or the file whose row it is, NULL if nothing did: such a row is given no worker.
const struct catalog_backend *catalog_fault(const struct catalog *catalog, size_t variant);
void catalog_free(struct catalog *catalog);
void catalog_free_call(struct row_call *call);
int catalog_find_variant(const struct catalog *catalog, const char *name, const char *backend, const char *type);
int catalog_find_backend(const struct catalog *catalog, const char *name);

#endif
