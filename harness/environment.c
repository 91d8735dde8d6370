// SPDX-License-Identifier: MIT
#include "harness/environment.h"

#include "harness/build_info.h" // written by CMake at build time
#include "harness/support.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

// One of the values that a line lists.
static bool lists_value(const char *list, const char *value) {
    size_t length = strlen(value);
    for (const char *at = list; (at = strstr(at, value)); at++) {
        bool starts = at == list || (at >= list + 2 && memcmp(at - 2, "; ", 2) == 0);
        if (starts && (!at[length] || strncmp(at + length, "; ", 2) == 0))
            return true;
    }
    return false;
}

void add_environment(struct run_result *result, const char *prefix, const char *key, const char *value) {
    char *name = *prefix ? text_format("%s.%s", prefix, key) : must_copy_text(key);
    for (size_t i = 0; i < result->environment_count; i++) {
        struct text_pair *line = &result->environment[i];
        if (strcmp(line->key, name) != 0)
            continue;
        if (!lists_value(line->value, value)) { // two workers of one backend mostly say the same
            char *longer = text_format("%s; %s", line->value, value);
            free(line->value);
            line->value = longer;
        }
        free(name);
        return;
    }
    result->environment = grow_array(result->environment, result->environment_count, sizeof *result->environment);
    result->environment[result->environment_count++] = (struct text_pair){name, must_copy_text(value)};
}

// The processor's own name; the file has other lines on other architectures.
static void read_cpu(char *text, size_t size) {
    char line[256];
    snprintf(text, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, size, "%.120s, %ld cores", colon + 2, sysconf(_SC_NPROCESSORS_ONLN));
            break;
        }
    }
    fclose(file);
}

void record_environment(struct run_result *result) {
    struct utsname system;
    char text[192];
    add_environment(result, "", "version", BUILD_VERSION);
    add_environment(result, "", "commit", BUILD_COMMIT);
    add_environment(result, "", "compiler", BUILD_COMPILER);
    add_environment(result, "", "flags", BUILD_FLAGS);
    read_cpu(text, sizeof text);
    add_environment(result, "", "cpu", text);
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%.60s %.60s", system.sysname, system.machine);
        add_environment(result, "", "system", text);
    }
    add_environment(result, "", "mpfr", mpfr_get_version());
}

const char *build_version(void) {
    return BUILD_VERSION;
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

// `path` is absolute.
static char *path_without_folder(const char *path) {
    char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/' && path[length + 1];
    const char *rest = below ? path + length + 1 : NULL;
    char *kept = below ? text_format("%s%s", *rest == '-' ? "./" : "", rest) // which would be read as an option
                       : text_format("...%s", strrchr(path, '/'));
    free(here);
    return kept;
}

char *argument_without_folder(const char *argument) {
    bool joined = *argument == '-' && argument[1] && argument[2] == '/'; // -I/usr/include
    const char *equals = *argument == '-' ? strchr(argument, '=') : NULL;
    const char *value = joined ? argument + 2 : equals ? equals + 1 : argument;
    if (starts_with(argument, "--exec=")) {
        char *command = command_without_folders(value);
        char *whole = text_format("--exec=%s", command);
        free(command);
        return whole;
    }
    if (*value != '/')
        return must_copy_text(argument);
    char *path = path_without_folder(value);
    char *whole = text_format("%.*s%s", (int)(value - argument), argument, path);
    free(path);
    return whole;
}

// A path begins where a word of the shell or the value of an option does.
static bool begins_path(const char *command, const char *at) {
    if (*at != '/')
        return false;
    bool joined = at - command >= 2 && at[-2] == '-' && (at - command == 2 || at[-3] == ' '); // -I/usr/include
    return at == command || joined || strchr(" \t\n'\"=:;|&([{<>@,`$", at[-1]) != NULL;
}

char *command_without_folders(const char *command) {
    char *whole = must_copy_text("");
    for (const char *at = command; *at;) {
        size_t length = begins_path(command, at) ? strcspn(at, " \t\n'\":;|&()[]{}<>,`") : 1;
        char *piece = text_format("%.*s", (int)length, at);
        char *kept = length > 1 ? path_without_folder(piece) : must_copy_text(piece);
        char *longer = text_format("%s%s", whole, kept);
        free(piece);
        free(kept);
        free(whole);
        whole = longer;
        at += length;
    }
    return whole;
}

void record_command_line(struct run_result *result, char *const *argv, size_t argc) {
    result->argc = argc;
    result->argv = must_calloc(argc, sizeof *result->argv);
    for (size_t i = 0; i < argc; i++) {
        bool is_command = i > 0 && strcmp(argv[i - 1], "--exec") == 0;
        result->argv[i] = (is_command ? command_without_folders : argument_without_folder)(argv[i]);
    }
}
