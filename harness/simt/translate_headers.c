// SPDX-License-Identifier: MIT
// The headers that a file includes with quotes are its author's own and may hold kernels, so they are translated too,
// each once, into a folder, and the include names the translation:
//     #include "reduce.cuh"          becomes  #include "FOLDER/1_reduce.cuh"
// What is not found where a compiler would look stays as it is.
#include "harness/simt/translate.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *read_source(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    struct stat state;
    if (!file)
        return NULL;
    bool regular = fstat(fileno(file), &state) == 0 && S_ISREG(state.st_mode);
    ssize_t length = regular ? getdelim(&text, &room, EOF, file) : -1; // a zero byte would end the source anyway
    bool empty = regular && length < 0 && feof(file) && !ferror(file);
    fclose(file);
    if (length >= 0)
        return text;
    free(text);
    if (!regular)
        errno = EISDIR;
    return empty ? strdup("") : NULL;
}

// ---- where a header is ----

// What stands between the quotes of an #include; false for another directive.
static bool find_quoted(const struct token *token, const char **name, size_t *length) {
    const char *end = token->text + token->length, *p = token->text + 1;
    while (p < end && strchr(" \t", *p))
        p++;
    if (end - p < 8 || strncmp(p, "include", 7) != 0)
        return false;
    for (p += 7; p < end && strchr(" \t", *p);)
        p++;
    if (p == end || *p != '"')
        return false;
    *name = p + 1;
    for (p++; p < end && *p != '"';)
        p++;
    *length = (size_t)(p - *name);
    return p < end;
}

static bool join(char path[PATH_MAX], const char *folder, size_t folder_length, const char *name, size_t length) {
    int used = snprintf(path, PATH_MAX, "%.*s%s%.*s", (int)folder_length, folder,
                        folder_length && folder[folder_length - 1] != '/' ? "/" : "", (int)length, name);
    struct stat state;
    return used > 0 && used < PATH_MAX && stat(path, &state) == 0 && S_ISREG(state.st_mode);
}

// Beside the file that includes it, then along the folders that were given.
static bool find_header(const struct translation *translation, const char *name, size_t length, char path[PATH_MAX]) {
    const struct header_set *headers = translation->headers;
    const char *slash = strrchr(translation->path, '/');
    size_t folder = *name == '/' || !slash ? 0 : (size_t)(slash - translation->path) + 1;
    if (join(path, translation->path, folder, name, length))
        return true;
    for (size_t i = 0; i < headers->folder_count; i++)
        if (join(path, headers->folders[i], strlen(headers->folders[i]), name, length))
            return true;
    return false;
}

// ---- translations ----

static const char *find_done(const struct header_set *headers, const char *real) {
    for (size_t i = 0; i < headers->count; i++)
        if (strcmp(headers->header[i].real, real) == 0)
            return headers->header[i].translation;
    return NULL;
}

// Enters a header before it is translated, so that one that includes itself ends.
static char *enter(struct header_set *headers, const char *real) {
    const char *slash = strrchr(real, '/');
    struct header *grown = realloc(headers->header, (headers->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    headers->header = grown;
    struct header *header = &headers->header[headers->count];
    header->real = strdup(real);
    header->translation = malloc(strlen(headers->into) + strlen(real) + 32);
    if (header->translation)
        sprintf(header->translation, "%s/%zu_%s", headers->into, headers->count + 1, slash ? slash + 1 : real);
    headers->count++;
    return header->real ? header->translation : NULL;
}

// The path of a header's translation, made where there is none yet; NULL with the sentence in `translation`.
static const char *translate_header(struct translation *translation, const struct token *token, const char *path) {
    struct header_set *headers = translation->headers;
    char real[PATH_MAX], message[sizeof translation->message];
    const char *done = realpath(path, real) ? find_done(headers, real) : NULL;
    if (done)
        return done;
    char *source = read_source(path), *into = source ? enter(headers, real) : NULL;
    FILE *out = into ? fopen(into, "wb") : NULL;
    bool good = out && translate(source, path, headers, out, message, sizeof message);
    bool refused = out && !good;
    good = (!out || fclose(out) == 0) && good;
    free(source);
    if (good)
        return into;
    refuse(translation, token, "%s: %s", path, strerror(errno));
    if (refused) // with its own file and line
        memcpy(translation->message, message, sizeof message);
    return NULL;
}

void translate_includes(struct translation *translation) {
    struct tokens *tokens = &translation->tokens;
    for (size_t i = 0; i < tokens->count && !translation->failed && translation->headers; i++) {
        const struct token *token = &tokens->token[i];
        const char *name;
        size_t length;
        char path[PATH_MAX];
        if (token->kind != TOKEN_DIRECTIVE || !find_quoted(token, &name, &length) ||
            !find_header(translation, name, length, path))
            continue;
        const char *made = translate_header(translation, token, path);
        struct text text = {0};
        text_print(&text, "#include \"%s\"", made ? made : "");
        if (text.failed)
            refuse(translation, NULL, "out of memory");
        else if (made)
            replace(translation, i, i, text.bytes);
        free(text.bytes);
    }
}

bool list_headers(const struct header_set *headers, FILE *out) {
    for (size_t i = 0; i < headers->count; i++)
        fprintf(out, "%s\n", headers->header[i].real);
    return !ferror(out);
}

void free_headers(struct header_set *headers) {
    for (size_t i = 0; i < headers->count; i++) {
        free(headers->header[i].real);
        free(headers->header[i].translation);
    }
    free(headers->header);
    free(headers->folders);
    *headers = (struct header_set){0};
}
