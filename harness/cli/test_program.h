// SPDX-License-Identifier: MIT
// Test support: runs the program in a scratch directory and looks at what it leaves there. A test of this kind is run
// as: test PROGRAM DIRECTORY, where DIRECTORY is one that it may fill.
#ifndef REDUCTIO_TEST_PROGRAM_H
#define REDUCTIO_TEST_PROGRAM_H

#include <check.h>
#include <stdbool.h>

extern const char *program, *directory;

// False with a sentence where the arguments are not those two. Puts broken.json and array.json there, which are no
// results files.
bool take_arguments(int argc, char **argv);
void keep_own_cache(void);   // of compiled files, in the directory
int run_suite(Suite *suite); // the exit code of the test

// The exit code of `reductio ARGUMENTS`; out.txt and err.txt hold what it printed.
int run(const char *arguments);
int run_in(const char *environment, const char *arguments); // with "NAME=value NAME=value" before it
// `check FILE` of a file of one's own, with few cases of f32 and more words; own.json is its record.
#define FEW "--quiet --backend simt --case integers --case 'coverage' --case uniform --json own.json"
int check_file(const char *file, const char *more);
void shell(const char *text); // a command that must succeed

void write_file(const char *name, const char *text);
void unlink_file(const char *name);
char *read_file(const char *name, size_t *length); // from malloc, ended by a NUL; NULL where there is no such file
bool file_holds(const char *name, const char *text);
bool file_is_json(const char *name); // one document and nothing behind it
bool file_exists(const char *name);

#endif
