// SPDX-License-Identifier: MIT
#include "harness/cli/own_kernel.h"

#include "harness/cli/own_words.h"
#include "harness/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64 };

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
        while (start > at && is_in_word(start[-1]))
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
        } else if (strncmp(at, "namespace", 9) == 0 && !is_in_word(at[9]) && (at == text || !is_in_word(at[-1]))) {
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
            path = join_texts(path, text_format("%.*s::", scopes[i].length, scopes[i].name));
    return path;
}

// ---- pointers ----

// Pointers to const are the elements, or the first pointer where none is.
static bool is_input_of(const char *parameter, bool some_const, bool first_pointer) {
    return strchr(parameter, '*') && (some_const ? strstr(parameter, "const") != NULL : first_pointer);
}

static bool holds_const_pointer(const char *parameters) {
    bool found = false;
    char *parameter;
    for (const char *at = parameters + 1; (parameter = next_item(&at)); free(parameter))
        found |= is_input_of(parameter, true, false);
    return found;
}

// The parameter of the elements and that of the sum, from malloc, NULL where there is none.
struct pointers {
    char *in, *out;
};

// The sum goes to the last one that takes any: what stands before it mostly holds sums of blocks.
static struct pointers find_pointers(const char *parameters) {
    struct pointers found = {0};
    bool some_const = holds_const_pointer(parameters), first_pointer = true;
    char *parameter;
    for (const char *at = parameters + 1; (parameter = next_item(&at));) {
        bool is_pointer = strchr(parameter, '*') != NULL;
        char **place = is_input_of(parameter, some_const, first_pointer) ? &found.in : &found.out;
        first_pointer = first_pointer && !is_pointer;
        if (!is_pointer || (place == &found.in && found.in)) {
            free(parameter);
            continue;
        }
        free(*place);
        *place = parameter;
    }
    return found;
}

static const struct {
    const char *name, *type;
} ELEMENTS[] = {{"float", "f32"}, {"double", "f64"},         {"__half", "f16"},
                {"half", "f16"},  {"__nv_bfloat16", "bf16"}, {"nv_bfloat16", "bf16"}};

// The line of ELEMENTS whose type or vector type the parameter names; -1: none.
static int find_element(const char *parameter) {
    char vector[NAME_BYTES];
    for (int e = 0; parameter && e < (int)(sizeof ELEMENTS / sizeof *ELEMENTS); e++) {
        if (holds_word(parameter, ELEMENTS[e].name))
            return e;
        for (unsigned width = 2; width <= 4; width++) {
            snprintf(vector, sizeof vector, "%s%u", ELEMENTS[e].name, width);
            if (holds_word(parameter, vector))
                return e;
        }
    }
    return -1;
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
        while (is_in_word(at[length]))
            length++;
        char *name = text_format("%.*s", (int)length, at);
        if (names_any(name, adders))
            return name;
        free(name);
    }
    return NULL;
}

// A parameter that stands for a type.
static bool is_type(const char *parameter) {
    return strncmp(parameter, "typename", 8) == 0 || strncmp(parameter, "class", 5) == 0;
}

// What a type parameter stands for: the elements, the sum or what sums are kept in; NULL: only the author knows, as of
// policies and operations.
static const char *meaning_of_type(const char *name, const struct pointers *pointers) {
    static const char *const sums[] = {"acc", "sum", "out", "comp", NULL};
    if (pointers->in && holds_word(pointers->in, name))
        return "reductio_in";
    if ((pointers->out && holds_word(pointers->out, name)) || names_any(name, sums))
        return "reductio_out";
    return NULL;
}

// What most kernels mean by a parameter of that kind and name. The launch that is proposed has 256 threads a block.
static char *argument_of_template(const char *parameter, const char *text, const struct pointers *pointers) {
    static const char *const warps[] = {"warp", "lane", "tile", "group", NULL};
    static const char *const items[] = {"item", "per", "unroll", "vec", NULL};
    if (strncmp(parameter, "template", 8) == 0) {
        char *adder = find_adder(text);
        return adder ? adder : must_copy_text("/* a template */");
    }
    if (strncmp(parameter, "bool", 4) == 0)
        return must_copy_text("false");
    char *name = name_of(parameter);
    const char *type = is_type(parameter) ? meaning_of_type(name, pointers) : NULL;
    const char *value = type ? type : names_any(name, warps) ? "32" : names_any(name, items) ? "4" : "256";
    char *argument = is_type(parameter) && !type ? text_format("/* %s */", name) : must_copy_text(value);
    free(name);
    return argument;
}

// Whether the parameter of a function is of a type among those of its template's parameters, NULL: it has none.
static bool names_a_type(const char *templated, const char *parameter) {
    bool found = false;
    char *item;
    for (; templated && (item = next_item(&templated)); free(item)) {
        char *name = name_of(item);
        found |= is_type(item) && holds_word(parameter, name);
        free(name);
    }
    return found;
}

// From malloc; NULL where all have defaults.
static char *list_template_arguments(const char *parameters, const char *text, const struct pointers *pointers) {
    char *list = must_copy_text(""), *parameter;
    while ((parameter = next_item(&parameters)) && !strchr(parameter, '=')) { // those with defaults are the last
        list = join_texts(list, must_copy_text(*list ? ", " : "<"));
        list = join_texts(list, argument_of_template(parameter, text, pointers));
        free(parameter);
    }
    free(parameter);
    if (!*list) {
        free(list);
        return NULL;
    }
    return join_texts(list, must_copy_text(">"));
}

// ---- arguments ----

// float4, double2, ...: elements of the vector type that the parameters name, 1 where they name none; and its name.
static unsigned find_vector(const char *parameters, char type[NAME_BYTES]) {
    for (size_t e = 0; e < sizeof ELEMENTS / sizeof *ELEMENTS; e++)
        for (unsigned width = 2; width <= 4; width++) {
            snprintf(type, NAME_BYTES, "%s%u", ELEMENTS[e].name, width);
            if (holds_word(parameters, type))
                return width;
        }
    *type = '\0';
    return 1;
}

// What a launch function has for one parameter.
static char *argument_for(const struct own_kernel *kernel, const char *parameter, const char *vector, bool is_input,
                          const char *templated) {
    bool is_const = strstr(parameter, "const") != NULL, of_vectors = kernel->width > 1 && holds_word(parameter, vector);
    if (!strchr(parameter, '*'))
        return names_a_type(templated, parameter) ? text_format("/* %s */", parameter)
               : kernel->width > 1                ? text_format("n / %u", kernel->width)
                                                  : must_copy_text("n");
    if (!is_input)
        return of_vectors ? text_format("reinterpret_cast<%s *>(out)", vector) : must_copy_text("out");
    char *in = is_const ? must_copy_text("in") : text_format("const_cast<%s *>(in)", kernel->in);
    if (!of_vectors)
        return in;
    char *cast = text_format("reinterpret_cast<%s%s *>(%s)", is_const ? "const " : "", vector, in);
    free(in);
    return cast;
}

// "in, out, n" for "(const float *x, float *y, int count)".
static char *list_arguments(const struct own_kernel *kernel, const char *parameters, const char *vector,
                            const char *templated) {
    char *list = must_copy_text(""), *parameter;
    bool some_const = holds_const_pointer(parameters), first_pointer = true;
    for (const char *at = parameters + 1; (parameter = next_item(&at)); free(parameter)) {
        bool is_input = is_input_of(parameter, some_const, first_pointer);
        if (*list)
            list = join_texts(list, must_copy_text(", "));
        list = join_texts(list, argument_for(kernel, parameter, vector, is_input, templated));
        first_pointer = first_pointer && !strchr(parameter, '*');
    }
    return list;
}

// ---- the kernel ----

// Fills in types of elements and sum, as the pointers of the kernel have them.
static void describe_types(struct own_kernel *kernel, const struct pointers *pointers, const char *templated) {
    static const char *const with_line[] = {"f32:f64", "f16", "bf16", "f16:f32", "bf16:f32", NULL};
    int in = find_element(pointers->in), out = find_element(pointers->out);
    bool generic_in = pointers->in && names_a_type(templated, pointers->in);
    bool generic_out = pointers->out && names_a_type(templated, pointers->out);
    in = in < 0 ? 0 : in;
    out = out < 0 ? in : out;
    kernel->in = generic_in ? "reductio_in" : ELEMENTS[in].name;
    kernel->out = generic_in || generic_out ? "reductio_out" : ELEMENTS[out].name;
    const char *in_type = ELEMENTS[in].type, *out_type = ELEMENTS[out].type;
    char type[NAME_BYTES];
    snprintf(type, sizeof type, strcmp(in_type, out_type) == 0 ? "%s" : "%s:%s", in_type, out_type);
    for (size_t i = 0; with_line[i] && !generic_in && !generic_out; i++)
        if (strcmp(with_line[i], type) == 0)
            kernel->type = with_line[i];
}

// Of the kernel whose __global__ ends at `at`.
static void describe(struct own_kernel *kernel, const char *text, const char *at, const char *name,
                     const char *parameters) {
    const char *templated = template_parameters(text, at);
    char vector[NAME_BYTES];
    struct pointers pointers = find_pointers(parameters);
    *kernel = (struct own_kernel){.width = find_vector(parameters, vector)};
    describe_types(kernel, &pointers, templated);
    kernel->name = join_texts(namespaces_before(text, at), must_copy_text(name));
    kernel->template_arguments = templated ? list_template_arguments(templated, text, &pointers) : NULL;
    kernel->arguments = list_arguments(kernel, parameters, vector, templated);
    free(pointers.in);
    free(pointers.out);
}

// The last one: what is launched stands mostly below what it calls.
void own_kernel_find(struct own_kernel *kernel, const char *text) {
    *kernel = (struct own_kernel){.width = 1, .in = "float", .out = "float"};
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
