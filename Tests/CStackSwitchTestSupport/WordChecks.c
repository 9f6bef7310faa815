// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

#include <pthread.h>

static void count_up(void *word) {
    flow *self = word;
    uintptr_t answer = 0;
    for (;;) {
        answer = (uintptr_t)flow_suspend(self, (void *)answer) + 1;
    }
}

const char *check_words(void) {
    flow flow;
    flow_begin(&flow, count_up);
    CHECK(flow_resume(&flow, &flow) == NULL);
    CHECK(flow_resume(&flow, NULL) == (void *)1);
    CHECK(flow_resume(&flow, (void *)UINTPTR_MAX) == NULL);
    CHECK(flow_resume(&flow, &flow) == (char *)&flow + 1);
    return flow_end(&flow);
}

const char *check_many_round_trips(void) {
    flow flow;
    flow_begin(&flow, count_up);
    uintptr_t word = (uintptr_t)flow_resume(&flow, &flow);
    for (int i = 0; i < 1000000; i++) {
        word = (uintptr_t)flow_resume(&flow, (void *)word);
    }
    CHECK(word == 1000000);
    return flow_end(&flow);
}

/// Three flows, each resumed by the one before it, and where they have been.
static struct {
    flow a, b, c;
    char log[16];
    size_t length;
} nest;

static void note(char event) {
    nest.log[nest.length++] = event;
}

static void innermost(void *word) {
    (void)word;
    note('C');
    // Past the two in between, to the flow that began it all.
    cstack_switch(&nest.c.own, &nest.a.resumer, NULL);
    note('c');
    flow_suspend(&nest.c, NULL);
}

static void middle(void *word) {
    (void)word;
    note('B');
    flow_resume(&nest.c, &nest.c);
    note('b');
    flow_suspend(&nest.b, NULL);
}

static void outermost(void *word) {
    (void)word;
    note('A');
    flow_resume(&nest.b, &nest.b);
    note('a');
    flow_suspend(&nest.a, NULL);
}

const char *check_nested_flows(void) {
    nest.length = 0;
    flow_begin(&nest.a, outermost);
    flow_begin(&nest.b, middle);
    flow_begin(&nest.c, innermost);
    flow_resume(&nest.a, &nest.a);
    note('-');
    cstack_switch(&nest.a.resumer, &nest.c.own, NULL);
    note('\0');
    flow_end(&nest.a);
    flow_end(&nest.b);
    flow_end(&nest.c);
    CHECK(__builtin_strcmp(nest.log, "ABC-cba") == 0);
    return NULL;
}

const char *check_moved_context(void) {
    flow flow;
    flow_begin(&flow, count_up);
    cstack_context moved = flow.own;
    flow.own = (cstack_context){0};
    cstack_switch(&flow.resumer, &moved, &flow);
    moved = flow.own;
    flow.own = (cstack_context){0};
    CHECK(cstack_switch(&flow.resumer, &moved, (void *)1) == (void *)2);
    return flow_end(&flow);
}

static _Thread_local char of_this_thread;

// The compiler may keep the address of a thread-local, so this must not become part of its caller.
__attribute__((noinline)) const void *cstacktest_thread_local(void) {
    return hidden(&of_this_thread);
}

static void report_threads(void *word) {
    flow *self = word;
    for (;;) {
        flow_suspend(self, (void *)cstacktest_thread_local());
    }
}

static void *resume_here(void *word) {
    flow *flow = word;
    const void *inside = flow_resume(flow, NULL);
    return inside == cstacktest_thread_local() ? (void *)inside : NULL;
}

const char *check_other_thread(void) {
    flow flow;
    flow_begin(&flow, report_threads);
    CHECK(flow_resume(&flow, &flow) == cstacktest_thread_local());
    pthread_t thread;
    void *there = NULL;
    CHECK(pthread_create(&thread, NULL, resume_here, &flow) == 0);
    CHECK(pthread_join(thread, &there) == 0);
    CHECK(there != NULL);
    CHECK(there != cstacktest_thread_local());
    CHECK(flow_resume(&flow, NULL) == cstacktest_thread_local());
    return flow_end(&flow);
}
