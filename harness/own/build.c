// SPDX-License-Identifier: MIT
// Translates, compiles and links the workers that the cache lacks: all that can go side by side does.
#include "harness/own/build.h"

#include "harness/installation.h"
#include "harness/interrupt.h"
#include "harness/own/inputs.h"
#include "harness/own/lack.h"
#include "harness/own/tools.h"
#include "harness/pool/gather.h"
#include "harness/support.h"
#include "harness/variant_type.h"
#include "text/foreign_text.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMPILE_SECONDS = 600, SAID_LIMIT = 1 << 20 };

// One worker on its way.
struct making {
    struct own_build *build;
    own_hash key;
    char *scratch;
};

struct workshop {
    struct own_file *file;
    char *cache, *kit;
    struct timespec started;
    struct making *makings;
    size_t count;
    char *why; // a fault of the compilers or the cache, not of the file
};

static bool on_gpu(const struct own_build *build) {
    return strcmp(build->backend, "cuda") == 0;
}

// ---- commands ----

static void add_word(struct text_list *words, char *word) {
    text_list_add(words, word);
    free(word);
}

static void add_list(struct text_list *words, const struct text_list *more) {
    for (size_t i = 0; i < more->count; i++)
        text_list_add(words, more->items[i]);
}

// What cmake/variants.cmake defines for our own kernels.
static void add_definitions(struct text_list *words, const struct own_build *build, const char *kit) {
    static const char *const c_types[] = {"float", "double", "__half", "__nv_bfloat16"};
    enum float_type in = FLOAT_F32, out = FLOAT_F32;
    char tag[] = "bf16_f32", *colon;
    variant_type_parse(build->type, &in, &out); // one of them: file.c looked
    copy_text(tag, sizeof tag, build->type);
    if ((colon = strchr(tag, ':')))
        *colon = '_';
    add_word(words, text_format("-DREDUCTIO_IN=%s", c_types[in]));
    add_word(words, text_format("-DREDUCTIO_OUT=%s", c_types[out]));
    if (float_format(in)->size == sizeof(uint16_t))
        text_list_add(words, "-DREDUCTIO_16_BITS");
    add_word(words, text_format("-DREDUCTIO_TYPE=\"%s\"", build->type));
    add_word(words, text_format("-DREDUCTIO_TAG=%s", tag));
    add_word(words, text_format("-DREDUCTIO_BACKEND=%s", on_gpu(build) ? "cuda" : "simt"));
    text_list_add(words, "-DREDUCTIO_DEVICE_SOURCE");
    text_list_add(words, "-DREDUCTIO_REGISTERS_ITSELF");
    text_list_add(words, "-Dmain=reductio_program_of_its_own"); // a worker has a main of its own
    text_list_add(words, "-I");
    add_word(words, text_format("%s/include", kit));
}

static void add_dependencies(struct text_list *words, const struct making *making) {
    text_list_add(words, "-MD"); // not -MMD: headers of -isystem and CPLUS_INCLUDE_PATH change too
    text_list_add(words, "-MF");
    add_word(words, text_format("%s/inputs.d", making->scratch));
}

static bool translate(const struct workshop *shop, const struct making *making, struct text_list *words) {
    if (on_gpu(making->build))
        return false;
    const struct text_list *taken = &shop->file->taken;
    add_word(words, installed_program("reductio-simt-translate"));
    text_list_add(words, "--headers");
    add_word(words, text_format("%s/headers", making->scratch));
    for (size_t i = 0; i + 1 < taken->count; i++)
        if (strcmp(taken->items[i], "-I") == 0) {
            text_list_add(words, "-I");
            text_list_add(words, taken->items[i + 1]);
        }
    text_list_add(words, shop->file->path);
    add_word(words, text_format("%s/translated.cpp", making->scratch));
    return true;
}

static void compile_for_cpu(const struct workshop *shop, const struct making *making, struct text_list *words) {
    char *path = must_copy_text(shop->file->path);
    text_list_add(words, shop->file->cxx);
    own_tools_add_cxx_options(words, making->build->backend);
    add_list(words, &shop->file->taken);
    add_definitions(words, making->build, shop->kit);
    text_list_add(words, "-isystem");
    add_word(words, text_format("%s/include/harness/simt/include", shop->kit));
    text_list_add(words, "-include"); // as nvcc does by itself
    text_list_add(words, "cuda_runtime.h");
    text_list_add(words, "-iquote"); // the translation lies elsewhere, its includes are the original's
    text_list_add(words, dirname(path));
    add_dependencies(words, making);
    text_list_add(words, "-c");
    add_word(words, text_format("%s/translated.cpp", making->scratch));
    text_list_add(words, "-o");
    add_word(words, text_format("%s/translated.o", making->scratch));
    free(path);
}

static void build_for_gpu(const struct workshop *shop, const struct making *making, struct text_list *words) {
    text_list_add(words, shop->file->nvcc);
    add_list(words, &shop->file->flags);
    add_definitions(words, making->build, shop->kit);
    add_dependencies(words, making);
    text_list_add(words, "-o");
    add_word(words, text_format("%s/worker", making->scratch));
    text_list_add(words, shop->file->path);
    own_tools_add_libraries(words, shop->kit, "cuda");
}

static bool compile(const struct workshop *shop, const struct making *making, struct text_list *words) {
    (on_gpu(making->build) ? build_for_gpu : compile_for_cpu)(shop, making, words);
    return true;
}

static bool link_for_cpu(const struct workshop *shop, const struct making *making, struct text_list *words) {
    if (on_gpu(making->build))
        return false;
    text_list_add(words, shop->file->cxx);
    own_tools_add_link_options(words, making->build->backend);
    text_list_add(words, "-o");
    add_word(words, text_format("%s/worker", making->scratch));
    add_word(words, text_format("%s/translated.o", making->scratch));
    own_tools_add_libraries(words, shop->kit, making->build->backend);
    return true;
}

// ---- steps ----

// Fills in the words of a command; false where a worker needs no such step.
typedef bool step(const struct workshop *shop, const struct making *making, struct text_list *words);

// The first reason stands. `machine_lacks`: nobody but the machine is to blame.
static void give_up(struct workshop *shop, bool machine_lacks, char *why) {
    if (shop->why) {
        free(why);
        return;
    }
    shop->why = why;
    shop->file->machine_lacks = machine_lacks;
}

static bool start_step(struct workshop *shop, step *step, struct making *making, struct gathered *program) {
    struct text_list words = {0};
    char message[CHILD_MESSAGE];
    bool started = !making->build->failure && step(shop, making, &words);
    if (started) {
        char **argv = must_calloc(words.count + 1, sizeof *argv);
        memcpy(argv, words.items, words.count * sizeof *argv);
        enum child_start start = gather_start(program, argv, SAID_LIMIT, 0, message);
        if (start != CHILD_STARTED)
            give_up(shop, start == CHILD_NOT_POSSIBLE, must_copy_text(message));
        free(argv);
    }
    text_list_free(&words);
    return started;
}

static char *how_it_ended(const struct gathered *program) {
    if (program->in_time && WIFSIGNALED(program->status))
        return text_format("the compiler brought signal %d (%s) upon itself.", WTERMSIG(program->status),
                           strsignal(WTERMSIG(program->status)));
    if (program->in_time)
        return text_format("the compiler ended with exit code %d without a word.", WEXITSTATUS(program->status));
    return text_format("the compiler has taken longer than %d s, or said more than %d bytes.", COMPILE_SECONDS,
                       SAID_LIMIT);
}

static void end_step(struct workshop *shop, struct making *making, const struct gathered *program) {
    if (gathered_well(program))
        return;
    const char *said = program->output.bytes;
    char *words;
    enum own_lack lack = own_find_lack(program, &words);
    if (lack == OWN_LACKS_ROOM) {
        give_up(
            shop, true,
            text_format("there is no room to build it: make some in %s and in the temporary folder (TMPDIR), or set "
                        "XDG_CACHE_HOME to another place. The compiler said: %s",
                        shop->cache, words));
    } else if (lack == OWN_LACKS_MACHINE) {
        give_up(shop, true,
                text_format("%s could not be compiled, for which the file is not to blame: the machine lacks memory, "
                            "descriptors or processes, or something ended the compiler: %s",
                            shop->file->path, words));
    } else if (*said && program->in_time && !WIFSIGNALED(program->status)) {
        making->build->failure = must_copy_text(said);
        text_clean_lines(making->build->failure); // it shows lines of the file
    } else {
        give_up(shop, false, how_it_ended(program));
    }
    free(words);
}

static void note_interrupt(struct workshop *shop) {
    if (was_interrupted() && !shop->why)
        shop->why = must_copy_text("it was interrupted.");
}

static void run_step(struct workshop *shop, step *step) {
    struct gathered *programs = must_calloc(shop->count, sizeof *programs);
    bool *started = must_calloc(shop->count, sizeof *started);
    for (size_t i = 0; i < shop->count && !shop->why; i++)
        started[i] = start_step(shop, step, &shop->makings[i], &programs[i]);
    gather_all(programs, shop->count, COMPILE_SECONDS);
    note_interrupt(shop);
    for (size_t i = 0; i < shop->count; i++) {
        if (started[i] && !shop->why)
            end_step(shop, &shop->makings[i], &programs[i]);
        if (started[i])
            gather_free(&programs[i]);
    }
    free(programs);
    free(started);
}

// ---- results ----

static void unlink_parts(const struct making *making) {
    static const char *const parts[] = {"translated.cpp", "translated.o", "inputs.d"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *path = text_format("%s/%s", making->scratch, parts[i]);
        unlink(path);
        free(path);
    }
    char *headers = text_format("%s/headers", making->scratch);
    own_cache_discard(headers);
    free(headers);
}

static void keep(struct workshop *shop, struct making *making) {
    struct text_list inputs = {0};
    char message[OWN_CACHE_MESSAGE];
    own_list_inputs(&inputs, making->scratch, shop->kit, shop->file->path);
    const char *edited = own_find_edited(&inputs, &shop->started);
    if (edited) {
        shop->why = text_format("%s was changed while it was compiled: run it again.", edited);
    } else {
        unlink_parts(making);
        making->build->worker = own_cache_keep(shop->cache, making->key, making->scratch, &inputs, message);
        if (!making->build->worker)
            shop->why = must_copy_text(message);
    }
    text_list_free(&inputs);
}

// ---- the cache ----

static void hash_list(own_hash *hash, const struct text_list *list) {
    for (size_t i = 0; i < list->count; i++)
        own_hash_text(hash, list->items[i]);
    own_hash_text(hash, "");
}

// Everything but the content of the files. The working directory is what relative paths mean, also in findings.
static own_hash key_of(const struct workshop *shop, const struct own_build *build) {
    const struct own_file *file = shop->file;
    own_hash hash = own_hash_start();
    char *here = getcwd(NULL, 0);
    own_hash_text(&hash, here ? here : "");
    own_hash_text(&hash, file->path);
    own_hash_text(&hash, build->backend);
    own_hash_text(&hash, build->type);
    own_hash_text(&hash, on_gpu(build) ? file->nvcc : file->cxx);
    own_hash_text(&hash, on_gpu(build) ? file->nvcc_version : file->cxx_version);
    hash_list(&hash, on_gpu(build) ? &file->flags : &file->taken);
    own_tools_hash_environment(&hash, build->backend);
    own_tools_hash_kit(&hash, shop->kit, build->backend);
    free(here);
    return hash;
}

static void find_or_plan(struct workshop *shop, struct own_build *build) {
    own_hash key = key_of(shop, build);
    char message[OWN_CACHE_MESSAGE];
    build->worker = own_cache_find(shop->cache, key);
    if (build->worker || shop->why)
        return;
    struct making *making = &shop->makings[shop->count];
    *making = (struct making){.build = build, .key = key, .scratch = own_cache_scratch(shop->cache, message)};
    if (making->scratch)
        shop->count++;
    else
        shop->why = must_copy_text(message);
}

static void announce(const struct workshop *shop) {
    char *path = must_copy_text(shop->file->path);
    text_clean(path, strlen(path));
    fprintf(stderr, "compiling %s for", path);
    free(path);
    for (size_t i = 0; i < shop->count; i++)
        fprintf(stderr, "%s %s/%s", i ? "," : "", shop->makings[i].build->backend, shop->makings[i].build->type);
    fputc('\n', stderr);
}

static void note_refusals(struct workshop *shop) {
    for (size_t i = 0; i < shop->count; i++)
        shop->makings[i].build->refused = shop->makings[i].build->failure != NULL;
}

static void make_workers(struct workshop *shop) {
    run_step(shop, translate);
    note_refusals(shop);
    run_step(shop, compile);
    run_step(shop, link_for_cpu);
    for (size_t i = 0; i < shop->count; i++) {
        if (!shop->makings[i].build->failure && !shop->why)
            keep(shop, &shop->makings[i]);
        if (!shop->makings[i].build->worker)
            own_cache_discard(shop->makings[i].scratch);
        free(shop->makings[i].scratch);
    }
    own_cache_prune(shop->cache);
}

char *own_file_build(struct own_file *file, bool quiet) {
    struct workshop shop = {.file = file, .kit = installed_kit()};
    char message[OWN_CACHE_MESSAGE];
    bool watched = begin_watch(); // an interrupt ends the compilers and leaves no scratch folder
    clock_gettime(CLOCK_REALTIME, &shop.started);
    shop.makings = must_calloc(file->build_count, sizeof *shop.makings);
    shop.cache = own_cache_open(message);
    shop.why = shop.cache ? own_tools_ask(file) : must_copy_text(message);
    note_interrupt(&shop);
    for (size_t i = 0; i < file->build_count && !shop.why; i++)
        find_or_plan(&shop, &file->builds[i]);
    if (shop.count && !quiet && !shop.why)
        announce(&shop);
    if (shop.count)
        make_workers(&shop);
    end_watch(watched);
    end_if_interrupted();
    free(shop.cache);
    free(shop.kit);
    free(shop.makings);
    return shop.why;
}
