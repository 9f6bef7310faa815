// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The message when a stack overflows: a handler of memory faults that knows the guards. What the handler calls is
// async-signal-safe, and touches no thread-local.

#include "CCoroutinesStacks.h"
#include "StackThreads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// tvOS and watchOS have no signal stacks: a handler could not run on a stack that has overflowed. There the process
// ends at the guard, without the message.
#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif
#if TARGET_OS_TV || TARGET_OS_WATCH
#define HAS_SIGNAL_STACKS 0
#else
#define HAS_SIGNAL_STACKS 1
#endif

// MARK: The slabs

/// A slab, as the handler needs it.
///
/// Invariant: the thread that changes `low` from 0 to 1 writes the rest, and then the slab's address to `low`, with
/// release.
typedef struct slab_entry {
    _Atomic(uintptr_t) low;
    _Atomic(uintptr_t) size;
    _Atomic(uintptr_t) stride;
    _Atomic(uintptr_t) guard;
} slab_entry;

// With slabs of 4096 stacks, room for 67 million. Untouched pages of it cost nothing.
enum { slab_limit = 16384, low_claimed = 1 };
static slab_entry slabs[slab_limit];
/// One past the last entry that was ever used.
static _Atomic(int) slab_end = 0;

static void install_handler(void);

int ccoro_faults_add(void *slab, size_t size, size_t stride, size_t guard) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handler);
    for (int index = 0; index < slab_limit; index++) {
        slab_entry *entry = &slabs[index];
        uintptr_t none = 0;
        if (!atomic_compare_exchange_strong_explicit(
                &entry->low, &none, low_claimed, memory_order_acquire, memory_order_relaxed)) {
            continue;
        }
        // A reader that sees a value below also sees, in `low`, that the entry has changed.
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&entry->size, size, memory_order_relaxed);
        atomic_store_explicit(&entry->stride, stride, memory_order_relaxed);
        atomic_store_explicit(&entry->guard, guard, memory_order_relaxed);
        atomic_store_explicit(&entry->low, (uintptr_t)slab, memory_order_release);
        int end = atomic_load_explicit(&slab_end, memory_order_relaxed);
        while (end <= index
               && !atomic_compare_exchange_weak_explicit(
                   &slab_end, &end, index + 1, memory_order_release, memory_order_relaxed)) {
        }
        return 0;
    }
    return ENOMEM;
}

void ccoro_faults_remove(void *slab) {
    int end = atomic_load_explicit(&slab_end, memory_order_acquire);
    for (int index = 0; index < end; index++) {
        if (atomic_load_explicit(&slabs[index].low, memory_order_relaxed) != (uintptr_t)slab) continue;
        atomic_store_explicit(&slabs[index].low, 0, memory_order_release);
        return;
    }
}

#if HAS_SIGNAL_STACKS

/// The lowest address of the stack whose guard contains the address, or 0.
static uintptr_t stack_with_guard_at(uintptr_t address, uintptr_t *stride) {
    // Race: other threads change entries meanwhile. Not the entry that we look for: its slab stays as long as a
    // coroutine runs there. Another entry may be read half changed, but then it names no slab with this address in it,
    // or its `low` has changed.
    int end = atomic_load_explicit(&slab_end, memory_order_acquire);
    for (int index = 0; index < end; index++) {
        slab_entry *entry = &slabs[index];
        uintptr_t low = atomic_load_explicit(&entry->low, memory_order_acquire);
        if (low <= low_claimed || address < low) continue;
        uintptr_t offset = address - low;
        if (offset >= atomic_load_explicit(&entry->size, memory_order_relaxed)) continue;
        *stride = atomic_load_explicit(&entry->stride, memory_order_relaxed);
        uintptr_t guard = atomic_load_explicit(&entry->guard, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&entry->low, memory_order_relaxed) != low) continue;
        return offset % *stride < guard ? address - offset % *stride : 0;
    }
    return 0;
}

// MARK: The message

typedef struct text {
    char bytes[1024];
    size_t count;
} text;

static void put(text *text, const char *words) {
    while (*words && text->count < sizeof text->bytes) text->bytes[text->count++] = *words++;
}

static void put_bytes(text *text, const uint8_t *bytes, size_t count) {
    for (size_t at = 0; at < count && text->count < sizeof text->bytes; at++) {
        text->bytes[text->count++] = (char)bytes[at];
    }
}

static void put_number(text *text, uintptr_t number, uintptr_t base) {
    char digits[sizeof number * 8 + 1];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    put(text, digits + at);
}

/// The whole message in one write, so that those of several threads do not mix.
static void tell_overflow(uintptr_t address, uintptr_t low, uintptr_t stride) {
    enum { largest_size = 8 << 20 };
    text text = {.count = 0};
    put(&text, "swift-async-bridge: the stack of a coroutine overflowed: ");
    put_number(&text, stride >> 10, 10);
    put(&text, " KiB at 0x");
    put_number(&text, low, 16);
    put(&text, "-0x");
    put_number(&text, low + stride, 16);
    put(&text, ", and 0x");
    put_number(&text, address, 16);
    put(&text, " in its guard was used. ");
    // Race: the stack may be free, if code outside a coroutine has used its guard. Then this is its last coroutine.
    const ccoro_block *block = ccoro_block_of_stack(low, stride);
    if (block->started_file) {
        put(&text, "On it ran what was started at ");
        put_bytes(&text, block->started_file, block->started_file_size);
        put(&text, ":");
        put_number(&text, block->started_line, 10);
        put(&text, ". ");
    }
    put(&text, "Either that code recurses too deeply, or without end; ");
    put(&text, "or the stack is too small for what the code calls: the first use of a generic type takes "
               "up to 20 KiB in Swift's runtime. ");
    if (stride < largest_size) {
        put(&text, "If the code is right, start it with a larger stack: ");
        put(&text, "withCoroutine(stackSize: StackSize(kibibytes: ");
        put_number(&text, stride >> 9, 10);
        put(&text, ")) { ... }, or startCoroutine(stackSize: ...), or Generator(stackSize: ...).\n");
    } else {
        put(&text, "There is no larger stack; if the code is right, start a thread for it.\n");
    }
    size_t written = 0;
    while (written < text.count) {
        ssize_t count = write(STDERR_FILENO, text.bytes + written, text.count - written);
        if (count > 0) written += (size_t)count;
        else if (count == 0 || errno != EINTR) return;
    }
}

// MARK: The handler

static struct sigaction old_segv;
static struct sigaction old_bus;

/// Whether an instruction of this thread caused the signal. Otherwise it was sent.
static bool is_fault(const siginfo_t *info) {
#if defined(__APPLE__)
    return info->si_code > 0 && info->si_code < SI_USER;
#else
    return info->si_code > 0;
#endif
}

/// Does what would have happened without our handler.
static void pass_on(int number, siginfo_t *info, void *context, bool is_overflow) {
    const struct sigaction *old = number == SIGBUS ? &old_bus : &old_segv;
    bool has_handler = (old->sa_flags & SA_SIGINFO) || (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN);
    if (has_handler) {
        // As long as this handler runs; its return restores the mask.
        pthread_sigmask(SIG_BLOCK, &old->sa_mask, NULL);
        if (old->sa_flags & SA_SIGINFO) old->sa_sigaction(number, info, context);
        else old->sa_handler(number);
        // It may have repaired the page, so that the instruction now succeeds. A guard must not be repaired: there the
        // process ends, even if the handler just returned.
        if (!is_overflow) return;
    } else if (old->sa_handler == SIG_IGN && !is_fault(info)) {
        return;
    }
    struct sigaction none;
    memset(&none, 0, sizeof none);
    none.sa_handler = SIG_DFL;
    sigemptyset(&none.sa_mask);
    sigaction(number, &none, NULL);
    // A fault happens again when the instruction runs again; a sent signal must be sent again.
    if (!is_fault(info)) raise(number);
}

static void handle(int number, siginfo_t *info, void *context) {
    int error = errno;
    uintptr_t stride = 0;
    uintptr_t address = (uintptr_t)info->si_addr;
    uintptr_t low = is_fault(info) ? stack_with_guard_at(address, &stride) : 0;
    if (low) tell_overflow(address, low, stride);
    pass_on(number, info, context, low != 0);
    errno = error;
}

static void install_handler(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    // The old handlers are known before the first fault.
    if (sigaction(SIGSEGV, NULL, &old_segv) == 0) sigaction(SIGSEGV, &action, NULL);
    if (sigaction(SIGBUS, NULL, &old_bus) == 0) sigaction(SIGBUS, &action, NULL);
}

// MARK: The handler's stack

// Large enough for the handlers to which faults are passed on: Swift's backtracer, a sanitizer.
enum { signal_stack_size = 64 << 10 };

/// The least that our own handler needs: what the kernel stores, which depends on the processor, and two pages.
static size_t least_signal_stack_size(void) {
#if defined(_SC_MINSIGSTKSZ)
    long least = sysconf(_SC_MINSIGSTKSZ);
#else
    long least = MINSIGSTKSZ;
#endif
    return (least > 0 ? (size_t)least : 2048) + 4096;
}

void *ccoro_signal_stack_begin(void) {
    stack_t old;
    if (sigaltstack(NULL, &old) != 0 || (old.ss_flags & SS_ONSTACK)) return NULL;
    if (!(old.ss_flags & SS_DISABLE) && old.ss_size >= least_signal_stack_size()) return NULL;
    // With a guard of its own.
    size_t page = ccoro_page_size();
    void *memory = mmap(NULL, page + signal_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stack_t new = {.ss_sp = (char *)memory + page, .ss_size = signal_stack_size};
    if (mprotect(memory, page, PROT_NONE) == 0 && sigaltstack(&new, NULL) == 0) return memory;
    munmap(memory, page + signal_stack_size);
    return NULL;
}

void ccoro_signal_stack_end(void *memory) {
    // If other code has replaced it, keep that one.
    stack_t old;
    size_t page = ccoro_page_size();
    if (sigaltstack(NULL, &old) != 0 || (old.ss_flags & SS_ONSTACK)) return;
    if (old.ss_sp == (char *)memory + page) {
        stack_t none = {.ss_flags = SS_DISABLE, .ss_size = signal_stack_size};
        if (sigaltstack(&none, NULL) != 0) return;
    }
    munmap(memory, page + signal_stack_size);
}

#else

static void install_handler(void) {}
void *ccoro_signal_stack_begin(void) { return NULL; }
void ccoro_signal_stack_end(void *memory) { (void)memory; }

#endif
