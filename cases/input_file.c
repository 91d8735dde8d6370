// SPDX-License-Identifier: MIT
#include "cases/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool say(char *fault, const char *what) {
    snprintf(fault, INPUT_FAULT, "%s", what);
    return false;
}

// The null device: Linux, Documentation/admin-guide/devices.txt.
static bool is_null_device(const struct stat *status) {
    return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

// A pipe with a name is opened for as long as nobody opens its other end.
static bool is_nameless_pipe(const char *path, const struct stat *status) {
    struct statfs system;
    return S_ISFIFO(status->st_mode) && statfs(path, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

bool input_file_check(const char *path, char fault[INPUT_FAULT]) {
    struct stat status;
    if (stat(path, &status) != 0)
        return say(fault, strerror(errno));
    if (S_ISREG(status.st_mode) || is_null_device(&status) || is_nameless_pipe(path, &status))
        return true;
    return say(fault, S_ISDIR(status.st_mode)    ? "it is a folder"
                      : S_ISFIFO(status.st_mode) ? "it is a named pipe, which may never end"
                      : S_ISSOCK(status.st_mode) ? "it is a socket"
                                                 : "it is a device");
}

FILE *input_file_open(const char *path, char fault[INPUT_FAULT]) {
    if (!input_file_check(path, fault))
        return NULL;
    FILE *file = fopen(path, "rbe");
    if (!file)
        say(fault, strerror(errno));
    return file;
}
