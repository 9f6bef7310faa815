// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef CWhatsThatModel_h
#define CWhatsThatModel_h

#include <stddef.h>

/// A file of the folders Model and Pictures, compiled in, so that the command is one file; empty if it was not there.
typedef struct whatsthat_file {
    const unsigned char *_Nonnull start;
    size_t length;
} whatsthat_file;

whatsthat_file whatsthat_network(void);
whatsthat_file whatsthat_labels(void);
whatsthat_file whatsthat_manifest(void);

/// A picture that ships.
typedef struct whatsthat_picture {
    const char *_Nonnull name;
    whatsthat_file file;
} whatsthat_picture;

/// The sample of a number, from zero; after the last one, its name is empty.
whatsthat_picture whatsthat_sample(size_t number);

#endif
