// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The memory of stacks, and its guards.

#include "CCoroutinesStacks.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
// linux/mman.h; the C library's header may be older than the kernel.
#if !defined(MADV_POPULATE_READ)
#define MADV_POPULATE_READ 22
#endif
#if !defined(MADV_GUARD_INSTALL)
#define MADV_GUARD_INSTALL 102
#endif
#endif

int ccoro_reserve(size_t size, void **memory) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void *low = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (low == MAP_FAILED) return errno;
#if defined(MADV_NOHUGEPAGE)
    // A huge page would make many stacks resident at once. The one error, EINVAL, says that the kernel has none.
    if (madvise(low, size, MADV_NOHUGEPAGE) != 0 && errno != EINVAL) {
        int error = errno;
        munmap(low, size);
        return error;
    }
#endif
    *memory = low;
    return 0;
}

int ccoro_unreserve(void *memory, size_t size) { return munmap(memory, size) == 0 ? 0 : errno; }

int ccoro_discard(void *memory, size_t size) {
#if defined(__linux__)
    return madvise(memory, size, MADV_DONTNEED) == 0 ? 0 : errno;
#else
    // MADV_DONTNEED is but a hint elsewhere.
    return madvise(memory, size, MADV_FREE) == 0 ? 0 : errno;
#endif
}

#if defined(MADV_GUARD_INSTALL)
/// @return 0, or an error number: EINVAL if the kernel does not know how, or the memory is locked.
static int install_guard(void *low, size_t size) {
    // Whether it works, and not only says so: an emulator may take advice that it does not know for a mere hint.
    static _Atomic(bool) is_known_to_work = false;
    if (madvise(low, size, MADV_GUARD_INSTALL) != 0) return errno;
    if (atomic_load_explicit(&is_known_to_work, memory_order_relaxed)) return 0;
    // Tells without a fault: a guard cannot be populated.
    if (madvise(low, size, MADV_POPULATE_READ) == 0 || errno != EFAULT) return EINVAL;
    atomic_store_explicit(&is_known_to_work, true, memory_order_relaxed);
    return 0;
}
#endif

int ccoro_guard(void *low, size_t size, ccoro_guard_kind kind) {
#if defined(MADV_GUARD_INSTALL)
    // Race: several threads may try at once; all find out the same.
    static _Atomic(bool) is_missing = false;
    if (kind != ccoro_guard_mprotect && !atomic_load_explicit(&is_missing, memory_order_relaxed)) {
        int error = install_guard(low, size);
        if (error != EINVAL || kind == ccoro_guard_install) return error;
        atomic_store_explicit(&is_missing, true, memory_order_relaxed);
    }
#endif
    if (kind == ccoro_guard_install) return ENOTSUP;
    return mprotect(low, size, PROT_NONE) == 0 ? 0 : errno;
}

size_t ccoro_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }
