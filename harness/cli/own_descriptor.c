// SPDX-License-Identifier: MIT
#include "harness/cli/own_descriptor.h"

#include "harness/cli/own_kernel.h"
#include "harness/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, NAME_BYTES = 64 };

static char *read_text(const char *path) {
    char *text = must_calloc(MOST_BYTES + 1, 1);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, MOST_BYTES, file) : 0;
    text[got] = '\0';
    if (file)
        fclose(file);
    return text;
}

// The file's name as one of C's.
static void name_row(const char *path, char name[NAME_BYTES]) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    snprintf(name, NAME_BYTES, "%s%.*s", isalpha((unsigned char)*start) ? "" : "my_", (int)(length < 48 ? length : 48),
             start);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '_';
}

void print_descriptor(const char *path, FILE *out) {
    char *text = read_text(path), row[NAME_BYTES];
    struct own_kernel kernel;
    own_kernel_find(&kernel, text);
    name_row(path, row);
    fputs("\n#include <reductio.h>\n", out);
    if (kernel.type && !strstr(text, "// Types:"))
        fprintf(out, "// Types: %s\n", kernel.type);
    fprintf(
        out,
        "\nstatic cudaError_t launch(const %s *in, size_t n, %s *out, void *, reductio_shape, cudaStream_t stream) {\n"
        "    // What your program does to sum n elements at `in` into *out. All memory holds NaNs before.\n",
        kernel.in, kernel.out);
    if (strstr(text, "atomicAdd"))
        fprintf(out, "    cudaMemsetAsync(out, 0, sizeof *out, stream);\n");
    fprintf(out, "    %s%s<<<64, 256, ", kernel.name ? kernel.name : "my_kernel",
            kernel.template_arguments ? kernel.template_arguments : "");
    if (strstr(text, "extern __shared__"))
        fprintf(out, "256 * sizeof(%s)", kernel.out);
    else
        fputc('0', out);
    fprintf(out, ", stream>>>(%s);\n", kernel.arguments ? kernel.arguments : "in, n, out");
    if (kernel.width > 1)
        fprintf(out, "    // n / %u vectors of %u: what is left over is to be added too.\n", kernel.width,
                kernel.width);
    fprintf(out,
            "    return cudaGetLastError();\n"
            "}\n"
            "REDUCTIO_VARIANT(%s, .summary = \"what it does, in one sentence\"%s);\n",
            row, kernel.width > 1 ? ", .fixed_placement = true" : "");
    own_kernel_free(&kernel);
    free(text);
}
