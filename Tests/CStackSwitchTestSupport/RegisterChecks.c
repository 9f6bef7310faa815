// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"
#include "Registers.h"

#include <string.h>

/// Distinct numbers, each with bits in every byte.
static void fill(uint64_t patterns[PRESERVED_REGISTERS], uint64_t seed) {
    for (int i = 0; i < PRESERVED_REGISTERS; i++) {
        patterns[i] = (seed * 64 + (uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    }
}

static void suspend_thrice(void *argument) {
    for (int i = 0; i < 3; i++) flow_suspend(argument, NULL);
}

static void resume_thrice(void *argument) {
    for (int i = 0; i < 3; i++) flow_resume(argument, NULL);
}

static void with_other_patterns(void *word) {
    flow *self = word;
    uint64_t patterns[PRESERVED_REGISTERS], found[PRESERVED_REGISTERS] = {0};
    fill(patterns, 2);
    flow_suspend(self, NULL);
    call_with_patterns(suspend_thrice, self, patterns, found);
    FLOW_CHECK(self, memcmp(found, patterns, sizeof found) == 0);
    flow_suspend(self, NULL);
}

const char *check_preserved_registers(void) {
    flow flow;
    flow_begin(&flow, with_other_patterns);
    flow_resume(&flow, &flow);
    uint64_t patterns[PRESERVED_REGISTERS], found[PRESERVED_REGISTERS] = {0};
    fill(patterns, 1);
    call_with_patterns(resume_thrice, &flow, patterns, found);
    flow_resume(&flow, NULL);
    const char *failure = flow_end(&flow);
    CHECK(memcmp(found, patterns, sizeof found) == 0);
    return failure;
}

/// Zero in every register that the compiler lets a statement have.
static inline void wipe(void) {
#if defined(__x86_64__)
    __asm__ volatile(
        "xorl %%eax, %%eax\n\t xorl %%ebx, %%ebx\n\t xorl %%ecx, %%ecx\n\t xorl %%edx, %%edx\n\t"
        "xorl %%esi, %%esi\n\t xorl %%edi, %%edi\n\t xorl %%r8d, %%r8d\n\t xorl %%r9d, %%r9d\n\t"
        "xorl %%r10d, %%r10d\n\t xorl %%r11d, %%r11d\n\t xorl %%r12d, %%r12d\n\t xorl %%r13d, %%r13d\n\t"
        "xorl %%r14d, %%r14d\n\t xorl %%r15d, %%r15d\n\t"
        "xorps %%xmm0, %%xmm0\n\t xorps %%xmm1, %%xmm1\n\t xorps %%xmm2, %%xmm2\n\t xorps %%xmm3, %%xmm3\n\t"
        "xorps %%xmm4, %%xmm4\n\t xorps %%xmm5, %%xmm5\n\t xorps %%xmm6, %%xmm6\n\t xorps %%xmm7, %%xmm7\n\t"
        "xorps %%xmm8, %%xmm8\n\t xorps %%xmm9, %%xmm9\n\t xorps %%xmm10, %%xmm10\n\t xorps %%xmm11, %%xmm11\n\t"
        "xorps %%xmm12, %%xmm12\n\t xorps %%xmm13, %%xmm13\n\t xorps %%xmm14, %%xmm14\n\t xorps %%xmm15, %%xmm15\n\t"
        // As many as the x87 stack holds, then none.
        "fldz\n\t fldz\n\t fldz\n\t fldz\n\t fldz\n\t fldz\n\t fldz\n\t fldz\n\t"
        "fstp %%st(0)\n\t fstp %%st(0)\n\t fstp %%st(0)\n\t fstp %%st(0)\n\t"
        "fstp %%st(0)\n\t fstp %%st(0)\n\t fstp %%st(0)\n\t fstp %%st(0)"
        :
        :
        : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc",
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
          "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
          "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
    );
#else
    __asm__ volatile(
        "mov x0, #0\n\t mov x1, #0\n\t mov x2, #0\n\t mov x3, #0\n\t mov x4, #0\n\t mov x5, #0\n\t mov x6, #0\n\t"
        "mov x7, #0\n\t mov x8, #0\n\t mov x9, #0\n\t mov x10, #0\n\t mov x11, #0\n\t mov x12, #0\n\t mov x13, #0\n\t"
        "mov x14, #0\n\t mov x15, #0\n\t mov x16, #0\n\t mov x17, #0\n\t mov x19, #0\n\t mov x20, #0\n\t"
        "mov x21, #0\n\t mov x22, #0\n\t mov x23, #0\n\t mov x24, #0\n\t mov x25, #0\n\t mov x26, #0\n\t"
        "mov x27, #0\n\t mov x28, #0\n\t mov x30, #0\n\t"
        "movi v0.2d, #0\n\t movi v1.2d, #0\n\t movi v2.2d, #0\n\t movi v3.2d, #0\n\t movi v4.2d, #0\n\t"
        "movi v5.2d, #0\n\t movi v6.2d, #0\n\t movi v7.2d, #0\n\t movi v8.2d, #0\n\t movi v9.2d, #0\n\t"
        "movi v10.2d, #0\n\t movi v11.2d, #0\n\t movi v12.2d, #0\n\t movi v13.2d, #0\n\t movi v14.2d, #0\n\t"
        "movi v15.2d, #0\n\t movi v16.2d, #0\n\t movi v17.2d, #0\n\t movi v18.2d, #0\n\t movi v19.2d, #0\n\t"
        "movi v20.2d, #0\n\t movi v21.2d, #0\n\t movi v22.2d, #0\n\t movi v23.2d, #0\n\t movi v24.2d, #0\n\t"
        "movi v25.2d, #0\n\t movi v26.2d, #0\n\t movi v27.2d, #0\n\t movi v28.2d, #0\n\t movi v29.2d, #0\n\t"
        "movi v30.2d, #0\n\t movi v31.2d, #0"
        :
        :
        : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
          "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3",
          "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
          "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
    );
#endif
}

static void wipe_registers(void *word) {
    flow *self = word;
    for (;;) {
        wipe();
        flow_suspend(self, NULL);
    }
}

/// Sums in more variables than there are registers of either kind, across switches that the compiler sees through.
__attribute__((noinline)) static const char *sum_across_switches(flow *flow, uint64_t start) {
    uint64_t a = start, b = start + 1, c = start + 2, d = start + 3, e = start + 4, f = start + 5, g = start + 6;
    double p = (double)a, q = (double)b, r = (double)c, s = (double)d, t = (double)e, u = (double)f, v = (double)g;
    long double w = (long double)start, x = w + 1, y = w + 2;
    for (int i = 0; i < 100; i++) {
        flow_resume(flow, NULL);
        a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7;
        p += 1, q += 2, r += 3, s += 4, t += 5, u += 6, v += 7;
        w += 1, x += 2, y += 3;
    }
    CHECK(a == start + 100 && b == start + 201 && c == start + 302 && d == start + 403);
    CHECK(e == start + 504 && f == start + 605 && g == start + 706);
    CHECK(p == (double)a && q == (double)b && r == (double)c && s == (double)d);
    CHECK(t == (double)e && u == (double)f && v == (double)g);
    CHECK(w == (long double)a && x == (long double)b && y == (long double)c);
    return NULL;
}

const char *check_values_in_registers(void) {
    flow flow;
    flow_begin(&flow, wipe_registers);
    flow_resume(&flow, &flow);
    const char *failure = sum_across_switches(&flow, (uint64_t)(uintptr_t)hidden((void *)1));
    flow_end(&flow);
    return failure;
}

#if defined(__x86_64__)

typedef int wide __attribute__((vector_size(64)));

static void wipe_wide_registers(void *word) {
    flow *self = word;
    for (;;) {
        __asm__ volatile(
            "vzeroall\n\t kxorw %%k1, %%k1, %%k1\n\t kxorw %%k2, %%k2, %%k2\n\t kxorw %%k3, %%k3, %%k3\n\t"
            "kxorw %%k4, %%k4, %%k4\n\t kxorw %%k5, %%k5, %%k5\n\t kxorw %%k6, %%k6, %%k6\n\t kxorw %%k7, %%k7, %%k7"
            :
            :
            : "k1", "k2", "k3", "k4", "k5", "k6", "k7"
        );
        flow_suspend(self, NULL);
    }
}

__attribute__((noinline, target("avx512f"))) static const char *add_across_switches(flow *flow) {
    wide a = {0}, b = {1, 2, 3, 4}, c = a - 1;
    wide *hidden_b = hidden(&b);
    wide one = *hidden_b - *hidden_b + 1;
    uint16_t mask = 0x5a5a;
    for (int i = 0; i < 100; i++) {
        // Lives in a mask register, before and after.
        __asm__ volatile("" : "+Yk"(mask));
        flow_resume(flow, NULL);
        __asm__ volatile("" : "+Yk"(mask));
        a += one;
        b += a;
        c -= one;
    }
    CHECK(mask == 0x5a5a);
    for (int i = 0; i < 16; i++) {
        CHECK(a[i] == 100);
        CHECK(b[i] == 5050 + (i < 4 ? i + 1 : 0));
        CHECK(c[i] == -101);
    }
    return NULL;
}

#endif

const char *check_wide_vectors(void) {
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx512f")) return NULL;
    flow flow;
    flow_begin(&flow, wipe_wide_registers);
    flow_resume(&flow, &flow);
    const char *failure = add_across_switches(&flow);
    flow_end(&flow);
    return failure;
#else
    // There are none that the other checks do not use.
    return NULL;
#endif
}
