// SPDX-License-Identifier: MIT
// Every command: what runs it, what it is told with, and the options that it reads. What a command does not read, it is
// not given: options are held against this table before a command starts, so that none is ignored in silence.
#ifndef REDUCTIO_COMMAND_TABLE_H
#define REDUCTIO_COMMAND_TABLE_H

#include "harness/cli/commands.h"

struct command {
    const char *name;
    const char *word;     // "list cases": the first word that makes it this form of the command; NULL: any
    option_set only_with; // "study --search": the option that does, as a set of one
    command_function *run;
    option_set takes;
    enum option_id output; // what -o is another name of; OPTION_OUTPUT: it is a name of its own
    const char *json;      // where its results go unless --json says
    bool json_alone;       // only where no other file is named
    bool takes_kernels;    // the user's own .cu files
    bool words_are_files;  // to be read
    bool tells_github;     // appends to GITHUB_STEP_SUMMARY
    const char *help;      // of the command, in the first of its forms
};

// NULL where there is no command of that name.
const struct command *command_find(const char *name);
bool command_takes_kernels(const char *name); // in some form
// The form that the options and words make of it. NULL, with a sentence on stderr, where it does not read one of them.
const struct command *command_choose(const char *name, const struct options *options);
// What -o and the command's own default come to.
bool command_set_outputs(const struct command *command, struct options *options);
void command_print_help(const char *name, FILE *out);
void command_print_all_help(FILE *out);

#endif
