// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The memory of stacks, and its guards.

#include "CCoroutinesStacks.h"

#include <errno.h>
#include <fcntl.h>
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

static int map(size_t size, int protection, void **memory) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void *low = mmap(NULL, size, protection, flags, -1, 0);
    if (low == MAP_FAILED) return errno;
    *memory = low;
    return 0;
}

/// How much address space is left for others: when there is none, malloc fails, and Swift ends the process.
static const size_t left_for_others = (size_t)64 << 20;

int ccoro_reserve(size_t size, void **memory) {
    void *low = NULL, *others = NULL;
    int failure = map(size, PROT_READ | PROT_WRITE, &low);
    if (failure != 0) return failure;
    failure = map(left_for_others, PROT_NONE, &others);
    if (failure != 0) {
        munmap(low, size);
        return failure;
    }
    munmap(others, left_for_others);
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
    // MADV_DONTNEED is only a hint elsewhere.
    return madvise(memory, size, MADV_FREE) == 0 ? 0 : errno;
#endif
}

#if defined(MADV_GUARD_INSTALL)
/// @return 0, or an error number: EINVAL if the kernel does not know how, or the memory is locked.
static int install_guard(void *low, size_t size) {
    // Whether it really works: an emulator may treat unknown advice as a mere hint.
    static _Atomic(bool) is_known_to_work = false;
    if (madvise(low, size, MADV_GUARD_INSTALL) != 0) return errno;
    if (atomic_load_explicit(&is_known_to_work, memory_order_relaxed)) return 0;
    // Tests without a fault: a guard cannot be populated.
    if (madvise(low, size, MADV_POPULATE_READ) == 0 || errno != EFAULT) return EINVAL;
    atomic_store_explicit(&is_known_to_work, true, memory_order_relaxed);
    return 0;
}
#endif

int ccoro_guard_install(void *low, size_t size) {
#if defined(MADV_GUARD_INSTALL)
    // Race: several threads may try at once; all get the same result.
    static _Atomic(bool) is_missing = false;
    if (!atomic_load_explicit(&is_missing, memory_order_relaxed)) {
        int error = install_guard(low, size);
        if (error != EINVAL) return error;
        atomic_store_explicit(&is_missing, true, memory_order_relaxed);
    }
#endif
    (void)low, (void)size;
    return ENOTSUP;
}

int ccoro_guard_protect(void *low, size_t size) { return mprotect(low, size, PROT_NONE) == 0 ? 0 : errno; }

size_t ccoro_mapping_limit(void) {
#if defined(__linux__)
    size_t limit = 0;
    int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        char digits[32];
        ssize_t count = read(file, digits, sizeof digits);
        for (ssize_t index = 0; index < count && digits[index] >= '0' && digits[index] <= '9'; index++) {
            limit = limit * 10 + (size_t)(digits[index] - '0');
        }
        close(file);
    }
    // Without `/proc`: the kernel's default.
    return limit > 0 ? limit : 65530;
#else
    return SIZE_MAX;
#endif
}

size_t ccoro_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }
