// SPDX-License-Identifier: MIT
#include "harness/cli/commands.h"

#include "harness/claim.h"
#include "harness/support.h"

#include <stdio.h>
#include <string.h>

// A planted fault is a row like any other here.
static int list_variants(const struct catalog *catalog, const struct selection *selection) {
    for (size_t i = 0; i < catalog->variant_count; i++) {
        const struct catalog_variant *row = &catalog->variants[i];
        if (!selects_variant(selection, row->card.name, row->card.backend, row->card.type, false))
            continue;
        printf("%s@%s/%s%s\n    %s\n", row->card.name, row->card.backend, row->card.type,
               row->faulty ? "  (planted fault)" : "", row->card.summary);
        if (row->faulty)
            printf("    must be found: %s, by %s\n", row->card.fault_finding, row->card.fault_detector);
        printf("    claims:");
        for (enum claim claim = CLAIM_ACCURACY; claim < CLAIM_COUNT; claim++)
            if (claim_is_made(claim, &row->card))
                printf("%s %s %s", claim == CLAIM_ACCURACY ? "" : ";", claim_name(claim),
                       claim_value(claim, &row->card));
        putchar('\n');
    }
    return EXIT_FINE;
}

static int list_cases(const struct selection *selection) {
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        if (!selects_case(selection, values->name, values->name))
            continue;
        printf("%s\n    %s\n", values->name, values->what_for);
        if (values->source)
            printf("    source: %s\n", values->source);
        for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++) {
            // 33 elements are enough for every family that asks for no certain number, 1025 for most that do.
            uint64_t n = values->fixed_n ? values->fixed_n : 33;
            const char *refusal = values->refusal ? values->refusal(values, type, n) : NULL;
            if (refusal)
                printf("    not made in %s with %llu elements: %s\n", float_format(type)->name, (unsigned long long)n,
                       refusal);
        }
    }
    return EXIT_FINE;
}

static int list_backends(struct catalog *catalog, const struct selection *selection) {
    for (size_t i = 0; i < catalog->backend_count; i++) {
        const struct catalog_backend *backend = &catalog->backends[i];
        if (!selects_backend(selection, backend->name))
            continue;
        if (!catalog_is_present(catalog, (int)i)) {
            printf("%s: absent: %s\n", backend->name, backend->absent);
            continue;
        }
        printf("%s: present\n", backend->name);
        for (size_t j = 0; j < backend->environment_count; j++)
            printf("    %s: %s\n", backend->environment[j].key, backend->environment[j].value);
    }
    return EXIT_FINE;
}

int command_list(const struct command_line *line) {
    const struct selection *selection = &line->options->selection;
    const struct options *options = line->options;
    const char *what = options->word_count ? options->words[0] : "";
    bool known = strcmp(what, "variants") == 0 || strcmp(what, "cases") == 0 || strcmp(what, "backends") == 0;
    struct catalog catalog;
    if (!known) {
        say_error("list wants one of: variants, cases, backends.");
        return EXIT_USAGE;
    }
    if (options->word_count > 1) {
        say_error("list %s takes no \"%s\": what to list is chosen with options; see reductio list --help.", what,
                  options->words[1]);
        return EXIT_USAGE;
    }
    int code = open_catalog(&catalog, line->options, false);
    if (code != EXIT_FINE)
        return code;
    code = check_selection(&catalog, selection);
    if (code == EXIT_FINE)
        code = check_case_names(selection);
    if (code == EXIT_FINE)
        code = *what == 'v'   ? list_variants(&catalog, selection)
               : *what == 'c' ? list_cases(selection)
                              : list_backends(&catalog, selection);
    catalog_free(&catalog);
    return code;
}
