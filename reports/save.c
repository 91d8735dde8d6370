// SPDX-License-Identifier: MIT
// Whole files or none: a report is written beside its place, synced and renamed.
#include "reports/reports.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
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
    if (good && fsync(fileno(out)) && errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
        good = false;
        error = errno;
    }
    if (fclose(out) && good) {
        good = false;
        error = errno;
    }
    if (!good && !*message)
        say(message, path, error ? error : EIO);
    return good;
}

// Where a path leads: nowhere yet, to a regular file, or to what can only be written through (a pipe, a device).
struct target {
    bool exists, is_folder, is_stdout, is_special, is_dangling; // is_dangling: a link to nothing
    char *path;                                                 // of the file itself, behind any links; from malloc
};

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// That it is closed, or open for reading alone.
static int standard_output_fault(void) {
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    return flags < 0 || (flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
}

// A link stays, and what it leads to is replaced: /dev/stdout, above all, must outlive a report.
static bool find_target(struct target *target, const char *path) {
    struct stat status, out, link;
    *target = (struct target){.is_stdout = !strcmp(path, "-")};
    if (!target->is_stdout && stat(path, &status) == 0) {
        target->exists = true;
        target->is_folder = S_ISDIR(status.st_mode);
        bool is_pipe_to_nowhere = S_ISFIFO(status.st_mode) && standard_output_fault();
        target->is_stdout = fstat(STDOUT_FILENO, &out) == 0 && is_same_file(&status, &out) &&
                            (S_ISREG(status.st_mode) || is_pipe_to_nowhere);
        target->is_special = !target->is_folder && !S_ISREG(status.st_mode) && !target->is_stdout;
    }
    target->is_dangling = !target->exists && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    char *real = target->exists && !target->is_special ? realpath(path, NULL) : NULL;
    target->path = real ? real : strdup(path);
    return target->path;
}

// mkstemp makes files for the owner alone; a report gets the permissions that any new file would.
static bool share_file(int descriptor) {
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(descriptor, 0666 & ~mask) == 0;
}

// What a file is written as, and the name that it then gets.
struct place {
    const char *given;  // for messages
    const char *target; // the name
    char *temporary;    // beside it, ends with XXXXXX
    bool must_be_new;
};

static int put_in_place(const struct place *place) {
    if (!place->must_be_new)
        return rename(place->temporary, place->target);
    if (renameat2(AT_FDCWD, place->temporary, AT_FDCWD, place->target, RENAME_NOREPLACE) == 0)
        return 0;
    if ((errno != EINVAL && errno != ENOSYS) || link(place->temporary, place->target) != 0)
        return -1; // a file system that knows neither way has no other that is safe
    return unlink(place->temporary);
}

static bool save_beside(const struct place *place, whole_writer *writer, const void *what, char *message) {
    const char *path = place->given;
    char *temporary = place->temporary;
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
    if (good && put_in_place(place))
        good = say(message, path, errno);
    if (!good)
        unlink(temporary);
    return good;
}

// An interrupt waits until a file is in its place, or gone: nobody is left to remove half of one.
static void hold_interrupts(sigset_t *before) {
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &interrupts, before);
}

static bool save_uninterrupted(const struct place *place, whole_writer *writer, const void *what, char *message) {
    sigset_t before;
    hold_interrupts(&before);
    bool good = save_beside(place, writer, what, message);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

static char *name_temporary(const char *target) {
    size_t size = strlen(target) + sizeof ".XXXXXX";
    char *temporary = malloc(size);
    if (temporary)
        snprintf(temporary, size, "%s.XXXXXX", target);
    return temporary;
}

// Of a pipe: poll(2) reports POLLERR on the end that is written to once the other is closed.
bool save_reader_has_left(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

// By a stream of its own: `stdout` is for what people read, and may lead elsewhere.
static bool write_standard_output(whole_writer *writer, const void *what, char *message) {
    static const char name[] = "standard output";
    int copy = fflush(stdout) == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    if (out) // who has had enough ("| head -1") misses nothing
        return write_stream(out, writer, what, name, message) || save_reader_has_left();
    int error = errno;
    if (copy >= 0)
        close(copy);
    return say(message, name, error);
}

bool save_goes_to_standard_output(const char *path) {
    struct stat status, out;
    return strcmp(path, "-") == 0 ||
           (stat(path, &status) == 0 && fstat(STDOUT_FILENO, &out) == 0 && is_same_file(&status, &out));
}

bool save_whole(const char *path, whole_writer *writer, const void *what, char *message) {
    struct target target;
    bool good;
    if (!find_target(&target, path))
        return say(message, path, ENOMEM);
    char *temporary = name_temporary(target.path);
    if (!temporary) {
        good = say(message, path, ENOMEM);
    } else if (target.is_dangling) {
        good = say(message, path, ENOENT);
    } else if (target.is_stdout) {
        good = write_standard_output(writer, what, message);
    } else if (target.is_special) {
        FILE *out = fopen(path, "w");
        good = out ? write_stream(out, writer, what, path, message) : say(message, path, errno);
    } else {
        good = save_uninterrupted(&(struct place){path, target.path, temporary, false}, writer, what, message);
    }
    free(temporary);
    free(target.path);
    return good;
}

bool save_new(const char *path, whole_writer *writer, const void *what, char *message) {
    char *temporary = name_temporary(path);
    bool good = temporary ? save_uninterrupted(&(struct place){path, path, temporary, true}, writer, what, message)
                          : say(message, path, ENOMEM);
    free(temporary);
    return good;
}

// In a folder whose files are their owners' own (mode +t) a file of another's cannot be replaced.
static int replacement_fault(const char *path) {
    char *copy = strdup(path);
    struct stat file, folder;
    int error = 0;
    if (access(path, W_OK) != 0)
        error = errno;
    else if (copy && stat(path, &file) == 0 && stat(dirname(copy), &folder) == 0 && (folder.st_mode & S_ISVTX) &&
             geteuid() != 0 && geteuid() != file.st_uid && geteuid() != folder.st_uid)
        error = EPERM;
    free(copy);
    return error;
}

// Makes the file that save_beside would, and removes it.
static int temporary_fault(const char *target) {
    char *temporary = name_temporary(target);
    sigset_t before;
    if (!temporary)
        return ENOMEM;
    hold_interrupts(&before);
    int descriptor = mkstemp(temporary), error = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(temporary);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(temporary);
    return error;
}

bool save_try(const char *path, char *message) {
    struct target target;
    size_t length = strlen(path);
    int error = 0;
    if (!find_target(&target, path))
        return say(message, path, ENOMEM);
    if (!length || target.is_dangling)
        error = ENOENT;
    else if (target.is_folder || path[length - 1] == '/')
        error = EISDIR;
    else if (target.is_special)
        error = access(path, W_OK) != 0 ? errno : 0;
    else if (target.is_stdout)
        error = standard_output_fault();
    else
        error = target.exists ? replacement_fault(target.path) : 0;
    if (!error && !target.is_stdout && !target.is_special)
        error = temporary_fault(target.path);
    free(target.path);
    return !error || say(message, target.is_stdout ? "standard output" : path, error);
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
