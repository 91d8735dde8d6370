// SPDX-License-Identifier: MIT
#include "harness/cli/own_descriptor.h"

#include "harness/support.h"

#include <ctype.h>
#include <stdbool.h>
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

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// Past the parenthesis that closes the one at `open`, or the end of the text.
static const char *skip_parentheses(const char *open) {
    int depth = 0;
    for (; *open; open++) {
        depth += (*open == '(') - (*open == ')');
        if (*open == ')' && depth == 0)
            return open + 1;
    }
    return open;
}

// The name before the parameters of the kernel whose __global__ ends at `at`; returns where the parameters open.
static const char *find_name(const char *at, char name[NAME_BYTES]) {
    static const char bounds[] = "__launch_bounds__";
    const char *open = strchr(at, '(');
    while (open) {
        const char *end = open;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        const char *start = end;
        while (start > at && in_word(start[-1]))
            start--;
        size_t length = (size_t)(end - start);
        if (length != sizeof bounds - 1 || memcmp(start, bounds, length) != 0) {
            snprintf(name, NAME_BYTES, "%.*s", (int)length, start);
            return open;
        }
        at = skip_parentheses(open);
        open = strchr(at, '(');
    }
    return NULL;
}

struct kernel {
    char name[NAME_BYTES];
    bool in_doubles, is_template;
    char *arguments; // for its parameters, in their order
};

// Whether the declaration that ends with `at`, at a __global__, begins with "template".
static bool follows_template(const char *text, const char *at) {
    const char *start = at;
    while (start > text && !strchr(";{}#", start[-1]))
        start--;
    const char *found = strstr(start, "template");
    return found && found < at;
}

// What a launch function has for one parameter: pointers to const are the elements, or the first pointer where none is.
static const char *argument_for(const char *parameter, bool some_const, bool first_pointer, bool in_doubles) {
    if (!strchr(parameter, '*'))
        return "n";
    if (some_const)
        return strstr(parameter, "const") ? "in" : "out";
    if (!first_pointer)
        return "out";
    return in_doubles ? "const_cast<double *>(in)" : "const_cast<float *>(in)";
}

// "in, out, n" for "(const float *x, float *y, int count)".
static char *list_arguments(const char *parameters, bool in_doubles) {
    char *list = must_copy_text("");
    bool some_const = strstr(parameters, "const") != NULL, first_pointer = true;
    for (const char *at = parameters + 1; *at && *at != ')';) {
        size_t length = 0;
        for (int depth = 0; at[length] && (depth > 0 || !strchr(",)", at[length])); length++)
            depth += (strchr("(<", at[length]) != NULL) - (strchr(")>", at[length]) != NULL);
        char *parameter = text_format("%.*s", (int)length, at);
        char *longer = text_format("%s%s%s", list, *list ? ", " : "",
                                   argument_for(parameter, some_const, first_pointer, in_doubles));
        first_pointer = first_pointer && !strchr(parameter, '*');
        free(parameter);
        free(list);
        list = longer;
        at += length + (at[length] == ',');
    }
    return list;
}

// The last one: what is launched stands mostly below what it calls.
static struct kernel find_kernel(const char *text) {
    struct kernel kernel = {.name = ""};
    for (const char *at = text; (at = strstr(at, "__global__"));) {
        at += strlen("__global__");
        char name[NAME_BYTES];
        const char *open = find_name(at, name);
        if (!open || !*name)
            continue;
        const char *close = skip_parentheses(open);
        char *parameters = text_format("%.*s", (int)(close - open), open);
        memcpy(kernel.name, name, sizeof kernel.name);
        kernel.is_template = follows_template(text, at);
        free(kernel.arguments);
        kernel.in_doubles = strstr(parameters, "double") && !strstr(parameters, "float");
        kernel.arguments = list_arguments(parameters, kernel.in_doubles);
        free(parameters);
        at = close;
    }
    return kernel;
}

// The file's name as one of C's.
static void name_row(const char *path, char name[NAME_BYTES]) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    snprintf(name, NAME_BYTES, "%s%.*s", isalpha((unsigned char)*start) ? "" : "my_", (int)(length < 48 ? length : 48),
             start);
    for (char *c = name; *c; c++)
        if (!in_word(*c))
            *c = '_';
}

void print_descriptor(const char *path, FILE *out) {
    char *text = read_text(path), row[NAME_BYTES];
    struct kernel kernel = find_kernel(text);
    const char *type = kernel.in_doubles ? "double" : "float";
    name_row(path, row);
    fprintf(
        out,
        "\n#include <reductio.h>\n\n"
        "static cudaError_t launch(const %s *in, size_t n, %s *out, void *, reductio_shape, cudaStream_t stream) {\n"
        "    // What your program does to sum n elements at `in` into *out. All memory holds NaNs before.\n",
        type, type);
    if (strstr(text, "atomicAdd"))
        fprintf(out, "    cudaMemsetAsync(out, 0, sizeof *out, stream);\n");
    fprintf(out, "    %s%s<<<64, 256, ", *kernel.name ? kernel.name : "my_kernel",
            kernel.is_template ? "</* its template arguments */>" : "");
    if (strstr(text, "extern __shared__"))
        fprintf(out, "256 * sizeof(%s)", type);
    else
        fputc('0', out);
    fprintf(out,
            ", stream>>>(%s);\n"
            "    return cudaGetLastError();\n"
            "}\n"
            "REDUCTIO_VARIANT(%s, .summary = \"what it does, in one sentence\");\n",
            kernel.arguments ? kernel.arguments : "in, n, out", row);
    free(kernel.arguments);
    free(text);
}
