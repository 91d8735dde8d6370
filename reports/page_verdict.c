// SPDX-License-Identifier: MIT
// First screen: the verdict sentence, what it rests on, and the environment.
#include "reports/page.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_BYTES = 128 }; // bytes of a key of the environment

static bool ran_on(const json_t *run, const char *name) {
    size_t i;
    json_t *backend;
    json_array_foreach(json_object_get(run, "backends"), i, backend) {
        if (!strcmp(json_string_value(backend), name))
            return true;
    }
    return false;
}

// What a program ran on is its own to tell.
static bool is_without_gpu(const json_t *run) {
    return !ran_on(run, "cuda") && !ran_on(run, "exec");
}

struct tally {
    size_t failed, known, nothing, unchecked, planted, missed; // cells, and planted faults that no detector caught
    size_t broken, untested;                                   // claims
};

static struct tally count_all(const struct page *page) {
    struct tally tally = {0};
    for (size_t i = 0; i < page->view->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[i];
        bool of_fault = page->view->variants[cell->variant].planted;
        tally.planted += of_fault;
        tally.failed += cell->failed && !of_fault;
        tally.known += cell->known;
        tally.nothing += finding_in(cell->findings, FINDING_BOUND_SAYS_NOTHING);
        tally.unchecked += cell->head == FINDING_NOT_CHECKED;
    }
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[v];
        tally.missed += variant->planted && !variant->caught;
        tally.broken += variant->planted ? 0 : variant->claims_by_status[CLAIM_BROKEN];
        tally.untested += variant->planted ? 0 : variant->claims_by_status[CLAIM_NOT_TESTED];
    }
    return tally;
}

static void write_counts(const struct page *page, const struct tally *tally) {
    fprintf(page->out,
            "<ul class=counts><li class=%s><b>%zu</b> cells failed<li><b>%zu</b> known<li><b>%zu</b> cells in all"
            "<li><b>%zu</b> where the bound says nothing",
            tally->failed ? "bad" : "good", tally->failed, tally->known, page->view->cell_count, tally->nothing);
    if (tally->unchecked)
        fprintf(page->out, "<li><b>%zu</b> not checked", tally->unchecked);
    if (tally->planted)
        fprintf(page->out, "<li><b>%zu</b> of planted faults", tally->planted);
    fputs("</ul>\n", page->out);
}

static bool is_first_of_its_name(const struct page *page, size_t v) {
    const char *name = text_of(page->view->variants[v].json, "name");
    size_t first = 0;
    while (strcmp(text_of(page->view->variants[first].json, "name"), name) != 0)
        first++;
    return first == v;
}

// Of a selftest the verdict's "60 of 60 variants break a claim" is the good news.
void write_headline(const struct page *page) {
    size_t planted = 0, faults = 0, caught = 0;
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[v];
        planted += variant->planted;
        if (variant->planted && is_first_of_its_name(page, v)) {
            faults++;
            caught += variant->caught;
        }
    }
    if (planted && planted == page->view->variant_count)
        fprintf(page->out, "%zu of %zu planted faults caught", caught, faults);
    else
        write_member(page, page->run, "verdict");
}

// ---- may it be merged? ----

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_OPEN };

static enum answer answer_of(const struct page *page, const struct tally *tally) {
    if (tally->broken || tally->failed || tally->missed || has_text(page->run, "refusal"))
        return ANSWER_NO;
    return flag_of(page->run, "interrupted") || !page->view->cell_count ? ANSWER_OPEN : ANSWER_YES;
}

enum { BROKEN_NAMED = 6 };

static void write_broken(const struct page *page, const struct tally *tally) {
    size_t named = 0, broken = 0;
    fprintf(page->out, "<li><b>%zu</b> broken claim%s:", tally->broken, tally->broken == 1 ? "" : "s");
    for (size_t i = 0; i < page->view->variant_count; i++) {
        const struct variant_view *variant = &page->view->variants[page->view->order[i]];
        if (variant->planted || (!variant->failures && !variant->claims_by_status[CLAIM_BROKEN]))
            continue;
        if (++broken > BROKEN_NAMED)
            continue;
        fputs(named++ ? ", " : " ", page->out);
        fprintf(page->out, "<a href=#f%zu>", variant->index);
        write_member(page, variant->json, "name");
        fputs("</a> <i>", page->out);
        write_member(page, variant->json, "backend");
        fputs("&nbsp;", page->out);
        write_member(page, variant->json, "type");
        fputs("</i>", page->out);
    }
    if (broken > BROKEN_NAMED)
        fprintf(page->out, ", and %zu more", broken - BROKEN_NAMED);
    fputc('\n', page->out);
}

static void write_reasons(const struct page *page, const struct tally *tally) {
    if (tally->broken || tally->failed)
        write_broken(page, tally);
    if (tally->missed)
        fprintf(page->out, "<li><b>%zu</b> planted faults were not caught\n", tally->missed);
    if (has_text(page->run, "refusal")) {
        fputs("<li>", page->out);
        write_member(page, page->run, "refusal");
        fputc('\n', page->out);
    }
}

// What a yes does not cover.
static void write_conditions(const struct page *page, const struct tally *tally) {
    if (tally->known)
        fprintf(page->out,
                "<li>%zu cells fail as <code>reductio-known.txt</code> says: <a href=#known>which and why</a>\n",
                tally->known);
    if (tally->untested)
        fprintf(page->out, "<li>%zu claims were not tested; each says why under <a href=#variants>its variant</a>\n",
                tally->untested);
    if (is_without_gpu(page->run))
        fputs("<li>No GPU took part: what only hardware shows is open\n", page->out);
}

static void write_answer(const struct page *page, const struct tally *tally, enum answer answer) {
    static const char *const answers[] = {
        [ANSWER_YES] = "<b class=good>Yes</b>, as far as this run goes: no claim is broken.",
        [ANSWER_NO] = "<b class=bad>No</b>:",
        [ANSWER_OPEN] = "<b class=known>Open</b>: the run did not get to its end.",
    };
    bool selftest = !strcmp(text_of(page->run, "command"), "selftest");
    fprintf(page->out, "<div class=answer><p>%s %s</p>\n<ul>\n",
            selftest ? "Is every planted fault caught?" : "May I merge this?",
            selftest && answer == ANSWER_YES ? "<b class=good>Yes</b>, each by the detector that it names."
                                             : answers[answer]);
    write_reasons(page, tally);
    if (answer == ANSWER_YES)
        write_conditions(page, tally);
    fputs("</ul></div>\n", page->out);
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
    if (is_without_gpu(page->run) && ran_on(page->run, "simt"))
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
    const struct tally tally = count_all(page);
    enum answer answer = answer_of(page, &tally);
    static const char *const classes[] = {"good", "bad", "open"};
    fprintf(page->out, "<header class=%s><h1>", classes[answer]);
    write_headline(page);
    fputs("</h1>\n", page->out);
    write_answer(page, &tally, answer);
    write_run_line(page);
    write_counts(page, &tally);
    write_notes(page);
    write_environment(page);
    fputs("</header>\n", page->out);
}
