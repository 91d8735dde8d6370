// SPDX-License-Identifier: MIT
// Whole files or none: a report is written beside its place, synced and renamed.
#include "reports/reports.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool say(char *message, const char *path, int error) {
    snprintf(message, REPORT_MESSAGE, "%.400s cannot be written: %s.", path, strerror(error));
    return false;
}

// Writes, flushes and closes. The writer's own message wins over errno's.
static bool write_stream(FILE *out, whole_writer *writer, const void *what, const char *path, char *message) {
    *message = '\0';
    errno = 0;
    bool good = writer(what, out, message);
    int error = good || !*message ? errno : 0;
    if (fflush(out) || ferror(out)) {
        good = false;
        *message = '\0';
        error = errno ? errno : EIO;
    }
    if (out != stdout) {
        if (good && fsync(fileno(out)) && errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
            good = false;
            error = errno;
        }
        if (fclose(out) && good) {
            good = false;
            error = errno;
        }
    }
    if (!good && !*message)
        say(message, path, error ? error : EIO);
    return good;
}

static bool is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// mkstemp makes files for the owner alone; a report gets the permissions that any new file would.
static bool share_file(int descriptor) {
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(descriptor, 0666 & ~mask) == 0;
}

static bool save_beside(const char *path, char *temporary, whole_writer *writer, const void *what, char *message) {
    int descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return say(message, path, errno);
    FILE *out = share_file(descriptor) ? fdopen(descriptor, "w") : NULL;
    int error = errno;
    bool good;
    if (out) {
        good = write_stream(out, writer, what, path, message);
    } else {
        close(descriptor);
        good = say(message, path, error);
    }
    if (good && rename(temporary, path))
        good = say(message, path, errno);
    if (!good)
        unlink(temporary);
    return good;
}

// An interrupt waits until the file is in its place, or gone: nobody is left to remove half of one.
static bool save_uninterrupted(const char *path, char *temporary, whole_writer *writer, const void *what,
                               char *message) {
    sigset_t interrupts, before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    bool good = save_beside(path, temporary, writer, what, message);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

bool save_whole(const char *path, whole_writer *writer, const void *what, char *message) {
    if (!strcmp(path, "-"))
        return write_stream(stdout, writer, what, "standard output", message);
    if (is_special(path)) {
        FILE *out = fopen(path, "w");
        return out ? write_stream(out, writer, what, path, message) : say(message, path, errno);
    }
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(size);
    if (!temporary)
        return say(message, path, ENOMEM);
    snprintf(temporary, size, "%s.XXXXXX", path);
    bool good = save_uninterrupted(path, temporary, writer, what, message);
    free(temporary);
    return good;
}

struct report {
    report_writer *writer;
    const json_t *run;
};

static bool write_report(const void *what, FILE *out, char *message) {
    const struct report *report = what;
    return report->writer(report->run, out, message);
}

bool report_save(const char *path, report_writer *writer, const json_t *run, char *message) {
    struct report report = {writer, run};
    return save_whole(path, write_report, &report, message);
}
