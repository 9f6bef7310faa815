// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#define _GNU_SOURCE

#include "CAsyncBridge.h"

#include <pthread.h>

// How much is left of a stack: user code that calls itself through a future is moved elsewhere before the stack ends.

/// The thread's stack; its size is 0 until it is looked up, and 1 if it cannot be found.
static _Thread_local casyncbridge_stack own;

static void find_own_stack(void) {
    own = (casyncbridge_stack){.size = 1};
#if defined(__linux__)
    // For the main thread this reads a file, so it is looked up only once.
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void *low = NULL;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) own = (casyncbridge_stack){(uintptr_t)low, size};
    pthread_attr_destroy(&attributes);
#elif defined(__APPLE__)
    const uintptr_t size = pthread_get_stacksize_np(pthread_self());
    own = (casyncbridge_stack){(uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size, size};
#endif
}

/// The room for code that does not check: Swift's runtime takes 20 KiB for the first use of some generic types.
enum { room_for_others = 32 * 1024 };

/// Whether less than a quarter is left, or less than that room; on a small stack half is enough. False if the position
/// is not on it.
static bool is_low(uintptr_t position, casyncbridge_stack stack) {
    uintptr_t room = stack.size / 4;
    if (room < room_for_others) room = stack.size / 2 < room_for_others ? stack.size / 2 : room_for_others;
    return position - stack.low < stack.size && position - stack.low < room;
}

bool casyncbridge_stack_is_low(void) {
    const uintptr_t position = (uintptr_t)__builtin_frame_address(0);
    if (casyncbridge_linked_engine && is_low(position, casyncbridge_linked_engine->stack())) return true;
    if (__builtin_expect(own.size == 0, 0)) find_own_stack();
    return is_low(position, own);
}
