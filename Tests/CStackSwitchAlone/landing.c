// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A program for AArch64 Linux without a C library, so that all of it has landing pads (BTI) and the processor checks
// every indirect jump. C libraries often have none, and one part without them switches the check off.
// Built by Scripts/test-aarch64. Exits with 0 if all jumps have landed.

#include "CStackSwitch.h"

#include <stdio.h>
#include <stdlib.h>

static cstack_context starter, flow;

static void count(void *word) {
    for (;;) word = cstack_switch(&flow, &starter, (char *)word + 1);
}

__attribute__((noreturn)) static void leave(long status) {
    register long x8 __asm__("x8") = 93;    // exit
    register long x0 __asm__("x0") = status;
    __asm__ volatile("svc #0" : : "r"(x8), "r"(x0));
    __builtin_unreachable();
}

// What cstack_prepare would call if its caller broke the rules.
FILE *stderr;
int fprintf(FILE *restrict file, const char *restrict format, ...) {
    (void)file, (void)format;
    return 0;
}
void abort(void) {
    leave(2);
}

__attribute__((noreturn)) void _start(void) {
    static _Alignas(16) char stack[16384];
    cstack_prepare(&flow, stack, sizeof stack, count);
    void *word = NULL;
    for (int i = 0; i < 1000; i++) word = cstack_switch(&starter, &flow, word);
    leave(word == (void *)1000 ? 0 : 1);
}
