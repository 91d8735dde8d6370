// SPDX-License-Identifier: MIT
// reductio-simt-translate [--headers FOLDER [-I DIRECTORY]...] IN.cu OUT.cpp: 0, or 1 with one sentence on stderr and
// no output file. With --headers the headers that are included with quotes are translated too, into FOLDER, which is
// made, and FOLDER/list names them.
#include "harness/simt/translate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int usage(void) {
    fprintf(stderr, "usage: reductio-simt-translate [--headers FOLDER [-I DIRECTORY]...] IN.cu OUT.cpp\n");
    return 2;
}

static int complain(const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
}

// The options before the two files; false where they are none.
static bool parse_options(int argc, char **argv, struct header_set *headers) {
    headers->folders = calloc((size_t)argc, sizeof *headers->folders);
    for (int i = 1; i + 2 < argc; i += 2) {
        if (i + 3 >= argc || !headers->folders)
            return false;
        if (strcmp(argv[i], "--headers") == 0)
            headers->into = argv[i + 1];
        else if (strcmp(argv[i], "-I") == 0)
            headers->folders[headers->folder_count++] = argv[i + 1];
        else
            return false;
    }
    return argc >= 3;
}

static bool write_list(const struct header_set *headers) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/list", headers->into);
    FILE *out = length < (int)sizeof path ? fopen(path, "w") : NULL;
    bool good = out && list_headers(headers, out);
    return out && fclose(out) == 0 && good;
}

static int translate_file(const char *in, const char *out_path, struct header_set *headers) {
    char message[1024];
    char *source = read_source(in);
    if (!source)
        return complain(in);
    if (headers->into && mkdir(headers->into, 0777) != 0 && errno != EEXIST) {
        free(source);
        return complain(headers->into);
    }
    FILE *out = fopen(out_path, "wb");
    if (!out) {
        free(source);
        return complain(out_path);
    }
    bool done = translate(source, in, headers->into ? headers : NULL, out, message, sizeof message);
    free(source);
    bool written = fclose(out) == 0 && (!done || !headers->into || write_list(headers));
    if (done && written)
        return 0;
    if (done)
        complain(out_path);
    else
        fprintf(stderr, "%s\n", message);
    remove(out_path);
    return 1;
}

int main(int argc, char **argv) {
    struct header_set headers = {0};
    int code = parse_options(argc, argv, &headers) ? translate_file(argv[argc - 2], argv[argc - 1], &headers) : usage();
    free_headers(&headers);
    return code;
}
