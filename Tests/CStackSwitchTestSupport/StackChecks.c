// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

#include <string.h>

const void *cstacktest_frame(void) {
    return __builtin_frame_address(0);
}

static void suspend_forever(void *word) {
    for (;;) flow_suspend(word, NULL);
}

const char *check_untouched_stack(void) {
    enum { size = 4096 };
    unsigned char *stack = malloc(size);
    memset(stack, 0xa5, size);
    cstack_context context;
    cstack_prepare(&context, stack, size, suspend_forever);
    size_t untouched = 0;
    while (untouched < size && stack[untouched] == 0xa5) untouched++;
    free(stack);
    CHECK(untouched == size);
    return NULL;
}

/// Out of line, where the compiler cannot know how its argument is aligned.
__attribute__((noinline)) static bool is_aligned(const void *address, uintptr_t alignment) {
    return (uintptr_t)hidden((void *)address) % alignment == 0;
}

static void align(void *word) {
    flow *self = word;
    // The first needs no more than the ABI promises at entry, the others make the compiler align the frame itself.
    _Alignas(16) char sixteen[16] = {0};
    FLOW_CHECK(self, is_aligned(sixteen, 16));
    _Alignas(64) char sixty_four[64] = {0};
    FLOW_CHECK(self, is_aligned(sixty_four, 64));
    flow_suspend(self, sixteen);
}

typedef float four __attribute__((vector_size(16)));

/// Keeps a vector on the stack during a switch, with instructions that trap if it is not aligned.
static void spill(void *word) {
    flow *self = word;
    four vector = {1, 2, 3, 4};
    __asm__ volatile("" : "+m"(vector));
    four copy = vector + vector;
    flow_suspend(self, NULL);
    copy += vector;
    FLOW_CHECK(self, copy[0] == 3 && copy[1] == 6 && copy[2] == 9 && copy[3] == 12);
    flow_suspend(self, NULL);
}

const char *check_alignment(void) {
    flow flow;
    flow_begin(&flow, align);
    flow_resume(&flow, &flow);
    const char *failure = flow_end(&flow);
    if (failure) return failure;
    flow_begin(&flow, spill);
    flow_resume(&flow, &flow);
    flow_resume(&flow, NULL);
    return flow_end(&flow);
}

/// Has a frame of variable size and an aligned variable in it, so the compiler needs its base pointer.
__attribute__((noinline)) static const char *sum_in_variable_frame(flow *flow, size_t count) {
    _Alignas(64) uint64_t aligned[8] = {0};
    uint64_t variable[count];
    for (size_t i = 0; i < count; i++) variable[i] = i;
    uint64_t *volatile escaped = aligned;
    for (size_t i = 0; i < count; i++) {
        flow_resume(flow, &variable[i]);
        escaped[i % 8] += variable[i];
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < 8; i++) sum += aligned[i];
    CHECK(is_aligned(aligned, 64));
    CHECK(sum == count * (count + 1) / 2);
    return NULL;
}

static void increment_all(void *word) {
    flow *self = word;
    // The same kind of frame on this side.
    _Alignas(64) uint64_t steps[8] = {0};
    uint64_t variable[1 + (uintptr_t)hidden(NULL)];
    for (;;) {
        uint64_t *number = flow_suspend(self, NULL);
        variable[0] = *number;
        *number = variable[0] + 1;
        uint64_t *volatile escaped = steps;
        escaped[*number % 8] += 1;
        FLOW_CHECK(self, is_aligned(steps, 64));
    }
}

const char *check_variable_frame(void) {
    flow flow;
    flow_begin(&flow, increment_all);
    flow_resume(&flow, &flow);
    const char *inside = sum_in_variable_frame(&flow, (size_t)hidden((void *)40));
    const char *failure = flow_end(&flow);
    return inside ? inside : failure;
}

/// Calls nothing, so its variables may lie below the stack pointer.
__attribute__((noinline)) static uint64_t sum_in_red_zone(flow *flow) {
    volatile uint64_t numbers[12];
    for (unsigned i = 0; i < 12; i++) numbers[i] = i + 1;
    flow_resume(flow, NULL);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 12; i++) sum += numbers[i];
    return sum;
}

const char *check_red_zone(void) {
    flow flow;
    flow_begin(&flow, suspend_forever);
    flow_resume(&flow, &flow);
    uint64_t sum = sum_in_red_zone(&flow);
    flow_end(&flow);
    CHECK(sum == 78);
    return NULL;
}

/// Recurses until the address of a local variable is `lowest`, suspends there, and sums on the way back.
__attribute__((noinline)) static uint64_t recurse(flow *self, uintptr_t lowest, uint64_t depth) {
    volatile uint64_t number = depth;
    if ((uintptr_t)&number < lowest) {
        flow_suspend(self, (void *)&number);
        return number;
    }
    return recurse(self, lowest, depth + 1) + number - depth;
}

static void recurse_to_the_end(void *word) {
    flow *self = word;
    // What is left is for the last frame, which a sanitizer makes larger.
    uint64_t depth = recurse(self, (uintptr_t)self->stack + 8192, 0);
    flow_suspend(self, (void *)(uintptr_t)depth);
}

const char *check_deep_recursion(void) {
    flow flow;
    flow_begin(&flow, recurse_to_the_end);
    uintptr_t deepest = (uintptr_t)flow_resume(&flow, &flow);
    uintptr_t low = (uintptr_t)flow.stack;
    uintptr_t depth = (uintptr_t)flow_resume(&flow, NULL);
    const char *failure = flow_end(&flow);
    CHECK(deepest >= low && deepest < low + 8192);
    CHECK(depth > 100);
    return failure;
}
