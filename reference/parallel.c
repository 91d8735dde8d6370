// SPDX-License-Identifier: MIT
#include "reference/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 256 };

struct crew {
    void (*work)(void *context, size_t part);
    void *context;
    size_t parts;
    atomic_size_t next;
};

unsigned usable_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1; // more than CPU_SETSIZE processors
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

static void *take_parts(void *argument) {
    struct crew *crew = argument;
    size_t part;
    while ((part = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed)) < crew->parts)
        crew->work(crew->context, part);
    return NULL;
}

void run_in_parallel(unsigned threads, size_t parts, void (*work)(void *context, size_t part), void *context) {
    struct crew crew = {.work = work, .context = context, .parts = parts};
    size_t wanted = threads ? threads : usable_processors();
    wanted = wanted < parts ? wanted : parts;
    wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    pthread_t helpers[MOST_THREADS];
    size_t helper_count = 0;
    while (helper_count + 1 < wanted && pthread_create(&helpers[helper_count], NULL, take_parts, &crew) == 0)
        helper_count++;
    take_parts(&crew);
    for (size_t i = 0; i < helper_count; i++)
        pthread_join(helpers[i], NULL);
}
