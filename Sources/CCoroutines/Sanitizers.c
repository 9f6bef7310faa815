// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What AddressSanitizer and ThreadSanitizer must be told of a switch (sanitizer/common_interface_defs.h,
// sanitizer/tsan_interface.h), and AddressSanitizer and LeakSanitizer of a stack. Each function is null in a process
// without its sanitizer.

#include "CCoroutines.h"

#define EACH_FUNCTION(F) \
    F(void, __sanitizer_start_switch_fiber, void **fake_stack_save, const void *bottom, size_t size) \
    F(void, __sanitizer_finish_switch_fiber, void *fake_stack_save, const void **bottom_old, size_t *size_old) \
    F(void *, __tsan_get_current_fiber, void) \
    F(void *, __tsan_create_fiber, unsigned flags) \
    F(void, __tsan_destroy_fiber, void *fiber) \
    F(void, __tsan_switch_to_fiber, void *fiber, unsigned flags) \
    F(void, __asan_unpoison_memory_region, const volatile void *address, size_t size) \
    F(void, __lsan_register_root_region, const void *address, size_t size) \
    F(void, __lsan_unregister_root_region, const void *address, size_t size)

#if defined(__APPLE__)
#include <dlfcn.h>
// Looked up: Mach-O's linkers refuse a weak symbol that no library defines.
#define DECLARE(result, name, ...) static result (*name)(__VA_ARGS__);
#define FIND(result, name, ...) name = (result (*)(__VA_ARGS__))dlsym(RTLD_DEFAULT, #name);
#else
// Weak symbols: a program that is linked statically can look nothing up.
#define DECLARE(result, name, ...) __attribute__((weak)) extern result name(__VA_ARGS__);
#define FIND(result, name, ...)
#endif
EACH_FUNCTION(DECLARE)

// ThreadSanitizer notes that a function begins with the fibre that is current then, and that it ends with the one that
// is current at its end. So no function that changes fibres may be noted.
#define UNNOTED __attribute__((disable_sanitizer_instrumentation))

bool ccoro_is_sanitized = false;

__attribute__((constructor)) static void look_for_sanitizers(void) {
    EACH_FUNCTION(FIND)
    ccoro_is_sanitized = __sanitizer_start_switch_fiber || __tsan_switch_to_fiber;
}

UNNOTED void ccoro_sanitizer_resumes(ccoro_block *block) {
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(&block->resumer_fake_stack, block->suspended_low, block->suspended_size);
    }
    if (__tsan_switch_to_fiber) {
        block->resumer_fiber = __tsan_get_current_fiber();
        if (!block->fiber) block->fiber = __tsan_create_fiber(0);
        __tsan_switch_to_fiber(block->fiber, 0);
    }
}

void ccoro_sanitizer_resumed(ccoro_block *block) {
    if (__sanitizer_finish_switch_fiber) {
        // The stack that was left may be that of a generator within the coroutine.
        __sanitizer_finish_switch_fiber(block->resumer_fake_stack, &block->suspended_low, &block->suspended_size);
    }
    if (block->request == ccoro_request_finished && block->fiber && __tsan_destroy_fiber) {
        __tsan_destroy_fiber(block->fiber);
        block->fiber = NULL;
    }
}

UNNOTED void ccoro_sanitizer_suspends(ccoro_block *block, bool for_good) {
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(
            for_good ? NULL : &block->fake_stack, block->resumer_low, block->resumer_size
        );
    }
    if (__tsan_switch_to_fiber) {
        // The fibre of a generator within the coroutine, if the wait is in there.
        block->fiber = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(block->resumer_fiber, 0);
    }
}

void ccoro_sanitizer_continues(ccoro_block *block) {
    if (__sanitizer_finish_switch_fiber) {
        __sanitizer_finish_switch_fiber(block->fake_stack, &block->resumer_low, &block->resumer_size);
        block->fake_stack = NULL;
    }
}

static size_t size_with_block(const ccoro_block *block) {
    return (size_t)((const char *)(block + 1) - (const char *)block->stack_low);
}

void ccoro_sanitizer_stack_taken(ccoro_block *block) {
    // Memory that only a suspended coroutine refers to is not a leak.
    if (__lsan_register_root_region) __lsan_register_root_region(block->stack_low, size_with_block(block));
}

void ccoro_sanitizer_stack_returned(ccoro_block *block) {
    if (__lsan_unregister_root_region) __lsan_unregister_root_region(block->stack_low, size_with_block(block));
    // The red zones of frames that were left forever.
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(block->stack_low, block->stack_size);
}
