// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CWhatsThatModel.h"

// Why not SwiftPM's `.embedInCode`: it writes the bytes as a Swift array, which takes the compiler minutes for a
// megabyte.
#pragma clang diagnostic ignored "-Wc23-extensions"

#ifndef __has_embed
#define __has_embed(file) 0
#endif

// The last byte of each is not counted: an array in C cannot be empty.

static const unsigned char network[] = {
#if __has_embed("../../Model/whatsthat.onnx")
#embed "../../Model/whatsthat.onnx" suffix(, )
#endif
    0
};

static const unsigned char labels[] = {
#if __has_embed("../../Model/labels.txt")
#embed "../../Model/labels.txt" suffix(, )
#endif
    0
};

static const unsigned char manifest[] = {
#if __has_embed("../../Model/manifest.json")
#embed "../../Model/manifest.json" suffix(, )
#endif
    0
};

whatsthat_file whatsthat_network(void) { return (whatsthat_file){network, sizeof network - 1}; }
whatsthat_file whatsthat_labels(void) { return (whatsthat_file){labels, sizeof labels - 1}; }
whatsthat_file whatsthat_manifest(void) { return (whatsthat_file){manifest, sizeof manifest - 1}; }
