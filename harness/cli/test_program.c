// SPDX-License-Identifier: MIT
#include "harness/cli/test_program.h"

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *program, *directory;

// Runs `ENVIRONMENT reductio ARGUMENTS` in the scratch directory; stdout and stderr go to files there.
int run_in(const char *environment, const char *arguments) {
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && %s '%s' %s >out.txt 2>err.txt </dev/null", directory, environment,
             program, arguments);
    int status = system(command);
    ck_assert_msg(WIFEXITED(status), "%s did not exit", arguments);
    return WEXITSTATUS(status);
}

int run(const char *arguments) {
    return run_in("", arguments);
}

int check_file(const char *file, const char *more) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "check %s " FEW " %s", file, more);
    return run(arguments);
}

// A shell command in the scratch directory, which must succeed.
void shell(const char *text) {
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && %s", directory, text);
    ck_assert_msg(system(command) == 0, "%s", text);
}

// All of it: how large a report is depends on how much the machine got done.
char *read_file(const char *name, size_t *length) {
    char path[1024], *content = NULL;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    ck_assert_int_ge(size, 0);
    rewind(file);
    content = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(content);
    *length = fread(content, 1, (size_t)size, file);
    ck_assert_uint_eq(*length, (size_t)size);
    content[*length] = '\0';
    fclose(file);
    return content;
}

bool file_holds(const char *name, const char *text) {
    size_t length;
    char *content = read_file(name, &length);
    bool holds = content && memmem(content, length, text, strlen(text)) != NULL;
    free(content);
    return holds;
}

bool file_is_json(const char *name) {
    size_t length;
    char *content = read_file(name, &length);
    json_t *root = content ? json_loadb(content, length, 0, NULL) : NULL;
    bool is = root != NULL;
    json_decref(root);
    free(content);
    return is;
}

bool file_exists(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

void write_file(const char *name, const char *text) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

void unlink_file(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    unlink(path);
}

bool take_arguments(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s PROGRAM DIRECTORY\n", argv[0]);
        return false;
    }
    program = argv[1];
    directory = argv[2];
    mkdir(directory, 0777);
    // a job's own variables must not reach the runs that are tested
    static const char *const variables[] = {"GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GTEST_TOTAL_SHARDS",
                                            "GTEST_SHARD_INDEX"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    write_file("broken.json", "{\"schema_version\": 1, \"cells\": [");
    write_file("array.json", "[1, 2, 3]");
    return true;
}

void keep_own_cache(void) {
    char cache[1200];
    snprintf(cache, sizeof cache, "%s/cache", directory);
    setenv("XDG_CACHE_HOME", cache, 1);
}

int run_suite(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
