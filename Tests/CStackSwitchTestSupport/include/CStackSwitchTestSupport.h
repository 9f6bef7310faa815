// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What of CStackSwitch can only be tested in C: registers, frames, floating-point control. Plain C, to run
// where no Swift does (Scripts/test-aarch64).

#ifndef CSTACKSWITCHTESTSUPPORT_H
#define CSTACKSWITCHTESTSUPPORT_H

#include <stdbool.h>
#include <stddef.h>

/// Something that should hold.
typedef struct cstacktest_check {
    /// What should hold, as part of a sentence.
    const char *_Nonnull name;
    /// Tries it. Returns null if it holds, otherwise what did not.
    const char *_Nullable (*_Nonnull run)(void);
    /// Whether it needs a process of its own: it changes the process, and ends it if what it tries does not hold.
    bool is_alone;
} cstacktest_check;

/// All checks, one after the other; null past the last.
const cstacktest_check *_Nullable cstacktest_check_at(size_t index);

/// A use that ends the process.
typedef struct cstacktest_violation {
    /// What is wrong about it.
    const char *_Nonnull name;
    /// Does it. Does not return.
    void (*_Nonnull run)(void);
    /// A part of the message that the process leaves on its error output.
    const char *_Nonnull message;
} cstacktest_violation;

/// All violations, one after the other; null past the last.
const cstacktest_violation *_Nullable cstacktest_violation_at(size_t index);

/// Whether AddressSanitizer is on.
///
/// It keeps frames in memory of the thread that entered the function, which it must be told of at each switch:
/// CCoroutines does. Without that, a flow's frames go when that thread ends.
bool cstacktest_keeps_frames_elsewhere(void);

/// The address of a variable that each thread has for itself.
const void *_Nonnull cstacktest_thread_local(void);

/// Where the frames of this flow are.
///
/// Not the address of a variable: AddressSanitizer may keep those elsewhere.
const void *_Nonnull cstacktest_frame(void);

#endif
