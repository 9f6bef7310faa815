// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Stack.h"

/// Stack pointer, frame pointer, place. The base pointer is not needed: no frame here is of variable size.
typedef struct place {
    void *words[3];
} place;

/// The two sides, and what one tells the other, in one object that both know, as any library of coroutines has it.
typedef struct pair {
    place caller, counter;
    uint64_t number;
} pair;

#if defined(__aarch64__) && !defined(__APPLE__)
#define PLATFORM_REGISTER , "x18"
#else
#define PLATFORM_REGISTER
#endif

__attribute__((always_inline)) static inline pair *go(place *from, const place *to, pair *word) {
#if defined(__x86_64__)
    __asm__ volatile(
        "movq %%rsp, (%%rsi); movq %%rbp, 8(%%rsi); leaq 0f(%%rip), %%rax; movq %%rax, 16(%%rsi);"
        "movq (%%rdx), %%rsp; movq 8(%%rdx), %%rbp; jmpq *16(%%rdx); 0:"
        : "+D"(word), "+S"(from), "+d"(to)
        :
        : "memory", "cc", "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
          "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
          "xmm15"
    );
    return word;
#else
    register pair *x0 __asm__("x0") = word;
    register place *x1 __asm__("x1") = from;
    register const place *x2 __asm__("x2") = to;
    __asm__ volatile(
        "mov x9, sp; stp x9, x29, [x1]; adr x9, 0f; str x9, [x1, #16];"
        "ldp x9, x29, [x2]; mov sp, x9; ldr x16, [x2, #16]; br x16; 0: hint #36"
        : "+r"(x0), "+r"(x1), "+r"(x2)
        :
        : "memory", "cc", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
          "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3",
          "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
          "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31" PLATFORM_REGISTER
    );
    return x0;
#endif
}

// The word that goes across is the object's address, so that neither side fetches it from its frame.

__attribute__((noinline, noreturn)) static void count_in(pair *pair) {
    for (uint64_t number = 0;; number++) {
        pair->number = number;
        pair = go(&pair->counter, &pair->caller, pair);
    }
}

static pair both;

// Never called: the first switch jumps here.
static void count(void) {
    count_in(hidden(&both));
}

__attribute__((noinline)) static uint64_t loop(pair *pair, uint64_t iterations) {
    uint64_t number = 0;
    for (uint64_t i = 0; i < iterations; i++) {
        pair = go(&pair->caller, &pair->counter, pair);
        number = pair->number;
    }
    return number;
}

uint64_t switch_baseline_inlined(uint64_t iterations) {
    static stack stack;
    both.counter = (place){{stack_top_for_a_jump(&stack), 0, (void *)count}};
    go(&both.caller, &both.counter, &both);
    return loop(hidden(&both), iterations);
}
