// SPDX-License-Identifier: MIT
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

char *text_of_run(report_writer *writer, json_t *run) {
    char *text, message[REPORT_MESSAGE];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    json_t *before = json_deep_copy(run);
    ck_assert(out && before);
    ck_assert_msg(writer(run, out, message), "%s", message);
    ck_assert_msg(json_equal(run, before), "the writer changed the run");
    ck_assert_int_eq(fclose(out), 0);
    json_decref(before);
    json_decref(run);
    return text;
}

char *text_from(report_writer *writer, struct run_result result) {
    char message[REPORT_MESSAGE];
    json_t *run = report_of_result(&result, message);
    ck_assert_msg(run != NULL, "%s", message);
    run_result_free(&result);
    return text_of_run(writer, run);
}

const char *expect(const char *text, const char *words) {
    const char *found = strstr(text, words);
    ck_assert_msg(found != NULL, "no \"%s\" in:\n%.3000s", words, text);
    return found;
}

void refuse(const char *text, const char *words) {
    ck_assert_msg(strstr(text, words) == NULL, "\"%s\" is in the text", words);
}

size_t count(const char *text, const char *words) {
    size_t found = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        found++;
    return found;
}
