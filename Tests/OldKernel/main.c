// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Runs a program, and whatever it starts, as on Linux before 6.13: without guards that take no mappings.
//
//   old-kernel swift test …
//
// A filter of system calls answers `madvise(…, MADV_GUARD_INSTALL)` as a kernel does that does not know it.

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GUARD_INSTALL 102

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s program [arguments]\n", argv[0]);
        return 64;
    }
    // The numbers of system calls differ between processors; the program and this one are for the same.
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
        // The lower half of the advice: all supported processors are little-endian.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, GUARD_INSTALL, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof rules / sizeof rules[0], rules};
    // Without the first, only root may set a filter.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        // Then the tests run on the kernel as it is.
        fprintf(stderr, "%s: no filter (%s); the kernel stays as it is\n", argv[0], strerror(errno));
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
