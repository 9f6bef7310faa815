// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CAllocationCounter.h"

#include <stdlib.h>

#if defined(__GLIBC__)

// The dynamic linker prefers the executable's functions, so all code that allocates in the process, the Swift runtime
// included, calls these. They pass every call on to glibc, under its other names for the same functions.

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// Counts only while asked to, so that timed code pays for one well-predicted branch instead of an atomic addition.
static atomic_bool counting;
static atomic_long blocks;

static inline void note(void) {
    if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0)) {
        atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    note();
    void *block = __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

void free(void *block) { __libc_free(block); }

bool allocation_counter_works(void) { return true; }

void allocation_counter_start(void) {
    atomic_store(&blocks, 0);
    atomic_store(&counting, true);
}

long allocation_counter_stop(void) {
    atomic_store(&counting, false);
    return atomic_load(&blocks);
}

long allocation_counter_bytes_in_use(void) { return (long)mallinfo2().uordblks; }

#else

bool allocation_counter_works(void) { return false; }
void allocation_counter_start(void) {}
long allocation_counter_stop(void) { return 0; }
long allocation_counter_bytes_in_use(void) { return 0; }

#endif
