// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Which of Swift's accesses (`inout`, `mutating`, `modify`) are in progress when a coroutine waits.

#ifndef CCOROUTINESACCESSES_H
#define CCOROUTINESACCESSES_H

#include "CCoroutines.h"

/// An access in progress.
typedef struct ccoro_access {
    /// What is accessed.
    const void *_Nullable memory;
    /// An address in the code that accesses it.
    const void *_Nullable code;
    /// Whether it may change the memory; else it only reads.
    bool modifies;
} ccoro_access;

/// The switch. Used only by the functions below.
extern bool ccoro_access_check_is_on;

/// Whether waits are checked: on by default in debug builds, off in others.
__attribute__((always_inline)) static inline bool ccoro_checks_accesses(void) {
    return __atomic_load_n(&ccoro_access_check_is_on, __ATOMIC_RELAXED);
}

/// Switches the check on or off.
///
/// @return Whether it is on now: never where the runtime's list of accesses does not look as expected.
bool ccoro_set_checks_accesses(bool is_on);

/// Finds the accesses that are in progress in the code of a coroutine, and in the generators that it runs.
///
/// Not those of memory on these stacks, which no other code can know of, nor the engine's own.
///
/// @param block The coroutine. It runs on this thread.
/// @param found Gets them, the newest first.
/// @param capacity How many there is room for.
/// @param stack_room Gets the number of bytes that are left on the stack that the caller runs on; 0 if that is not
///   known.
/// @return How many were found; 0 if the list does not look as expected.
size_t ccoro_find_accesses(
    const ccoro_block *_Nonnull block,
    ccoro_access *_Nonnull found,
    size_t capacity,
    size_t *_Nonnull stack_room
);

/// Says where an address of code is: the function, if its symbol is known and wanted, the file, the offset in that.
///
/// @param text Gets it, zero-terminated. @param size The size of the text in bytes, at least 1.
void ccoro_describe_code(const void *_Nullable code, bool with_function, char *_Nonnull text, size_t size);

#endif
