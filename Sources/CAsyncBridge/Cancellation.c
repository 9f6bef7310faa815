// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CAsyncBridge.h"

#if __has_feature(ptrauth_calls)
#include <ptrauth.h>
#endif

// Exported by the concurrency runtime on every platform: swift/Runtime/Concurrency.h. The handler gets its context as
// Swift's closures do.
typedef __attribute__((swiftcall)) void (*cancellation_function)(__attribute__((swift_context)) void *context);
__attribute__((swiftcall)) extern void *swift_task_addCancellationHandler(cancellation_function handler, void *context);
__attribute__((swiftcall)) extern void swift_task_removeCancellationHandler(void *record);
__attribute__((swiftcall)) extern void *swift_task_alloc(size_t size);
__attribute__((swiftcall)) extern void swift_task_dealloc(void *memory);

struct handler {
    void (*call)(void *context);
    void *context;
    // The runtime's own.
    void *record;
};

__attribute__((swiftcall)) static void task_was_cancelled(__attribute__((swift_context)) void *context) {
    struct handler *handler = context;
    handler->call(handler->context);
}

// The handler as the runtime wants it. On arm64e it takes a Swift closure `() -> ()`, whose pointer is signed for that
// type: the number is in the runtime's Task.cpp, and in what Swift's compiler makes of such a call.
static cancellation_function signed_handler(void) {
#if __has_feature(ptrauth_calls)
    return ptrauth_auth_and_resign(
        &task_was_cancelled, ptrauth_key_function_pointer, 0, ptrauth_key_process_independent_code, 3848
    );
#else
    return task_was_cancelled;
#endif
}

void *casyncbridge_add_cancellation_handler(void (*call)(void *context), void *context) {
    struct handler *handler = swift_task_alloc(sizeof *handler);
    *handler = (struct handler){call, context, NULL};
    handler->record = swift_task_addCancellationHandler(signed_handler(), handler);
    return handler;
}

void casyncbridge_remove_cancellation_handler(void *handler) {
    swift_task_removeCancellationHandler(((struct handler *)handler)->record);
    swift_task_dealloc(handler);
}
