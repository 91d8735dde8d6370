// SPDX-License-Identifier: MIT
// reductio-simt-translate IN.cu OUT.cpp: 0, or 1 with one sentence on stderr and no output file.
#include "harness/simt/translate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t length = 0, room = 0;
    do {
        if (length + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *grown = realloc(text, room);
            if (!grown) {
                free(text);
                fclose(file);
                return NULL;
            }
            text = grown;
        }
        length += fread(text + length, 1, room - 1 - length, file);
    } while (!feof(file) && !ferror(file));
    bool failed = ferror(file);
    fclose(file);
    text[length] = 0;
    if (!failed)
        return text;
    free(text);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: reductio-simt-translate IN.cu OUT.cpp\n");
        return 2;
    }
    char *source = read_file(argv[1]);
    if (!source) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    FILE *out = fopen(argv[2], "wb");
    if (!out) {
        fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
        free(source);
        return 1;
    }
    char message[1024];
    bool done = translate(source, argv[1], out, message, sizeof message);
    free(source);
    if (fclose(out) != 0 && done) {
        snprintf(message, sizeof message, "%s: %s", argv[2], strerror(errno));
        done = false;
    }
    if (done)
        return 0;
    fprintf(stderr, "%s\n", message);
    remove(argv[2]);
    return 1;
}
