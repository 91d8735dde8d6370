// SPDX-License-Identifier: MIT
#include "harness/installation.h"

#include "harness/support.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static char *program_directory(void) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        harness_failed("cannot tell where the program lies.");
    path[length] = '\0';
    return must_copy_text(dirname(path));
}

char *installed_program(const char *name) {
    char *here = program_directory();
    char *path = text_format("%s/%s", here, name);
    if (access(path, X_OK) != 0) {
        free(path);
        path = text_format("%s/../libexec/reductio/%s", here, name);
    }
    free(here);
    return path;
}

char *installed_folder(const char *name) {
    char *here = program_directory();
    char *path = text_format("%s/../%s", here, name);
    free(here);
    return path;
}

char *installed_kit(void) {
    return installed_folder("lib/reductio");
}
