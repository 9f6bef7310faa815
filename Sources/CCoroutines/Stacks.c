// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CCoroutinesStacks.h"

#include <errno.h>
#include <stdatomic.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: The thread's cache

enum { cache_limit = 16, signal_stack_size = 64 << 10 };

typedef struct thread_cache {
    ccoro_block *free[CCORO_SIZE_CLASSES];
    uint32_t count[CCORO_SIZE_CLASSES];
    void *signal_stack;
    void (*flush)(ccoro_block *list);
} thread_cache;

static _Thread_local thread_cache cache;
static pthread_key_t at_thread_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;

extern void __asan_unpoison_memory_region(void const volatile *address, size_t size) __attribute__((weak));

__attribute__((noinline)) ccoro_block *ccoro_cache_pop(uint8_t size_class) {
    ccoro_block *block = cache.free[size_class];
    if (!block) return NULL;
    cache.free[size_class] = block->next;
    cache.count[size_class] -= 1;
    return block;
}

__attribute__((noinline)) bool ccoro_cache_push(ccoro_block *block) {
    // The red zones of frames that were left for good.
    if (__builtin_expect(ccoro_is_sanitized, 0) && __asan_unpoison_memory_region) {
        __asan_unpoison_memory_region(block->stack_low, block->stack_size);
    }
    if (cache.count[block->size_class] >= cache_limit || !cache.flush) return false;
    block->next = cache.free[block->size_class];
    cache.free[block->size_class] = block;
    cache.count[block->size_class] += 1;
    return true;
}

ccoro_block *ccoro_cache_take_half(uint8_t size_class) {
    uint32_t kept = cache.count[size_class] / 2;
    ccoro_block **link = &cache.free[size_class];
    for (uint32_t index = 0; index < kept; index++) link = &(*link)->next;
    ccoro_block *list = *link;
    *link = NULL;
    cache.count[size_class] = kept;
    return list;
}

uint32_t ccoro_cache_count(uint8_t size_class) { return cache.count[size_class]; }

static void thread_exits(void *word) {
    (void)word;
    void (*flush)(ccoro_block *list) = cache.flush;
    cache.flush = NULL;
    for (int size_class = 0; size_class < CCORO_SIZE_CLASSES; size_class++) {
        ccoro_block *list = cache.free[size_class];
        cache.free[size_class] = NULL;
        cache.count[size_class] = 0;
        if (list && flush) flush(list);
    }
    if (cache.signal_stack) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        munmap(cache.signal_stack, signal_stack_size);
        cache.signal_stack = NULL;
    }
}

static void make_key(void) {
    if (pthread_key_create(&at_thread_exit, thread_exits) != 0) abort();
}

__attribute__((noinline)) void ccoro_thread_begin(void (*flush)(ccoro_block *list)) {
    if (cache.flush) return;
    pthread_once(&once, make_key);
    // Without the destructor nothing would be kept here, which costs time only.
    if (pthread_setspecific(at_thread_exit, &cache) != 0) return;
    cache.flush = flush;
    stack_t old;
    if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE)) return;
    void *memory = mmap(NULL, signal_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t new = {.ss_sp = memory, .ss_size = signal_stack_size};
    if (sigaltstack(&new, NULL) == 0) {
        cache.signal_stack = memory;
    } else {
        munmap(memory, signal_stack_size);
    }
}

// MARK: Memory

void *ccoro_reserve(size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return NULL;
#if defined(MADV_NOHUGEPAGE)
    // A huge page would make many stacks resident at once. An error means that there are none.
    (void)madvise(memory, size, MADV_NOHUGEPAGE);
#endif
    return memory;
}

void ccoro_unreserve(void *memory, size_t size) {
    if (munmap(memory, size) != 0) abort();
}

void ccoro_discard(void *memory, size_t size) {
#if defined(__APPLE__)
    (void)madvise(memory, size, MADV_FREE);
#else
    (void)madvise(memory, size, MADV_DONTNEED);
#endif
}

#if defined(__linux__) && !defined(MADV_GUARD_INSTALL)
#define MADV_GUARD_INSTALL 102
#endif

static int install_guard(void *page, size_t size) {
#if defined(MADV_GUARD_INSTALL)
    return madvise(page, size, MADV_GUARD_INSTALL) == 0 ? 0 : errno;
#else
    (void)page;
    (void)size;
    return ENOTSUP;
#endif
}

int ccoro_guard(void *page, size_t size, ccoro_guard_kind kind) {
    // Whether the kernel knows how to install a guard: 0 unknown, 1 yes, 2 no. Any thread finds out the same.
    static _Atomic(int) can_install = 0;
    if (kind == ccoro_guard_install) return install_guard(page, size);
    if (kind == ccoro_guard_automatic && can_install != 2) {
        int error = install_guard(page, size);
        if (error == 0) can_install = 1;
        if (error == 0 || can_install == 1) return error;
        can_install = 2;
    }
    return mprotect(page, size, PROT_NONE) == 0 ? 0 : errno;
}

int ccoro_errno(void) { return errno; }

size_t ccoro_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

// MARK: Overflow

// Read by the handler without a lock. A slot is taken by writing its bounds and then, with release, its start.
typedef struct slab_entry {
    _Atomic(uintptr_t) low;
    uintptr_t high;
    uintptr_t stride;
    uintptr_t guard;
} slab_entry;

enum { slab_limit = 16384 };
static slab_entry slabs[slab_limit];
static _Atomic(int) slab_count = 0;

static struct sigaction old_segv;
static struct sigaction old_bus;

static void put(char **end, const char *text) {
    while (*text) *(*end)++ = *text++;
}

static void put_number(char **end, uintptr_t number, uintptr_t base) {
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    while (count > 0) *(*end)++ = digits[--count];
}

/// The whole message in one write, so that those of several threads do not mix.
static void tell_overflow(uintptr_t low, uintptr_t stride) {
    char text[512];
    char *end = text;
    put(&end, "swift-async-bridge: the stack of a coroutine overflowed: ");
    put_number(&end, stride >> 10, 10);
    put(&end, " KiB at 0x");
    put_number(&end, low, 16);
    put(&end, "-0x");
    put_number(&end, low + stride, 16);
    put(&end, ". The code in it calls too deep, or for ever. If it must call so deep, start it with a larger stack: "
              "withCoroutine(stackSize: StackSize(kibibytes: ");
    put_number(&end, stride >> 9, 10);
    put(&end, ")) { ... }, or startCoroutine(stackSize: ...).\n");
    const char *rest = text;
    while (rest < end) {
        ssize_t written = write(2, rest, (size_t)(end - rest));
        if (written <= 0) break;
        rest += written;
    }
}

static void fault(int number, siginfo_t *info, void *context) {
    int saved = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    int count = slab_count;
    for (int index = 0; index < count; index++) {
        uintptr_t low = atomic_load_explicit(&slabs[index].low, memory_order_acquire);
        if (low == 0 || address < low || address >= slabs[index].high) continue;
        uintptr_t offset = (address - low) % slabs[index].stride;
        if (offset < slabs[index].guard) tell_overflow(address - offset, slabs[index].stride);
        break;
    }
    errno = saved;
    // On to whoever had the signal before us; without one, the default action, by returning to the faulting instruction.
    struct sigaction *old = number == SIGBUS ? &old_bus : &old_segv;
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, info, context);
    } else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN) {
        struct sigaction none;
        memset(&none, 0, sizeof none);
        none.sa_handler = SIG_DFL;
        sigaction(number, &none, NULL);
    } else {
        old->sa_handler(number);
    }
}

static void install_handler(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, NULL, &old_segv);
    sigaction(SIGBUS, NULL, &old_bus);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

// Both are called under the pool's lock.

bool ccoro_faults_add(void *slab, size_t size, size_t stride, size_t guard) {
    static pthread_once_t handler = PTHREAD_ONCE_INIT;
    pthread_once(&handler, install_handler);
    for (int index = 0; index < slab_limit; index++) {
        if (atomic_load_explicit(&slabs[index].low, memory_order_relaxed) != 0) continue;
        slabs[index].high = (uintptr_t)slab + size;
        slabs[index].stride = stride;
        slabs[index].guard = guard;
        atomic_store_explicit(&slabs[index].low, (uintptr_t)slab, memory_order_release);
        if (index >= slab_count) slab_count = index + 1;
        return true;
    }
    return false;
}

void ccoro_faults_remove(void *slab) {
    for (int index = 0; index < slab_count; index++) {
        if (slabs[index].low == (uintptr_t)slab) {
            atomic_store_explicit(&slabs[index].low, 0, memory_order_release);
            return;
        }
    }
}
