// SPDX-License-Identifier: MIT
// First screen: the verdict sentence, what it rests on, and the environment.
#include "reports/page_answer.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_BYTES = 128 }; // bytes of a key of the environment

// Cells of planted faults are to fail, so that of those nothing is said.
static void write_counts(const struct page *page, const struct tally *tally) {
    size_t cells = page->view->cell_count;
    fputs("<ul class=counts>", page->out);
    if (tally->planted < cells)
        fprintf(page->out, "<li class=%s><b>%zu</b> cells failed<li><b>%zu</b> known",
                tally->failed              ? "bad"
                : tally->unchecked < cells ? "good"
                                           : "none",
                tally->failed, tally->known);
    fprintf(page->out, "<li><b>%zu</b> cells in all<li><b>%zu</b> where the bound says nothing", cells, tally->nothing);
    if (tally->unchecked)
        fprintf(page->out, "<li><b>%zu</b> not checked", tally->unchecked);
    if (tally->planted && tally->planted < cells)
        fprintf(page->out, "<li><b>%zu</b> of planted faults", tally->planted);
    fputs("</ul>\n", page->out);
}

// "PyTorch 2.11 (NVIDIA H200)" of the environment's lines exec.NAME.library and exec.NAME.device.
static void write_programs(const struct page *page) {
    static const char start[] = "exec.", end[] = ".library";
    const json_t *environment = json_object_get(page->run, "environment");
    const char *key, *before = ". Programs: ";
    json_t *value;
    json_object_foreach((json_t *)environment, key, value) {
        size_t length = strlen(key);
        char device[KEY_BYTES];
        if (length >= sizeof device || length <= strlen(start) + strlen(end) || strncmp(key, start, strlen(start)) ||
            strcmp(key + length - strlen(end), end))
            continue;
        snprintf(device, sizeof device, "%.*s.device", (int)(length - strlen(end)), key);
        fputs(before, page->out);
        write_escaped(json_string_value(value), page->out);
        fputs(" (", page->out);
        write_escaped(text_of(environment, device), page->out);
        fputs(")", page->out);
        before = ", ";
    }
}

static void write_run_line(const struct page *page) {
    size_t i;
    json_t *backend;
    fputs("<p class=run>", page->out);
    write_member(page, page->run, "command");
    fputs(", tier ", page->out);
    write_member(page, page->run, "tier");
    fputs(", on ", page->out);
    json_array_foreach(json_object_get(page->run, "backends"), i, backend) {
        fputs(i ? ", " : "", page->out);
        write_escaped(json_string_value(backend), page->out);
    }
    if (ran_without_gpu(page->run) && ran_emulated(page->run))
        fputs(". <strong>No GPU took part: kernels ran on simt, the CPU's CUDA</strong>, so what varies is what is "
              "reachable, and times are not a GPU's",
              page->out);
    write_programs(page);
    fputs(". Started ", page->out);
    write_member(page, page->run, "started");
    fprintf(page->out, ", %.1f s.</p>\n", figure_of(page->run, "seconds"));
    if (flag_of(page->run, "interrupted"))
        fputs("<p class=bad>Interrupted: what follows is what was done until then.</p>\n", page->out);
}

// What a reader asks first about where it ran; all of it is in the table below.
static void write_environment_line(const struct page *page) {
    static const struct {
        const char *key, *words;
    } facts[] = {{"cuda.gpu", ""},       {"cuda.driver", "driver "}, {"cuda.cuda", "CUDA "},
                 {"cuda.cccl", "CCCL "}, {"cuda.compiler", ""},      {"cpu", ""},
                 {"compiler", ""},       {"mpfr", "MPFR "},          {"simt.emulated", "simt: "}};
    const json_t *environment = json_object_get(page->run, "environment");
    const char *separator = "<p class=run>";
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++) {
        if (!has_text(environment, facts[f].key))
            continue;
        fprintf(page->out, "%s%s", separator, facts[f].words);
        write_member(page, environment, facts[f].key);
        separator = " · ";
    }
    fputs(*separator == '<' ? "" : "</p>\n", page->out);
}

static void write_row(const struct page *page, const char *key, const char *value) {
    fputs("<tr><th>", page->out);
    write_escaped(key, page->out);
    fputs("<td>", page->out);
    write_escaped(value, page->out);
    fputc('\n', page->out);
}

static void write_environment(const struct page *page) {
    const char *key;
    json_t *value;
    size_t i;
    write_environment_line(page);
    fputs("<details id=environment><summary>Environment: commit <code>", page->out);
    write_member(page, json_object_get(page->run, "environment"), "commit");
    fputs("</code>, seed <code>", page->out);
    write_member(page, page->run, "seed");
    fputs("</code></summary>\n<div class=scroll><table class=pairs>\n<tr><th>command line<td><code>", page->out);
    json_array_foreach(json_object_get(page->run, "argv"), i, value) {
        fputs(i ? " " : "", page->out);
        write_escaped(json_string_value(value), page->out);
    }
    fputs("</code>\n", page->out);
    json_object_foreach(json_object_get(page->run, "environment"), key, value) {
        write_row(page, key, json_string_value(value));
    }
    fputs("</table></div></details>\n", page->out);
}

enum { NOTES_OPEN = 3 };

// Many notes would push what failed off the screen.
static void write_notes(const struct page *page) {
    const json_t *notes = json_object_get(page->run, "notes"), *note;
    const bool folded = json_array_size(notes) > NOTES_OPEN;
    size_t i;
    if (folded)
        fprintf(page->out, "<details><summary>%zu notes</summary>\n", json_array_size(notes));
    json_array_foreach(notes, i, note) {
        fputs("<p class=note>", page->out);
        write_escaped(json_string_value(note), page->out);
        fputs("</p>\n", page->out);
    }
    if (folded)
        fputs("</details>\n", page->out);
}

void page_verdict(const struct page *page) {
    const struct tally tally = tally_run(page->view);
    enum answer answer = answer_of(page->view, &tally);
    static const char *const classes[] = {"good", "bad", "open"};
    fprintf(page->out, "<header class=%s><h1>", classes[answer]);
    write_member(page, page->run, "verdict");
    fputs("</h1>\n", page->out);
    write_answer(page, &tally, answer);
    write_run_line(page);
    if (!page->machine_only)
        write_counts(page, &tally);
    write_notes(page);
    write_environment(page);
    fputs("</header>\n", page->out);
}
