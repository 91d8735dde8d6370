// SPDX-License-Identifier: MIT
#include "harness/progress.h"

#include "harness/pool/child.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

void progress_begin(struct progress *progress, size_t total, bool quiet) {
    double now = monotonic_seconds();
    *progress = (struct progress){
        .total = total, .started = now, .shown = now, .quiet = quiet, .terminal = isatty(STDERR_FILENO) != 0};
}

static void show_bar(const struct progress *progress, double now) {
    char bar[BAR_WIDTH + 1];
    size_t filled = progress->done * BAR_WIDTH / progress->total;
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', filled);
    bar[BAR_WIDTH] = '\0';
    double left = (now - progress->started) / (double)progress->done * (double)(progress->total - progress->done);
    fprintf(stderr, "\r[%s] %zu of %zu cells, %.0f s left ", bar, progress->done, progress->total, left);
}

void progress_step(struct progress *progress) {
    progress->done++;
    double now = monotonic_seconds(), pause = progress->terminal ? 0.1 : 10;
    if (progress->quiet || now - progress->shown < pause)
        return;
    progress->shown = now;
    if (progress->terminal)
        show_bar(progress, now);
    else
        fprintf(stderr, "%zu of %zu cells, %.0f s\n", progress->done, progress->total, now - progress->started);
}

void progress_end(struct progress *progress) {
    if (!progress->quiet && progress->terminal)
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 48, "");
}
