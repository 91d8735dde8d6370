// SPDX-License-Identifier: MIT
#include "harness/own/cache.h"

#include "harness/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HASH_DIGITS = 32, ENTRY_DAYS = 30, SCRATCH_DAYS = 1, SECONDS_A_DAY = 86400 };

// ---- hashes ----

own_hash own_hash_start(void) {
    return (own_hash)UINT64_C(0x6c62272e07bb0142) << 64 | UINT64_C(0x62b821756295c58d);
}

void own_hash_bytes(own_hash *hash, const void *bytes, size_t count) {
    const own_hash prime = (own_hash)1 << 88 | 0x13b;
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * prime;
}

void own_hash_text(own_hash *hash, const char *text) {
    own_hash_bytes(hash, text, strlen(text) + 1);
}

bool own_hash_file(own_hash *hash, const char *path) {
    char piece[16384];
    FILE *file = fopen(path, "rb");
    bool good = file != NULL;
    for (size_t got; good && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        own_hash_bytes(hash, piece, got);
    good = good && !ferror(file);
    if (file)
        fclose(file);
    own_hash_text(hash, good ? "" : "unreadable");
    return good;
}

static char *hash_text(own_hash hash) {
    return text_format("%016llx%016llx", (unsigned long long)(hash >> 64), (unsigned long long)hash);
}

// ---- places ----

static bool make_folders(char *path) {
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static void say_no_place(const char *folder, char *message) {
    snprintf(message, OWN_CACHE_MESSAGE,
             "there is no place for builds: %.300s cannot be written to; set XDG_CACHE_HOME.", folder);
}

char *own_cache_open(char *message) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = NULL;
    if (cache && *cache == '/') // the specification: relative paths are invalid and ignored
        folder = text_format("%s/reductio", cache);
    else if (home && *home == '/')
        folder = text_format("%s/.cache/reductio", home);
    struct stat state;
    if (folder && make_folders(folder) && stat(folder, &state) == 0 && S_ISDIR(state.st_mode))
        return folder; // it may be there to be read alone: then what it holds serves
    say_no_place(folder ? folder : "~/.cache/reductio", message);
    free(folder);
    return NULL;
}

static char *list_path(const char *folder, own_hash key) {
    char *name = hash_text(key);
    char *path = text_format("%s/%s.inputs", folder, name);
    free(name);
    return path;
}

static char *entry_path(const char *folder, own_hash key, own_hash inputs) {
    char *name = hash_text(key), *content = hash_text(inputs);
    char *path = text_format("%s/%s-%s", folder, name, content);
    free(name);
    free(content);
    return path;
}

// ---- inputs ----

// NULL, or the first input that cannot be read: of such a one nobody could say whether it has changed.
static const char *hash_inputs(own_hash *hash, const struct text_list *inputs) {
    *hash = own_hash_start();
    for (size_t i = 0; i < inputs->count; i++) {
        own_hash_text(hash, inputs->items[i]);
        if (!own_hash_file(hash, inputs->items[i]))
            return inputs->items[i];
    }
    return NULL;
}

static bool read_list(const char *path, struct text_list *inputs) {
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
        line[strcspn(line, "\n")] = '\0';
        text_list_add(inputs, line);
    }
    bool good = !ferror(file);
    free(line);
    fclose(file);
    return good;
}

static bool write_list(const char *path, const struct text_list *inputs) {
    char *scratch = text_format("%s.%ld", path, (long)getpid());
    FILE *file = fopen(scratch, "w");
    bool good = file != NULL;
    for (size_t i = 0; good && i < inputs->count; i++)
        good = fprintf(file, "%s\n", inputs->items[i]) > 0;
    if (file)
        good = fclose(file) == 0 && good;
    good = good && rename(scratch, path) == 0;
    if (!good)
        unlink(scratch);
    free(scratch);
    return good;
}

// ---- entries ----

// What an entry holds beside its worker: the hash of it.
#define SEAL "worker.hash"

static char *hash_of_worker(const char *entry) {
    char *worker = text_format("%s/worker", entry);
    own_hash hash = own_hash_start();
    bool read = access(worker, X_OK) == 0 && own_hash_file(&hash, worker);
    free(worker);
    return read ? hash_text(hash) : NULL;
}

static bool seal_worker(const char *entry) {
    char *hash = hash_of_worker(entry), *path = text_format("%s/" SEAL, entry);
    FILE *file = hash ? fopen(path, "we") : NULL;
    bool good = file && fputs(hash, file) >= 0;
    if (file)
        good = fclose(file) == 0 && good;
    free(hash);
    free(path);
    return good;
}

static bool seal_is_whole(const char *entry) {
    char sealed[HASH_DIGITS + 1] = "", *hash = hash_of_worker(entry), *path = text_format("%s/" SEAL, entry);
    FILE *file = hash ? fopen(path, "re") : NULL;
    bool whole = file && fread(sealed, 1, HASH_DIGITS, file) == HASH_DIGITS && strcmp(sealed, hash) == 0;
    if (file)
        fclose(file);
    free(hash);
    free(path);
    return whole;
}

// Takes an entry away in one step, so that no process finds a half of it.
static void remove_entry(const char *folder, const char *entry) {
    char message[OWN_CACHE_MESSAGE], *scratch = own_cache_scratch(folder, message);
    if (scratch && rename(entry, scratch) == 0)
        own_cache_discard(scratch);
    else if (scratch)
        rmdir(scratch);
    unlink(entry); // where it is no folder
    free(scratch);
}

char *own_cache_find(const char *folder, own_hash key) {
    struct text_list inputs = {0};
    char *list = list_path(folder, key), *worker = NULL;
    own_hash content;
    if (read_list(list, &inputs) && !hash_inputs(&content, &inputs)) {
        char *entry = entry_path(folder, key, content);
        if (seal_is_whole(entry)) {
            worker = text_format("%s/worker", entry);
            utimensat(AT_FDCWD, entry, NULL, 0); // they are in use: a failure only lets them be pruned earlier
            utimensat(AT_FDCWD, list, NULL, 0);
        } else {
            remove_entry(folder, entry);
        }
        free(entry);
    }
    text_list_free(&inputs);
    free(list);
    return worker;
}

char *own_cache_scratch(const char *folder, char *message) {
    char *scratch = text_format("%s/scratch-XXXXXX", folder);
    if (mkdtemp(scratch))
        return scratch;
    say_no_place(folder, message);
    free(scratch);
    return NULL;
}

char *own_cache_keep(const char *folder, own_hash key, const char *scratch, const struct text_list *inputs,
                     char *message) {
    own_hash content;
    const char *unreadable = hash_inputs(&content, inputs);
    if (unreadable) {
        snprintf(message, OWN_CACHE_MESSAGE, "%.300s went into the build and cannot be read.", unreadable);
        return NULL;
    }
    char *entry = entry_path(folder, key, content), *list = list_path(folder, key);
    bool kept = seal_worker(scratch) && rename(scratch, entry) == 0;
    int error = errno;
    bool taken = !kept && (error == EEXIST || error == ENOTEMPTY); // another process has built the same
    if (taken)
        own_cache_discard(scratch);
    bool good = (kept || taken) && write_list(list, inputs);
    if (!good)
        snprintf(message, OWN_CACHE_MESSAGE, "the build cannot be kept as %.300s: %s.", entry,
                 strerror(kept || taken ? errno : error));
    char *worker = good ? text_format("%s/worker", entry) : NULL;
    free(entry);
    free(list);
    return worker;
}

void own_cache_discard(const char *scratch) {
    DIR *directory = opendir(scratch);
    for (struct dirent *item; directory && (item = readdir(directory));) {
        struct stat state;
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        char *path = text_format("%s/%s", scratch, item->d_name);
        if (lstat(path, &state) == 0 && S_ISDIR(state.st_mode))
            own_cache_discard(path);
        else
            unlink(path);
        free(path);
    }
    if (directory)
        closedir(directory);
    rmdir(scratch);
}

void own_cache_prune(const char *folder) {
    DIR *directory = opendir(folder);
    for (struct dirent *item; directory && (item = readdir(directory));) {
        bool scratch = strncmp(item->d_name, "scratch-", 8) == 0;
        bool entry = strspn(item->d_name, "0123456789abcdef") == HASH_DIGITS;
        struct stat state;
        char *path = text_format("%s/%s", folder, item->d_name);
        if ((scratch || entry) && lstat(path, &state) == 0 &&
            time(NULL) - state.st_mtime > (scratch ? SCRATCH_DAYS : ENTRY_DAYS) * SECONDS_A_DAY) {
            if (S_ISDIR(state.st_mode))
                own_cache_discard(path);
            else
                unlink(path);
        }
        free(path);
    }
    if (directory)
        closedir(directory);
}
