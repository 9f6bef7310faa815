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

// The pictures that ship. The preprocessor cannot be told a file by a macro's argument, so each is written out.

static const unsigned char butterfly[] = {
#if __has_embed("../../Pictures/butterfly.png")
#embed "../../Pictures/butterfly.png" suffix(, )
#endif
    0
};

static const unsigned char dog_face[] = {
#if __has_embed("../../Pictures/dog-face.png")
#embed "../../Pictures/dog-face.png" suffix(, )
#endif
    0
};

static const unsigned char guitar[] = {
#if __has_embed("../../Pictures/guitar.jpg")
#embed "../../Pictures/guitar.jpg" suffix(, )
#endif
    0
};

static const unsigned char hills[] = {
#if __has_embed("../../Pictures/hills.jpg")
#embed "../../Pictures/hills.jpg" suffix(, )
#endif
    0
};

static const unsigned char rocket[] = {
#if __has_embed("../../Pictures/rocket.webp")
#embed "../../Pictures/rocket.webp" suffix(, )
#endif
    0
};

static const unsigned char snowman[] = {
#if __has_embed("../../Pictures/snowman-on-its-side.jpg")
#embed "../../Pictures/snowman-on-its-side.jpg" suffix(, )
#endif
    0
};

static const whatsthat_picture pictures[] = {
    {"butterfly.png", {butterfly, sizeof butterfly - 1}},
    {"dog-face.png", {dog_face, sizeof dog_face - 1}},
    {"guitar.jpg", {guitar, sizeof guitar - 1}},
    {"hills.jpg", {hills, sizeof hills - 1}},
    {"rocket.webp", {rocket, sizeof rocket - 1}},
    {"snowman-on-its-side.jpg", {snowman, sizeof snowman - 1}},
};

whatsthat_picture whatsthat_sample(size_t number) {
    const whatsthat_picture none = {"", {butterfly, 0}};
    return number < sizeof pictures / sizeof *pictures ? pictures[number] : none;
}
