// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The stacks that each thread keeps for its next coroutines.

#include "CCoroutinesStacks.h"
#include "StackThreads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/// What a thread keeps. Only its thread changes it; any thread may read the counts.
///
/// Never freed, but reused by another thread when its own ends: so `all` can be walked without a lock, and there are as
/// many as there were threads at once.
typedef struct thread_cache {
    /// The warmest of each class, the others linked by `next`.
    ccoro_block *free[CCORO_SIZE_CLASSES];
    _Atomic(uint32_t) count[CCORO_SIZE_CLASSES];
    /// The signal stack that we gave this thread.
    void *signal_stack;
    _Atomic(bool) is_owned;
    /// The one that was made before this one; constant.
    struct thread_cache *older;
} thread_cache;

static _Thread_local thread_cache *cache;
_Thread_local bool ccoro_thread_is_fit;

static _Atomic(thread_cache *) all;
static void (*_Atomic flush_list)(ccoro_block *list);

static pthread_key_t at_thread_exit;
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// MARK: Using it

static uint32_t count_of(const thread_cache *mine, uint8_t size_class) {
    return atomic_load_explicit(&mine->count[size_class], memory_order_relaxed);
}

static void set_count(thread_cache *mine, uint8_t size_class, uint32_t count) {
    atomic_store_explicit(&mine->count[size_class], count, memory_order_relaxed);
}

ccoro_block *ccoro_cache_pop(uint8_t size_class) {
    thread_cache *mine = cache;
    if (__builtin_expect(!mine, 0)) return NULL;
    ccoro_block *block = mine->free[size_class];
    if (!block) return NULL;
    mine->free[size_class] = block->next;
    set_count(mine, size_class, count_of(mine, size_class) - 1);
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_stack_taken(block);
    return block;
}

bool ccoro_cache_push(ccoro_block *block) {
    if (__builtin_expect(ccoro_is_sanitized, 0)) ccoro_sanitizer_stack_returned(block);
    thread_cache *mine = cache;
    if (__builtin_expect(!mine, 0)) return false;
    uint8_t size_class = block->size_class;
    uint32_t count = count_of(mine, size_class);
    if (__builtin_expect(count >= ccoro_cache_limit(size_class), 0)) return false;
    block->next = mine->free[size_class];
    mine->free[size_class] = block;
    set_count(mine, size_class, count + 1);
    return true;
}

static ccoro_block *take_below(thread_cache *mine, uint8_t size_class, uint32_t kept) {
    ccoro_block **link = &mine->free[size_class];
    for (uint32_t index = 0; index < kept; index++) link = &(*link)->next;
    ccoro_block *list = *link;
    *link = NULL;
    set_count(mine, size_class, kept);
    return list;
}

ccoro_block *ccoro_cache_take_half(uint8_t size_class) {
    thread_cache *mine = cache;
    return mine ? take_below(mine, size_class, count_of(mine, size_class) / 2) : NULL;
}

ccoro_block *ccoro_cache_take_all(uint8_t size_class) {
    thread_cache *mine = cache;
    return mine ? take_below(mine, size_class, 0) : NULL;
}

uint32_t ccoro_cache_count(uint8_t size_class) {
    thread_cache *mine = cache;
    return mine ? count_of(mine, size_class) : 0;
}

uint32_t ccoro_cache_limit(uint8_t size_class) {
    static const uint8_t limits[CCORO_SIZE_CLASSES] = {64, 64, 32, 16, 8, 4, 2, 2, 2};
    return limits[size_class];
}

uint32_t ccoro_cache_count_of_all_threads(uint8_t size_class) {
    uint32_t sum = 0;
    thread_cache *each = atomic_load_explicit(&all, memory_order_acquire);
    for (; each; each = each->older) sum += count_of(each, size_class);
    return sum;
}

// MARK: Threads come and go

static void thread_exits(void *word) {
    // Why not by the thread-local: on Apple systems it may be gone before this runs.
    thread_cache *mine = word;
    void (*flush)(ccoro_block *list) = atomic_load_explicit(&flush_list, memory_order_acquire);
    for (uint8_t size_class = 0; size_class < CCORO_SIZE_CLASSES; size_class++) {
        ccoro_block *list = take_below(mine, size_class, 0);
        if (list && flush) flush(list);
    }
    if (mine->signal_stack) ccoro_signal_stack_end(mine->signal_stack);
    mine->signal_stack = NULL;
    // If another destructor runs a coroutine, it makes a new cache, and this one is called once more.
    cache = NULL;
    ccoro_thread_is_fit = false;
    atomic_store_explicit(&mine->is_owned, false, memory_order_release);
}

static void make_key(void) { has_key = pthread_key_create(&at_thread_exit, thread_exits) == 0; }

/// A cache for this thread: one that another thread has left, or a new one; null without memory.
static thread_cache *take_cache(void) {
    thread_cache *each = atomic_load_explicit(&all, memory_order_acquire);
    for (; each; each = each->older) {
        bool owned = false;
        if (atomic_compare_exchange_strong_explicit(
                &each->is_owned, &owned, true, memory_order_acquire, memory_order_relaxed)) {
            return each;
        }
    }
    thread_cache *made = calloc(1, sizeof(thread_cache));
    if (!made) return NULL;
    atomic_store_explicit(&made->is_owned, true, memory_order_relaxed);
    made->older = atomic_load_explicit(&all, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        &all, &made->older, made, memory_order_release, memory_order_relaxed)) {
    }
    return made;
}

void ccoro_thread_begin_running(void) {
    if (ccoro_thread_is_fit) return;
    ccoro_thread_is_fit = true;
    pthread_once(&once, make_key);
    // Without a key the cache would not be emptied when the thread ends.
    if (!has_key) return;
    thread_cache *mine = take_cache();
    if (!mine) return;
    if (pthread_setspecific(at_thread_exit, mine) != 0) {
        atomic_store_explicit(&mine->is_owned, false, memory_order_release);
        return;
    }
    mine->signal_stack = ccoro_signal_stack_begin();
    cache = mine;
}

void ccoro_thread_begin(void (*flush)(ccoro_block *list)) {
    if (ccoro_thread_is_fit) return;
    atomic_store_explicit(&flush_list, flush, memory_order_release);
    ccoro_thread_begin_running();
}
