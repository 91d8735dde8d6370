// SPDX-License-Identifier: MIT
#include "harness/cli/own_kernel.h"

#include "harness/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64 };

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

// Whether the word stands in the text, and not in a longer one.
static bool holds_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; length && (at = strstr(at, word)); at += length)
        if ((at == text || !in_word(at[-1])) && !in_word(at[length]))
            return true;
    return false;
}

// Joins two texts from malloc, and gives up both.
static char *join(char *text, char *more) {
    char *both = text_format("%s%s", text, more);
    free(text);
    free(more);
    return both;
}

// ---- lists in brackets ----

// The next item of a list that ends at ')' or '>', from malloc; NULL behind the last. *at goes past it.
static char *next_item(const char **at) {
    size_t length = 0;
    while (isspace((unsigned char)**at))
        ++*at;
    if (!**at || strchr(")>", **at))
        return NULL;
    for (int depth = 0; (*at)[length] && (depth > 0 || !strchr(",)>", (*at)[length])); length++)
        depth += (strchr("(<", (*at)[length]) != NULL) - (strchr(")>", (*at)[length]) != NULL);
    char *item = text_format("%.*s", (int)length, *at);
    *at += length + ((*at)[length] == ',');
    return item;
}

// The last word of a parameter is its name.
static char *name_of(const char *parameter) {
    size_t end = strcspn(parameter, "=");
    while (end && !in_word(parameter[end - 1]))
        end--;
    size_t start = end;
    while (start && in_word(parameter[start - 1]))
        start--;
    return text_format("%.*s", (int)(end - start), parameter + start);
}

// ---- namespaces ----

// Past a comment or a string that begins here; NULL where none does.
static const char *skip_aside(const char *at) {
    const char *end;
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0)
        return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"' && *at != '\'')
        return NULL;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        end += *end == '\\' && end[1];
    return *end ? end + 1 : end;
}

// "detail::" for what stands at `end`; those without names need none. From malloc.
static char *namespaces_before(const char *text, const char *end) {
    enum { MOST_DEPTH = 64 };
    struct {
        const char *name;
        int length;
    } scopes[MOST_DEPTH] = {0};
    int depth = 0;
    const char *name = NULL, *aside;
    for (const char *at = text; at < end; at++) {
        if ((aside = skip_aside(at))) {
            at = aside - 1;
        } else if (strncmp(at, "namespace", 9) == 0 && !in_word(at[9]) && (at == text || !in_word(at[-1]))) {
            name = at + 9 + strspn(at + 9, " \t\n");
            at = name - 1;
        } else if (*at == '{' && depth < MOST_DEPTH) {
            scopes[depth].name = name;
            scopes[depth++].length = name ? (int)strcspn(name, " \t\n{") : 0;
            name = NULL;
        } else if (*at == '}' && depth) {
            depth--;
        } else if (*at == ';') {
            name = NULL; // an alias, or "using namespace"
        }
    }
    char *path = must_copy_text("");
    for (int i = 0; i < depth; i++)
        if (scopes[i].length)
            path = join(path, text_format("%.*s::", scopes[i].length, scopes[i].name));
    return path;
}

// ---- template arguments ----

// Behind the '<' of the template declaration that ends with `at`, at a __global__; NULL where there is none.
static const char *template_parameters(const char *text, const char *at) {
    const char *start = at;
    while (start > text && !strchr(";{}#", start[-1]))
        start--;
    const char *found = strstr(start, "template");
    const char *open = found && found < at ? strchr(found, '<') : NULL;
    return open && open < at ? open + 1 : NULL;
}

static bool names_any(const char *name, const char *const words[]) {
    for (size_t i = 0; words[i]; i++)
        if (strcasestr(name, words[i]))
            return true;
    return false;
}

// A template of the file that adds, by its name.
static char *find_adder(const char *text) {
    static const char *const adders[] = {"sum", "add", "plus", NULL};
    for (const char *at = text; (at = strstr(at, "struct "));) {
        at += strlen("struct ");
        size_t length = 0;
        while (in_word(at[length]))
            length++;
        char *name = text_format("%.*s", (int)length, at);
        if (names_any(name, adders))
            return name;
        free(name);
    }
    return NULL;
}

// What most kernels mean by a parameter of that kind and name. The launch that is proposed has 256 threads a block.
static char *argument_of_template(const char *parameter, const char *text, unsigned types) {
    static const char *const warps[] = {"warp", "lane", "tile", "group", NULL};
    static const char *const items[] = {"item", "per", "unroll", "vec", NULL};
    if (strncmp(parameter, "template", 8) == 0) {
        char *adder = find_adder(text);
        return adder ? adder : must_copy_text("/* a template */");
    }
    if (strncmp(parameter, "typename", 8) == 0 || strncmp(parameter, "class", 5) == 0)
        return must_copy_text(types ? "reductio_out" : "reductio_in");
    if (strncmp(parameter, "bool", 4) == 0)
        return must_copy_text("false");
    char *name = name_of(parameter);
    const char *value = names_any(name, warps) ? "32" : names_any(name, items) ? "4" : "256";
    free(name);
    return must_copy_text(value);
}

// Fills in the arguments, and the first type parameter, from malloc or NULL, into *type.
static char *list_template_arguments(const char *parameters, const char *text, char **type) {
    char *list = must_copy_text(""), *parameter;
    unsigned types = 0;
    *type = NULL;
    while ((parameter = next_item(&parameters)) && !strchr(parameter, '=')) { // those with defaults are the last
        bool is_type = strncmp(parameter, "typename", 8) == 0 || strncmp(parameter, "class", 5) == 0;
        list = join(list, must_copy_text(*list ? ", " : "<"));
        list = join(list, argument_of_template(parameter, text, types));
        if (is_type && !types++)
            *type = name_of(parameter);
        free(parameter);
    }
    free(parameter);
    if (!*list) {
        free(list);
        return NULL;
    }
    return join(list, must_copy_text(">"));
}

// ---- arguments ----

// float4, double2, ...: elements of the vector type that the parameters name, 1 where they name none; and its name.
static unsigned find_vector(const char *parameters, char type[NAME_BYTES]) {
    static const char *const elements[] = {"float", "double"};
    for (size_t e = 0; e < 2; e++)
        for (unsigned width = 2; width <= 4; width++) {
            snprintf(type, NAME_BYTES, "%s%u", elements[e], width);
            if (holds_word(parameters, type))
                return width;
        }
    *type = '\0';
    return 1;
}

// What a launch function has for one parameter: pointers to const are the elements, or the first pointer where none is.
static char *argument_for(const struct own_kernel *kernel, const char *parameter, const char *vector, bool is_input) {
    const char *element = kernel->generic ? "reductio_in" : kernel->in_doubles ? "double" : "float";
    bool is_const = strstr(parameter, "const") != NULL, of_vectors = kernel->width > 1 && holds_word(parameter, vector);
    if (!strchr(parameter, '*'))
        return kernel->width > 1 ? text_format("n / %u", kernel->width) : must_copy_text("n");
    if (!is_input)
        return of_vectors ? text_format("reinterpret_cast<%s *>(out)", vector) : must_copy_text("out");
    char *in = is_const ? must_copy_text("in") : text_format("const_cast<%s *>(in)", element);
    if (!of_vectors)
        return in;
    char *cast = text_format("reinterpret_cast<%s%s *>(%s)", is_const ? "const " : "", vector, in);
    free(in);
    return cast;
}

// "in, out, n" for "(const float *x, float *y, int count)".
static char *list_arguments(const struct own_kernel *kernel, const char *parameters, const char *vector) {
    char *list = must_copy_text(""), *parameter;
    bool some_const = strstr(parameters, "const") != NULL, first_pointer = true;
    for (const char *at = parameters + 1; (parameter = next_item(&at)); free(parameter)) {
        bool is_input = some_const ? strstr(parameter, "const") != NULL : first_pointer;
        char *argument = argument_for(kernel, parameter, vector, is_input);
        if (*list)
            list = join(list, must_copy_text(", "));
        list = join(list, argument);
        first_pointer = first_pointer && !strchr(parameter, '*');
    }
    return list;
}

// ---- the kernel ----

// Of the kernel whose __global__ ends at `at`.
static void describe(struct own_kernel *kernel, const char *text, const char *at, const char *name,
                     const char *parameters) {
    const char *templated = template_parameters(text, at);
    char *type = NULL, vector[NAME_BYTES];
    *kernel = (struct own_kernel){.in_doubles = strstr(parameters, "double") && !strstr(parameters, "float")};
    kernel->name = join(namespaces_before(text, at), must_copy_text(name));
    kernel->template_arguments = templated ? list_template_arguments(templated, text, &type) : NULL;
    kernel->generic = type && holds_word(parameters, type);
    kernel->width = find_vector(parameters, vector);
    kernel->arguments = list_arguments(kernel, parameters, vector);
    free(type);
}

// The last one: what is launched stands mostly below what it calls.
void own_kernel_find(struct own_kernel *kernel, const char *text) {
    *kernel = (struct own_kernel){.width = 1};
    for (const char *at = text; (at = strstr(at, "__global__"));) {
        at += strlen("__global__");
        char name[NAME_BYTES];
        const char *open = find_name(at, name);
        if (!open || !*name)
            continue;
        const char *close = skip_parentheses(open);
        char *parameters = text_format("%.*s", (int)(close - open), open);
        own_kernel_free(kernel);
        describe(kernel, text, at, name, parameters);
        free(parameters);
        at = close;
    }
}

void own_kernel_free(struct own_kernel *kernel) {
    free(kernel->name);
    free(kernel->template_arguments);
    free(kernel->arguments);
}
