// SPDX-License-Identifier: MIT
#include "harness/cli/sweep.h"

#include "harness/cli/sizes.h"
#include "harness/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP_TEXT = 1024 };

static bool complain(const char *value, const char *wanted) {
    say_error("--sweep %s: %s.", value, wanted);
    return false;
}

// Condition numbers are those of the families cond1e2, cond1e4, ...
static bool find_condition(const char *text, const struct case_values **values) {
    char name[64], *end;
    double exponent = log10(strtod(text, &end));
    if (*end || end == text || !(exponent > 0 && exponent < 100) || exponent != floor(exponent))
        return complain(text, "a condition number is a power of ten such as 1e8");
    snprintf(name, sizeof name, "cond1e%.0f", exponent);
    *values = case_values_find(name);
    return *values || complain(text, "there is no case of that condition number; see reductio list cases");
}

bool sweep_parse(struct sweep *sweep, const char *text) {
    char copy[SWEEP_TEXT], *rest = NULL;
    *sweep = (struct sweep){.over_condition = strncmp(text, "cond=", 5) == 0};
    if (!sweep->over_condition && strncmp(text, "n=", 2) != 0)
        return complain(text, "a sweep is n=A,B,... or cond=A,B,...");
    if (snprintf(copy, sizeof copy, "%s", strchr(text, '=') + 1) >= SWEEP_TEXT)
        return complain(text, "there are too many values");
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (sweep->count == SWEEP_VALUES)
            return complain(text, "there are too many values");
        bool good = sweep->over_condition
                        ? find_condition(word, &sweep->values[sweep->count])
                        : size_parse(word, &sweep->n[sweep->count]) ||
                              complain(word, "a size is a whole number from 1 on, such as " SIZE_SPELLINGS);
        if (!good)
            return false;
        sweep->count++;
    }
    return sweep->count || complain(text, "it names no value");
}
