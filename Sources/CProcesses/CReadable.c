// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CProcesses.h"

#include <errno.h>

#if defined(__linux__)

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int cprocesses_watch_readable(int descriptor) {
    int watch = epoll_create1(EPOLL_CLOEXEC);
    if (watch < 0) return -1;
    // A hang-up and an error are told of without being asked for.
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0) return watch;
    int number = errno;
    close(watch);
    // One that can be read as long as nobody reads it.
    if (number == EPERM) return eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    errno = number;
    return -1;
}

#else

int cprocesses_watch_readable(int descriptor) {
    (void)descriptor;
    errno = ENOSYS;
    return -1;
}

#endif
