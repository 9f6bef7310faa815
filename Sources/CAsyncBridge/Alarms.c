// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#define _GNU_SOURCE

#include "CAsyncBridge.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <poll.h>
#include <sys/timerfd.h>
#elif defined(__APPLE__)
#include <sys/event.h>
#endif

// The thread of the timers. It sleeps in the kernel until one of two timers there, one for each clock, has expired.
// Another thread sets these without waking it. Not a condition variable: none can wait for the continuous clock, which
// goes on while the machine sleeps.

/// Guards all variables up to the next comment, and is held while a timer of the kernel is set.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*ring_function)(int clock);
/// The time that is set for each clock.
static casyncbridge_time set_times[2];
static bool is_set[2];
/// Whether a thread waits for the clocks.
static bool is_running;
/// Whether a second thread waits to become the one that does, and how many more have been told to.
static bool has_spare;
static int spares_told;
static pthread_cond_t spare_is_told = PTHREAD_COND_INITIALIZER;
/// Linux: a timer for each clock. Apple: a kernel queue, twice. -1 if there is none, because the process has too many
/// files open.
static int descriptors[2] = {-1, -1};

static _Atomic uint32_t process;

/// Whether this thread waits for the clocks, between two calls of `ring`.
static _Thread_local bool leads;

#if defined(__APPLE__)
static const clockid_t clock_ids[2] = {CLOCK_MONOTONIC_RAW, CLOCK_UPTIME_RAW};
#elif defined(__linux__)
static const clockid_t clock_ids[2] = {CLOCK_BOOTTIME, CLOCK_MONOTONIC};
#else
static const clockid_t clock_ids[2] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC};
#endif

casyncbridge_time casyncbridge_now(int clock) {
    struct timespec now;
    clock_gettime(clock_ids[clock], &now);
    return (casyncbridge_time){now.tv_sec, now.tv_nsec};
}

uint32_t casyncbridge_alarm_process(void) { return atomic_load_explicit(&process, memory_order_relaxed); }

static bool is_before(casyncbridge_time left, casyncbridge_time right) {
    return left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds;
}

// MARK: The kernel's timers. All but the waiting is done with the lock held.

#if defined(__linux__)

static void open_descriptors(void) {
    for (int clock = 0; clock < 2; clock++) {
        descriptors[clock] = timerfd_create(clock_ids[clock], TFD_CLOEXEC | TFD_NONBLOCK);
        if (descriptors[clock] < 0 && clock == 1) {
            close(descriptors[0]);
            descriptors[0] = -1;
        }
        if (descriptors[clock] < 0) return;
    }
}

static void set_kernel_timer(int clock) {
    struct itimerspec time = {{0, 0}, {(time_t)set_times[clock].seconds, (long)set_times[clock].nanoseconds}};
    // Zero would stop it, and a time before the clock's own beginning is refused: it would stay set, as the earliest,
    // and nothing would ring any more.
    if (time.it_value.tv_sec < 0 || (time.it_value.tv_sec == 0 && time.it_value.tv_nsec <= 0)) {
        time.it_value = (struct timespec){0, 1};
    }
    timerfd_settime(descriptors[clock], TFD_TIMER_ABSTIME, &time, NULL);
}

static unsigned wait_in_kernel(int first, int second) {
    struct pollfd both[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    poll(both, 2, -1);
    return (both[0].revents ? 1u : 0) | (both[1].revents ? 2u : 0);
}

static bool has_expired(int clock) {
    uint64_t count;
    // Nothing to read if it was set again meanwhile.
    return read(descriptors[clock], &count, sizeof count) == sizeof count;
}

#elif defined(__APPLE__)

static void open_descriptors(void) { descriptors[0] = descriptors[1] = kqueue(); }

static void set_kernel_timer(int clock) {
    const casyncbridge_time now = casyncbridge_now(clock), time = set_times[clock];
    int64_t wait = 0;
    if (is_before(now, time)) {
        // No longer than a year, when it rings without need.
        const int64_t seconds = time.seconds - now.seconds < 31536000 ? time.seconds - now.seconds : 31536000;
        wait = seconds * 1000000000 + time.nanoseconds - now.nanoseconds;
    }
    struct kevent change;
    EV_SET(&change, clock, EVFILT_TIMER, EV_ADD | EV_ONESHOT,
           NOTE_NSECONDS | NOTE_CRITICAL | (clock == casyncbridge_continuous ? NOTE_MACH_CONTINUOUS_TIME : 0),
           wait < 1 ? 1 : wait, NULL);
    kevent(descriptors[clock], &change, 1, NULL, 0, NULL);
}

static unsigned wait_in_kernel(int first, int second) {
    (void)second;
    struct kevent event;
    return kevent(first, NULL, 0, &event, 1, NULL) == 1 ? 1u << event.ident : 0;
}

static bool has_expired(int clock) {
    (void)clock;
    return true;
}

#else

static void open_descriptors(void) {}
static void set_kernel_timer(int clock) { (void)clock; }
static unsigned wait_in_kernel(int first, int second) { return (void)first, (void)second, 3; }
static bool has_expired(int clock) { return (void)clock, true; }

#endif

/// Waits until a clock has perhaps reached its time.
///
/// @return Bit 0 for the continuous clock, bit 1 for the suspending one.
static unsigned wait_for_clocks(void) {
    pthread_mutex_lock(&lock);
    if (descriptors[0] < 0) {
        open_descriptors();
        for (int clock = 0; clock < 2; clock++) {
            if (descriptors[0] >= 0 && is_set[clock]) set_kernel_timer(clock);
        }
    }
    const int first = descriptors[0], second = descriptors[1];
    pthread_mutex_unlock(&lock);
    if (first >= 0) return wait_in_kernel(first, second);
    // No file could be opened: looks at the clocks every few milliseconds, until one can.
    const struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
    return 3;
}

/// Whether a clock has reached the time that was set, which is forgotten then.
static bool takes_alarm(int clock) {
    pthread_mutex_lock(&lock);
    const bool has_kernel_timer = descriptors[clock] >= 0;
    const bool must_be_set = has_kernel_timer && has_expired(clock) && is_set[clock];
    const bool takes = is_set[clock] && !is_before(casyncbridge_now(clock), set_times[clock]);
    if (takes) is_set[clock] = false;
    else if (must_be_set) set_kernel_timer(clock);
    pthread_mutex_unlock(&lock);
    return takes;
}

// MARK: The thread

/// Waits until the thread that waits for the clocks has other work.
///
/// @return False if another thread does so already: one is enough.
static bool waits_as_spare(void) {
    pthread_mutex_lock(&lock);
    const bool waits = !has_spare;
    if (waits) {
        has_spare = true;
        while (spares_told == 0) pthread_cond_wait(&spare_is_told, &lock);
        spares_told--;
    }
    pthread_mutex_unlock(&lock);
    return waits;
}

static void *wait_and_ring(void *unused) {
    (void)unused;
#if defined(__APPLE__)
    pthread_setname_np("bridge-timers");
#elif defined(__linux__)
    pthread_setname_np(pthread_self(), "bridge-timers");
#endif
    do {
        leads = true;
        while (leads) {
            const unsigned clocks = wait_for_clocks();
            for (int clock = 0; clock < 2 && leads; clock++) {
                if (clocks & 1u << clock && takes_alarm(clock)) ring_function(clock);
            }
        }
    } while (waits_as_spare());
    return NULL;
}

/// Starts a thread that waits for the clocks.
///
/// @return 0, or the number of an error.
static int start_thread(void) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    // Those of a fault go to the thread that raises them, and a handler may want to see them: the engine's, which
    // reports a stack overflow, or one that prints a backtrace.
    const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
    for (size_t index = 0; index < sizeof faults / sizeof faults[0]; index++) sigdelset(&blocked, faults[index]);
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error) return error;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    // Not added to those of the caller: Dispatch blocks others on its threads.
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    error = pthread_create(&thread, &attributes, wait_and_ring, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

void casyncbridge_leave_alarms(void) {
    if (!leads) return;
    pthread_mutex_lock(&lock);
    bool is_replaced = has_spare;
    if (has_spare) {
        has_spare = false;
        spares_told++;
        pthread_cond_signal(&spare_is_told);
    } else {
        // Without a thread, timers are late while this one is busy: better than none.
        is_replaced = start_thread() == 0;
    }
    pthread_mutex_unlock(&lock);
    leads = !is_replaced;
}

// MARK: Processes

// A child process has only the thread that called `fork`. The kernel's timers would be shared with the parent, so
// they are closed there. The lock is taken first: another thread might hold it, for ever.

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void in_parent(void) { pthread_mutex_unlock(&lock); }

static void in_child(void) {
#if defined(__linux__)
    for (int clock = 0; clock < 2; clock++) {
        if (descriptors[clock] >= 0) close(descriptors[clock]);
    }
#endif
    descriptors[0] = descriptors[1] = -1;
    is_set[0] = is_set[1] = false;
    is_running = has_spare = leads = false;
    spares_told = 0;
    spare_is_told = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    atomic_fetch_add_explicit(&process, 1, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void watch_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

// MARK: Setting

static void start(void) {
    int error;
    // As Dispatch does: the machine may have too many threads for a moment. Some 10 seconds.
    for (int attempt = 0; (error = start_thread()) != 0 && attempt < 1000; attempt++) {
        const struct timespec pause = {0, 10000000};
        nanosleep(&pause, NULL);
    }
    if (error) {
        fprintf(stderr, "AsyncBridge cannot start the thread for timeouts: %s. Raise the limit of threads.\n",
                strerror(error));
        abort();
    }
    is_running = true;
}

void casyncbridge_set_alarm(int clock, casyncbridge_time time, void (*ring)(int clock)) {
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    if (!ring_function) ring_function = ring;
    if (!is_set[clock] || is_before(time, set_times[clock])) {
        is_set[clock] = true;
        set_times[clock] = time;
        if (descriptors[clock] >= 0) set_kernel_timer(clock);
        // It sets the kernel's timer itself when it has opened it.
        if (!is_running) start();
    }
    pthread_mutex_unlock(&lock);
}
