// SPDX-License-Identifier: MIT
#include "harness/own/flags.h"

#include "harness/environment.h"
#include "harness/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// nvcc's spellings of what the C++ compiler shall be told too, and the C++ compiler's (CUDA Compiler Driver NVCC,
// "Command Option Description").
static const struct {
    const char *nvcc, *cxx;
} shared[] = {
    {"--define-macro", "-D"},
    {"--undefine-macro", "-U"},
    {"--include-path", "-I"},
    {"--pre-include", "-include"},
    {"--system-include", "-isystem"},
    {"-include", "-include"},
    {"-isystem", "-isystem"},
    {"-D", "-D"},
    {"-U", "-U"},
    {"-I", "-I"},
};

static const char *const outputs[] = {
    "-o",   "--output-file", "-c",     "--compile", "-dc",     "--device-c", "-dw",  "-dlink",  "-ptx",    "--ptx",
    "-E",   "--preprocess",  "-cubin", "--cubin",   "-fatbin", "--fatbin",   "-lib", "--lib",   "-cuda",   "--cuda",
    "-run", "--run",         "-M",     "-MM",       "-MD",     "-MMD",       "-MF",  "-shared", "--shared"};

static bool chooses_output(const char *flag) {
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (strcmp(flag, outputs[i]) == 0)
            return true;
    return false;
}

// The value that is joined to a flag, "" where it is the next word; NULL where the flag is another one.
static const char *joined_value(const char *flag, const char *name) {
    size_t length = strlen(name);
    bool one_letter = length == 2;
    if (strncmp(flag, name, length) != 0)
        return NULL;
    if (!flag[length])
        return "";
    if (flag[length] == '=')
        return flag + length + 1;
    return one_letter ? flag + length : NULL;
}

// Takes the flag at `index`, with its value; false if it is none of the shared ones.
static bool take_shared(const struct text_list *flags, size_t *index, struct text_list *taken) {
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        const char *value = joined_value(flags->items[*index], shared[i].nvcc);
        if (!value || (!*value && *index + 1 == flags->count))
            continue;
        text_list_add(taken, shared[i].cxx);
        text_list_add(taken, *value ? value : flags->items[++*index]);
        return true;
    }
    return false;
}

char *own_flags_split(const struct text_list *flags, struct text_list *taken, struct text_list *left) {
    for (size_t i = 0; i < flags->count; i++) {
        if (chooses_output(flags->items[i]))
            return text_format("the flag %s says what nvcc shall make, which is Reductio's to say: leave it out.",
                               flags->items[i]);
        if (!take_shared(flags, &i, taken))
            text_list_add(left, flags->items[i]);
    }
    return NULL;
}

static bool is_plain(const char *word) {
    bool plain = *word != '\0';
    for (; *word && plain; word++)
        plain = isalnum((unsigned char)*word) || strchr("-_=./,:+@%", *word) != NULL;
    return plain;
}

char *own_flags_text(const struct text_list *words) {
    char *text = must_copy_text("");
    for (size_t i = 0; i < words->count; i++) {
        char *quoted = is_plain(words->items[i]) ? must_copy_text(words->items[i]) : text_quote_word(words->items[i]);
        text = text_append(text, "%s", quoted);
        free(quoted);
    }
    return text;
}

char *own_flags_of_variable(const char *name) {
    static const char blanks[] = " \t\r\n";
    const char *value = getenv(name);
    struct text_list flags = {0};
    char *copy = must_copy_text(value ? value : ""), *rest = NULL, *given = NULL;
    for (char *word = strtok_r(copy, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest)) {
        char *kept = argument_without_folder(word);
        text_list_add(&flags, kept);
        free(kept);
    }
    if (flags.count) {
        char *text = own_flags_text(&flags);
        given = text_format("%s=%s", name, text);
        free(text);
    }
    text_list_free(&flags);
    free(copy);
    return given;
}
