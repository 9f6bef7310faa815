// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What the pool of stacks needs from C: a cache per thread, guard pages, and a message when one is hit.

#ifndef CCOROUTINESSTACKS_H
#define CCOROUTINESSTACKS_H

#include "CCoroutines.h"

/// The number of classes of sizes: 16 KiB, 32 KiB, …, 8 MiB.
#define CCORO_SIZE_CLASSES 10

// MARK: The thread's cache

// Never inlined, like all that touches thread-locals.

/// Takes the warmest stack that this thread keeps.
__attribute__((noinline)) ccoro_block *_Nullable ccoro_cache_pop(uint8_t size_class);

/// Keeps a stack on this thread.
///
/// @return Whether it was kept: not if the cache is full.
__attribute__((noinline)) bool ccoro_cache_push(ccoro_block *_Nonnull block);

/// Takes the coldest half of what this thread keeps, as a list linked by `next`.
ccoro_block *_Nullable ccoro_cache_take_half(uint8_t size_class);

/// The number of stacks that this thread keeps.
uint32_t ccoro_cache_count(uint8_t size_class);

/// Makes this thread fit to run coroutines: signals get a stack of their own, so that an overflow can be told.
///
/// @param flush Gets what the thread keeps when it ends, a list for each class.
void ccoro_thread_begin(void (*_Nonnull flush)(ccoro_block *_Nonnull list));

// MARK: Memory

/// Reserves address space.
///
/// @return `NULL` if there is none; `errno` says why.
void *_Nullable ccoro_reserve(size_t size);
void ccoro_unreserve(void *_Nonnull memory, size_t size);

/// Gives the memory of a range back, which stays reserved. Its contents are lost.
void ccoro_discard(void *_Nonnull memory, size_t size);

/// How a page is made to end the process that touches it.
typedef enum __attribute__((enum_extensibility(closed))) ccoro_guard_kind : uint8_t {
    /// Tries the first, then the second.
    ccoro_guard_automatic = 0,
    /// `MADV_GUARD_INSTALL`, which does not split the mapping (Linux 6.13).
    ccoro_guard_install,
    /// `mprotect`, which does: 65,530 mappings are the limit of a process.
    ccoro_guard_mprotect,
} ccoro_guard_kind;

/// Guards a page.
///
/// @return 0, or an error number.
int ccoro_guard(void *_Nonnull page, size_t size, ccoro_guard_kind kind);

/// The thread's `errno`, which Swift on some platforms cannot read.
int ccoro_errno(void);

/// The size of a page in bytes.
size_t ccoro_page_size(void);

// MARK: Overflow

/// Tells the handler of memory faults of a slab, so that it knows its guard pages.
///
/// The handler is installed with the first one, and hands every other fault to the one that was there before.
///
/// @return Whether there was room in the table.
bool ccoro_faults_add(void *_Nonnull slab, size_t size, size_t stride, size_t guard);
void ccoro_faults_remove(void *_Nonnull slab);

#endif
