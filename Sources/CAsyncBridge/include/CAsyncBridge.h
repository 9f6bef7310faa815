// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What Swift cannot express, or only at a cost: calls of its own runtime, and how much of a stack is left.

#ifndef CASYNCBRIDGE_H
#define CASYNCBRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The current task

// Both are exported by the concurrency runtime, with these names and this calling convention, on every platform:
// swift/Runtime/Concurrency.h. Declared here because Swift code may not name the runtime's symbols itself.
__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern bool swift_task_isCancelled(void *_Nonnull task);

/// Whether the current task is cancelled; `false` outside any task.
///
/// In C because Swift's own `Task.isCancelled` retains and releases the task, which is a sixth of the time of a whole
/// `withCallback` (Benchmarks/README.md). The task is the caller's own, so it is alive without that.
static inline bool casyncbridge_is_cancelled(void) {
    void *task = swift_task_getCurrent();
    return task && swift_task_isCancelled(task);
}

/// Adds a handler for a cancellation of the current task, which must exist; if the task is already cancelled, it is
/// called now.
///
/// As `withTaskCancellationHandler` does it, whose closure is async. That costs several times as much as the call of a
/// publisher that it is used for (Benchmarks/README.md, "publishers"), and takes code to the pool and back.
///
/// `call` is called at most once, on the thread that cancels, under a lock of the runtime.
///
/// The handler and the runtime's record lie on the task's stack of allocations. So what the same function allocates
/// there after this call it must free before `casyncbridge_remove_cancellation_handler`: an async function that
/// suspends in between must not be inlined into generic code.
///
/// Returns what `casyncbridge_remove_cancellation_handler` takes.
void *_Nonnull casyncbridge_add_cancellation_handler(void (*_Nonnull call)(void *_Nonnull context),
                                                     void *_Nonnull context);

/// Removes a handler, in the same task and function; it is not called after that.
void casyncbridge_remove_cancellation_handler(void *_Nonnull handler);

/// Says what is written to standard error before the process ends because code that is isolated to the main actor is
/// called elsewhere. Linux only, where the runtime's trap has no words.
///
/// The first call counts. The text is kept, so it must stay for the life of the process.
void casyncbridge_explain_main_actor_trap(const char *_Nonnull words);

// MARK: References

// Exported by libswiftCore; swift/Runtime/HeapObject.h. An unowned reference keeps an object's memory, and its count of
// references, but not the object.
extern void *_Nullable swift_unownedRetain(void *_Nullable object);
extern void swift_unownedRelease(void *_Nullable object);
/// Retains an object, or returns null if it is being deinitialised.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);
/// The numbers of references of each kind. All strong references together hold one unowned reference; all unowned ones
/// together, one weak reference. Not documented: to be used only after `ReferenceCounts` has found that they answer as
/// expected.
extern size_t swift_retainCount(void *_Nonnull object);
extern size_t swift_unownedRetainCount(void *_Nonnull object);
extern size_t swift_weakRetainCount(void *_Nonnull object);

// MARK: Alarms

/// The standard clocks: Swift's `ContinuousClock` and `SuspendingClock`.
enum { casyncbridge_continuous = 0, casyncbridge_suspending = 1 };

/// A time of one of the clocks, counted from the clock's own beginning.
typedef struct casyncbridge_time {
    int64_t seconds;
    int64_t nanoseconds;
} casyncbridge_time;

/// The time of a clock.
casyncbridge_time casyncbridge_now(int clock);

/// Has `ring` called when a clock has reached a time, unless an earlier call for this clock is set already.
///
/// One thread waits for both clocks; the first call of this function starts it. It is called `bridge-timers`, and
/// blocks all signals but those that a fault of its own code raises. The time that was set is forgotten when `ring` is
/// called, which may set the next one. A call may come without need.
///
/// May be called on any thread, and always with the same function.
void casyncbridge_set_alarm(int clock, casyncbridge_time time, void (*_Nonnull ring)(int clock));

/// Has another thread wait for the clocks from now on: for a `ring` that is about to call code which may take long.
///
/// Does nothing on another thread than that of the alarms, or if it was called before by the same `ring`.
void casyncbridge_leave_alarms(void);

/// Changes in a child process made by `fork`: there the alarms that were set are gone, and so is their thread.
uint32_t casyncbridge_alarm_process(void);

// MARK: Signals

/// Installs a signal's handler, after which system calls that it interrupts go on. In C, since each C library declares
/// the field for it in another way.
///
/// Returns 0, or the number of the error.
int casyncbridge_handle_signal(int number, void (*_Nonnull handler)(int number));

// MARK: Coroutines, if the process has any

/// A stack: its lowest address, and its size in bytes.
typedef struct casyncbridge_stack {
    uintptr_t low;
    uintptr_t size;
} casyncbridge_stack;

/// What the coroutine engine knows about the code that runs on this thread.
typedef struct casyncbridge_engine {
    /// The running coroutine's stack, whatever task is current; of size 0 if none runs.
    casyncbridge_stack (*_Nonnull stack)(void);
    /// The parker of the calling code, if it is a coroutine on a scheduler; else null.
    void *_Nullable (*_Nonnull waiter)(void);
} casyncbridge_engine;

/// The engine; null where it is not linked. Set before `main`, and constant from then on.
extern const casyncbridge_engine *_Nullable casyncbridge_linked_engine;

/// The parker of the calling code, if it is a coroutine on a scheduler; else null.
__attribute__((noinline)) void *_Nullable casyncbridge_current_waiter(void);

/// Whether little is left of the caller's stack: a coroutine's or a thread's.
///
/// False on an unknown stack, or if its size cannot be found.
__attribute__((noinline)) bool casyncbridge_stack_is_low(void);

#endif
