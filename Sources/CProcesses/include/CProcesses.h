// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef CPROCESSES_H
#define CPROCESSES_H

// Children of this process on Linux, watched without reaping them. In C because Swift sees neither `syscall`, which is
// variadic, nor the members of `siginfo_t` in one way on all C libraries.

/// What is known of a child.
enum __attribute__((enum_extensibility(closed))) cprocesses_state {
    /// It has not ended.
    cprocesses_running,
    /// It has ended by itself.
    cprocesses_exited,
    /// It was ended by a signal.
    cprocesses_signalled,
    /// It was reaped: how it ended is no longer known.
    cprocesses_reaped,
};

/// Opens a descriptor that can be read from a child's end on, and is closed in other programs.
///
/// \returns The descriptor, or -1 with `errno`: before Linux 5.3, and where a sandbox forbids it.
int cprocesses_open(int process);

/// Looks whether a child has ended, and leaves it to be reaped.
///
/// \param process The child.
/// \param descriptor What `cprocesses_open` returned for it, or -1.
/// \param status Gets its exit status or the number of the signal, if it has ended.
enum cprocesses_state cprocesses_look(int process, int descriptor, int *_Nonnull status);

/// Opens a descriptor that can be read exactly as long as another one can, or has hung up, and that never hangs up
/// itself. It holds no data, and is closed in other programs.
///
/// In C because Swift does not see `epoll`.
///
/// A file, a folder, and a device that never lets a reader wait can always be read, and so can this one.
///
/// \returns The descriptor, or -1 with `errno`: `ENOSYS` elsewhere than on Linux.
int cprocesses_watch_readable(int descriptor);

/// Lets the process ignore a signal if the signal's action is still the default one. Handlers stay.
///
/// In C because Swift sees the members of `struct sigaction` in another way with each C library.
///
/// \param number The signal. `SIGCHLD` keeps its default action, which does nothing.
/// \returns 0, or -1 with `errno`: for a signal that does not exist or cannot be ignored.
int cprocesses_ignore_by_default(int number);

/// How far a call that ignores a signal has come.
enum cprocesses_ignoring {
    /// The action is still the default one.
    cprocesses_has_looked,
    /// The signal is ignored.
    cprocesses_has_ignored,
};

/// The same, for tests of what other threads may do in between.
///
/// \param number The signal.
/// \param others Called at each step, in the place of the other threads.
/// \returns The same.
int cprocesses_ignore_by_default_beside(int number, void (*_Nullable others)(enum cprocesses_ignoring));

#endif
