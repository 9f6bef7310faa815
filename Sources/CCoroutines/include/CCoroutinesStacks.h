// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What the pool of stacks needs from C: a cache per thread, memory and its guards, and a message when a guard is hit.

#ifndef CCOROUTINESSTACKS_H
#define CCOROUTINESSTACKS_H

#include "CCoroutines.h"

/// The number of classes of sizes: 32 KiB, 64 KiB, …, 8 MiB.
#define CCORO_SIZE_CLASSES 9

/// The block of a stack: at its upper end, so that it shares a page with the first frames.
///
/// @param low The lowest address of the stack, its guard included.
/// @param stride The number of bytes from there to the next stack.
static inline ccoro_block *_Nonnull ccoro_block_of_stack(uintptr_t low, size_t stride) {
    return (ccoro_block *)(low + stride - ((sizeof(ccoro_block) + 15) & ~(size_t)15));
}

// MARK: The thread's cache

// Never inlined, like all that touches thread-locals. A stack may be pushed on another thread than it was popped on.

/// Takes the warmest stack that this thread keeps.
__attribute__((noinline)) ccoro_block *_Nullable ccoro_cache_pop(uint8_t size_class);

/// Keeps a stack on this thread.
///
/// @return Whether it was kept: not if the cache is full, or the thread has none yet.
__attribute__((noinline)) bool ccoro_cache_push(ccoro_block *_Nonnull block);

/// Takes the coldest half of what this thread keeps, the warmest of it first, as a list linked by `next`.
__attribute__((noinline)) ccoro_block *_Nullable ccoro_cache_take_half(uint8_t size_class);

/// Takes all that this thread keeps, the warmest first, as a list linked by `next`.
__attribute__((noinline)) ccoro_block *_Nullable ccoro_cache_take_all(uint8_t size_class);

/// The number of stacks that this thread keeps.
__attribute__((noinline)) uint32_t ccoro_cache_count(uint8_t size_class);

/// The number of stacks that a thread keeps at most: 4 MiB of each size, but at least 2 and at most 64 stacks.
uint32_t ccoro_cache_limit(uint8_t size_class);

/// The number of stacks that all threads keep: exact while none of them takes or returns any.
uint32_t ccoro_cache_count_of_all_threads(uint8_t size_class);

/// Prepares this thread to run coroutines: it gets a cache and a signal stack, so that an overflow can be reported.
/// Cheap if it is already prepared.
///
/// Without memory for these, the thread continues without them: slower, and without the message.
///
/// @param flush Gets what a thread keeps when the thread ends, a list for each class. The same for all threads.
__attribute__((noinline)) void ccoro_thread_begin(void (*_Nonnull flush)(ccoro_block *_Nonnull list));

// MARK: Memory

// Results are error numbers, 0 for success.

/// Reserves address space, which gets memory page by page, by use; not the last of it.
int ccoro_reserve(size_t size, void *_Nullable *_Nonnull memory);

/// Gives back address space that was reserved.
int ccoro_unreserve(void *_Nonnull memory, size_t size);

/// Frees the memory of a range, which stays reserved. Its contents are lost. Guards outside of the range stay.
///
/// Fails if the memory is locked (`mlockall`), and then it stays.
int ccoro_discard(void *_Nonnull memory, size_t size);

/// Guards a range of pages by `MADV_GUARD_INSTALL`, which does not split the mapping (Linux 6.13).
///
/// @return 0; ENOTSUP if the kernel does not know how, or the memory is locked, which is found out once.
int ccoro_guard_install(void *_Nonnull low, size_t size);

/// Guards a range of pages by `mprotect`, which splits the mapping.
///
/// @return 0; ENOMEM if the process would have more than `ccoro_mapping_limit` mappings.
int ccoro_guard_protect(void *_Nonnull low, size_t size);

/// The number of mappings that the system allows a process: `vm.max_map_count` on Linux, 65,530 by default.
///
/// Reads a file. `SIZE_MAX` where there is no limit.
size_t ccoro_mapping_limit(void);

/// The size of a page in bytes.
size_t ccoro_page_size(void);

// MARK: Overflow

/// Registers a slab with the fault handler, so that the handler knows its guards.
///
/// The handler is installed with the first one. It passes every fault on to the previous handler, after a message if a
/// guard was hit.
///
/// @param slab The lowest address.
/// @param size The number of bytes.
/// @param stride The number of bytes from one stack to the next.
/// @param guard The number of bytes at the low end of each stack that are its guard.
/// @return 0; ENOMEM if the table is full.
int ccoro_faults_add(void *_Nonnull slab, size_t size, size_t stride, size_t guard);

/// Makes the handler forget a slab, before its memory is unmapped.
void ccoro_faults_remove(void *_Nonnull slab);

#endif
