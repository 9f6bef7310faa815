// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Stack.h"

#include <dlfcn.h>

/// What arrives with a jump: where it came from, and its word. `transfer_t` of Boost.Context's C interface.
typedef struct arrival {
    void *from;
    void *word;
} arrival;

typedef arrival jump_function(void *to, void *word);
typedef void *make_function(void *top, size_t size, void (*entry)(arrival arrival));

static jump_function *jump;
static make_function *make;

bool switch_baseline_boost_is_available(void) {
    if (!jump) {
#if defined(__APPLE__)
        void *library = dlopen("libboost_context.dylib", RTLD_NOW);
#else
        void *library = dlopen("libboost_context.so", RTLD_NOW);
#endif
        if (library) {
            make = (make_function *)dlsym(library, "make_fcontext");
            jump = make ? (jump_function *)dlsym(library, "jump_fcontext") : NULL;
        }
    }
    return jump;
}

static void count(arrival arrival) {
    for (uint64_t number = 0;; number++) arrival = jump(arrival.from, (void *)number);
}

uint64_t switch_baseline_boost(uint64_t iterations) {
    if (!switch_baseline_boost_is_available()) return 0;
    static stack stack;
    arrival arrival = jump(make(stack_top(&stack), sizeof stack, count), NULL);
    for (uint64_t i = 0; i < iterations; i++) arrival = jump(arrival.from, NULL);
    return (uint64_t)arrival.word;
}
