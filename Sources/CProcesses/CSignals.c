// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CProcesses.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static bool is_default(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

static bool has_handler(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

int cprocesses_ignore_by_default(int number) {
    return cprocesses_ignore_by_default_beside(number, NULL);
}

int cprocesses_ignore_by_default_beside(int number, void (*others)(enum cprocesses_ignoring)) {
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0) return -1;
    // Nothing happens by default, and a process that ignores it cannot wait for its children.
    if (number == SIGCHLD) return 0;
    if (!is_default(&current)) return 0;
    if (others) others(cprocesses_has_looked);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    struct sigaction previous;
    if (sigaction(number, &ignore, &previous) != 0) return -1;
    if (others) others(cprocesses_has_ignored);
    // Race: another thread, such as Dispatch's, has installed a handler since the look. Each call that takes a handler
    // away puts it back. If the other thread was one that ignores, nothing is put back: it may have gone on to watch
    // the signal, and then there is a handler by now.
    if (has_handler(&previous)) sigaction(number, &previous, NULL);
    return 0;
}
