// SPDX-License-Identifier: MIT
#include "harness/own/tools.h"

#include "harness/environment.h"
#include "harness/installation.h"
#include "harness/own/flags.h"
#include "harness/own/lack.h"
#include "harness/own_kit.h" // written by CMake: the compilers and options of this build
#include "harness/pool/gather.h"
#include "harness/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION_LIMIT = 65536, VERSION_SECONDS = 60 };

static bool is(const char *backend, const char *name) {
    return strcmp(backend, name) == 0;
}

// ---- compilers ----

// A path as it is, a bare name along the PATH; from malloc, NULL where there is no such program.
static char *find_program(const char *name) {
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? must_copy_text(name) : NULL;
    const char *path = getenv("PATH");
    char *folders = must_copy_text(path ? path : "/usr/local/bin:/usr/bin:/bin"), *rest = NULL, *found = NULL;
    for (char *folder = strtok_r(folders, ":", &rest); folder && !found; folder = strtok_r(NULL, ":", &rest)) {
        found = text_format("%s/%s", folder, name);
        if (access(found, X_OK) != 0) {
            free(found);
            found = NULL;
        }
    }
    free(folders);
    return found;
}

// What the environment names must be there; otherwise the first that is.
static char *find_compiler(const char *variable, const char *const *names) {
    const char *chosen = getenv(variable);
    if (chosen && *chosen)
        return find_program(chosen);
    char *found = NULL;
    for (; *names && !found; names++)
        found = **names ? find_program(*names) : NULL;
    return found;
}

void own_tools_find(struct own_file *file) {
    static const char *const cxx[] = {OWN_CXX, "c++", "g++", "clang++", NULL};
    static const char *const nvcc[] = {OWN_NVCC, "nvcc", "/usr/local/cuda/bin/nvcc", NULL};
    file->cxx = find_compiler("CXX", cxx);
    file->nvcc = find_compiler("CUDACXX", nvcc);
}

// g++ says which it is in the first line, nvcc in the fourth.
static char *pick_version(const char *text) {
    const char *line = strstr(text, "Cuda compilation tools");
    line = line ? line : text;
    return text_format("%.*s", (int)strcspn(line, "\n"), line);
}

static char *why_no_answer(struct own_file *file, const char *compiler, const struct gathered *answer) {
    char *words;
    file->machine_lacks = own_find_lack(answer, &words) != OWN_LACKS_NOTHING;
    char *why = text_format("%s --version does not answer%s%s", compiler, words ? ": " : ".", words ? words : "");
    free(words);
    return why;
}

char *own_tools_ask(struct own_file *file) {
    struct {
        const char *compiler;
        char **version;
    } tools[] = {{file->cxx, &file->cxx_version}, {file->nvcc, &file->nvcc_version}};
    struct gathered answers[2] = {{.in_time = false}};
    char message[CHILD_MESSAGE], *why = NULL;
    for (int i = 0; i < 2 && !why; i++) {
        char *argv[] = {(char *)tools[i].compiler, "--version", NULL};
        enum child_start start =
            tools[i].compiler ? gather_start(&answers[i], argv, VERSION_LIMIT, 0, message) : CHILD_STARTED;
        file->machine_lacks |= start == CHILD_NOT_POSSIBLE;
        why = start == CHILD_STARTED ? NULL : must_copy_text(message);
    }
    gather_all(answers, 2, VERSION_SECONDS);
    for (int i = 0; i < 2; i++) {
        if (tools[i].compiler && !why && !gathered_well(&answers[i]))
            why = why_no_answer(file, tools[i].compiler, &answers[i]);
        if (tools[i].compiler && !why)
            *tools[i].version = pick_version(answers[i].output.bytes);
        gather_free(&answers[i]);
    }
    return why;
}

// ---- the environment ----

// GCC manual, "Environment Variables Affecting GCC"; CUDA Compiler Driver NVCC, "NVCC Environment Variables". nvcc
// looks for its host compiler along the PATH, and the host compiler reads its own variables.
static const char *const cxx_variables[] = {"CPATH",        "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX",
                                            "LIBRARY_PATH", "COMPILER_PATH",      NULL};
static const char *const nvcc_variables[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "PATH", NULL};

static void hash_variables(own_hash *hash, const char *const *names) {
    for (; *names; names++) {
        const char *value = getenv(*names);
        own_hash_text(hash, value ? *names : ""); // for g++ an empty one is the working directory, none is none
        own_hash_text(hash, value ? value : "");
    }
}

void own_tools_hash_environment(own_hash *hash, const char *backend) {
    hash_variables(hash, cxx_variables);
    if (is(backend, "cuda"))
        hash_variables(hash, nvcc_variables);
}

static char *append_assignments(char *text, const char *const *names, bool for_record) {
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (!value)
            continue;
        char *kept = for_record ? command_without_folders(value) : must_copy_text(value);
        char *word = own_flags_text(&(struct text_list){.items = &kept, .count = 1});
        text = text_append(text, "%s=%s", *names, word);
        free(kept);
        free(word);
    }
    return text;
}

char *own_tools_assignments(const char *backend, bool for_record) {
    static const char *const cxx[] = {"CXX", NULL}, *const both[] = {"CPATH", "CPLUS_INCLUDE_PATH", NULL};
    static const char *const nvcc[] = {"CUDACXX", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", NULL};
    char *text = append_assignments(NULL, is(backend, "cuda") ? nvcc : cxx, for_record);
    return append_assignments(text, both, for_record);
}

// ---- the kit ----

static const char *backend_library(const char *backend) {
    return is(backend, "cuda")   ? "libreductio_cuda.a"
           : is(backend, "tsan") ? "libreductio_simt_tsan.a"
           : is(backend, "asan") ? "libreductio_simt_asan.a"
                                 : "libreductio_simt.a";
}

bool own_build_possible(const char *backend) {
    char *kit = installed_kit(), *library = text_format("%s/%s", kit, backend_library(backend));
    bool possible = access(library, R_OK) == 0;
    free(kit);
    free(library);
    return possible;
}

static void note_if_lost(const char *path, int how, char **lost) {
    if (!*lost && access(path, how) != 0)
        *lost = text_format("%s is missing: build or install reductio anew.", path);
}

char *own_tools_lost_part(void) {
    static const char *const files[] = {OWN_KIT_FILES NULL};
    char *translator = installed_program("reductio-simt-translate"), *kit = installed_kit(), *lost = NULL;
    note_if_lost(translator, X_OK, &lost);
    for (size_t i = 0; files[i]; i++) {
        char *path = text_format("%s/%s", kit, files[i]);
        note_if_lost(path, R_OK, &lost);
        free(path);
    }
    free(translator);
    free(kit);
    return lost;
}

static const char *const own_libraries[] = {"libreductio_worker.a", "libreductio_own.a", NULL, "libreductio_guarded.a",
                                            "libreductio_float_type.a"};

static char *library_path(const char *kit, const char *backend, size_t index) {
    return text_format("%s/%s", kit, own_libraries[index] ? own_libraries[index] : backend_library(backend));
}

void own_tools_add_libraries(struct text_list *words, const char *kit, const char *backend) {
    for (size_t i = 0; i < sizeof own_libraries / sizeof *own_libraries; i++) {
        char *library = library_path(kit, backend, i);
        text_list_add(words, library);
        free(library);
    }
    static const char *const others[] = {OWN_FIBER_LIBRARIES NULL};
    for (size_t i = 0; others[i] && !is(backend, "cuda"); i++)
        text_list_add(words, others[i]);
    text_list_add(words, "-lm");
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Headers by name in a fixed order, folders within folders.
static void hash_folder(own_hash *hash, const char *folder) {
    struct text_list names = {0};
    DIR *directory = opendir(folder);
    for (struct dirent *item; directory && (item = readdir(directory));)
        if (*item->d_name != '.')
            text_list_add(&names, item->d_name);
    if (directory)
        closedir(directory);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    for (size_t i = 0; i < names.count; i++) {
        char *path = text_format("%s/%s", folder, names.items[i]);
        own_hash_text(hash, names.items[i]);
        if (!own_hash_file(hash, path))
            hash_folder(hash, path);
        free(path);
    }
    text_list_free(&names);
}

void own_tools_hash_kit(own_hash *hash, const char *kit, const char *backend) {
    char *include = text_format("%s/include", kit), *translator = installed_program("reductio-simt-translate");
    for (size_t i = 0; i < sizeof own_libraries / sizeof *own_libraries; i++) {
        char *library = library_path(kit, backend, i);
        own_hash_file(hash, library);
        free(library);
    }
    hash_folder(hash, include);
    own_hash_file(hash, translator);
    free(include);
    free(translator);
}

// ---- options ----

static void add_words(struct text_list *words, const char *const *more) {
    for (; *more; more++)
        text_list_add(words, *more);
}

void own_tools_add_cxx_options(struct text_list *words, const char *backend) {
    static const char *const all[] = {"-std=c++20", "-w", OWN_SIMT_OPTIONS NULL};
    static const char *const plain[] = {"-O3", NULL};
    static const char *const tsan[] = {"-DREDUCTIO_SIMT_TSAN", OWN_TSAN_OPTIONS NULL};
    static const char *const asan[] = {"-DREDUCTIO_SIMT_ASAN", OWN_ASAN_OPTIONS NULL};
    add_words(words, all);
    add_words(words, is(backend, "tsan") ? tsan : is(backend, "asan") ? asan : plain);
}

void own_tools_add_link_options(struct text_list *words, const char *backend) {
    static const char *const plain[] = {OWN_LINK_OPTIONS NULL};
    static const char *const tsan[] = {"-fsanitize=thread", NULL};
    static const char *const asan[] = {"-fsanitize=address", NULL};
    add_words(words, is(backend, "tsan") ? tsan : is(backend, "asan") ? asan : plain);
}
