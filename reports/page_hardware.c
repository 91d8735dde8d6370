// SPDX-License-Identifier: MIT
// What the machine itself does, where the run asked it.
#include "reports/hardware.h"
#include "reports/page.h"

#include <string.h>

static void write_answer(const struct page *page, const json_t *answer) {
    if (!answer) {
        fputs("<td>–", page->out);
        return;
    }
    bool good = flag_of(answer, "as_stated");
    fprintf(page->out, "<td><code>");
    write_member(page, answer, "observed");
    fprintf(page->out, "</code> <span class=%s>%s</span>", good ? "good" : "bad", good ? "as stated" : "differs");
    if (has_text(answer, "detail")) {
        fputs("<br>", page->out);
        write_member(page, answer, "detail");
    }
}

static void write_question(const struct page *page, const struct hardware_table *table, size_t i) {
    static const char *const members[] = {"operation", "what", "type"};
    const json_t *question = json_array_get(table->answers, i);
    fputs("<tr>", page->out);
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        fputs(m ? "<td>" : "<th>", page->out);
        write_member(page, question, members[m]);
    }
    fputs("<td><code>", page->out);
    write_member(page, question, "operands");
    fputs("</code><td><code>", page->out);
    write_member(page, question, "expected");
    fputs("</code>", page->out);
    for (size_t b = 0; b < table->backend_count; b++)
        write_answer(page, hardware_answer_of(table, i, b));
    fputs("<td>", page->out);
    write_member(page, question, "source");
    fputc('\n', page->out);
}

void page_hardware(const struct page *page) {
    struct hardware_table table;
    hardware_table_make(&table, page->run);
    size_t answers = json_array_size(table.answers);
    if (!answers)
        return;
    fprintf(page->out,
            "<section id=hardware><h2>What the machine itself does</h2>\n<p>%zu of %zu answers are as stated. What "
            "varies or is lost in a sum is often the machine's doing; and the emulator's bits count only where it does "
            "the same. “nan” alone stands for any NaN.</p>\n<details%s><summary>The questions</summary>\n"
            "<div class=scroll><table class=sticky><thead><tr><th>operation<th>on<th>type<th>operands<th>stated",
            table.as_stated, answers, table.as_stated < answers || page->machine_only ? " open" : "");
    for (size_t b = 0; b < table.backend_count; b++) {
        fputs("<th>", page->out);
        write_escaped(table.backends[b], page->out);
    }
    fputs("<th>source</thead>\n", page->out);
    for (size_t i = 0; i < answers; i++)
        if (hardware_opens_row(&table, i))
            write_question(page, &table, i);
    fputs("</table></div></details></section>\n", page->out);
}
