// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef COnnxRuntime_h
#define COnnxRuntime_h

#include <stddef.h>
#include <stdint.h>

// The part of ONNX Runtime's C interface that this example uses: its Python package, from which the library comes, has
// no header. The interface is a table of functions to which versions only append, so a slot keeps its number forever.
//
// Each function of the table that can fail returns a status, or null if all went well. The caller releases it.

#pragma clang assume_nonnull begin

/// The version of the table that is asked for. Newer libraries have it too.
#define COnnxRuntime_api_version 21

typedef struct OrtAllocator OrtAllocator;
typedef struct OrtEnv OrtEnv;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtStatus OrtStatus;
typedef struct OrtTensorInfo OrtTensorInfo;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtValue OrtValue;

/// Called once, on a thread of the session, when an asynchronous run has ended. Owns the status, if there is one.
typedef void (*OrtRunAsyncCallback)(
    void *_Nullable user_data, OrtValue *_Nullable *_Nullable outputs, size_t output_count, OrtStatus *_Nullable status
);

enum {
    /// Nothing is logged: errors are statuses.
    COnnxRuntime_log_fatal = 4,
    COnnxRuntime_optimise_all = 99,
    COnnxRuntime_element_float = 1,
    COnnxRuntime_arena_allocator = 1,
    COnnxRuntime_memory_default = 0,
};

/// A slot that is not used here.
typedef const void *_Nullable OrtSlot;

/// The table of functions.
typedef struct OrtApi {
    OrtSlot unused_0;
    int (*_Nonnull GetErrorCode)(const OrtStatus *status);
    const char *_Nonnull (*_Nonnull GetErrorMessage)(const OrtStatus *status);
    OrtStatus *_Nullable (*_Nonnull CreateEnv)(int log_level, const char *log_name, OrtEnv *_Nullable *_Nonnull env);
    OrtSlot unused_4[4];
    OrtStatus *_Nullable (*_Nonnull CreateSessionFromArray)(
        const OrtEnv *env, const void *model, size_t length, const OrtSessionOptions *options,
        OrtSession *_Nullable *_Nonnull session
    );
    OrtSlot unused_9;
    OrtStatus *_Nullable (*_Nonnull CreateSessionOptions)(OrtSessionOptions *_Nullable *_Nonnull options);
    OrtSlot unused_11[12];
    OrtStatus *_Nullable (*_Nonnull SetSessionGraphOptimizationLevel)(OrtSessionOptions *options, int level);
    OrtStatus *_Nullable (*_Nonnull SetIntraOpNumThreads)(OrtSessionOptions *options, int count);
    OrtSlot unused_25[5];
    OrtStatus *_Nullable (*_Nonnull SessionGetInputCount)(const OrtSession *session, size_t *count);
    OrtStatus *_Nullable (*_Nonnull SessionGetOutputCount)(const OrtSession *session, size_t *count);
    OrtSlot unused_32;
    OrtStatus *_Nullable (*_Nonnull SessionGetInputTypeInfo)(
        const OrtSession *session, size_t index, OrtTypeInfo *_Nullable *_Nonnull info
    );
    OrtStatus *_Nullable (*_Nonnull SessionGetOutputTypeInfo)(
        const OrtSession *session, size_t index, OrtTypeInfo *_Nullable *_Nonnull info
    );
    OrtSlot unused_35;
    /// The name belongs to the caller, who frees it with the allocator.
    OrtStatus *_Nullable (*_Nonnull SessionGetInputName)(
        const OrtSession *session, size_t index, OrtAllocator *allocator, char *_Nullable *_Nonnull name
    );
    OrtStatus *_Nullable (*_Nonnull SessionGetOutputName)(
        const OrtSession *session, size_t index, OrtAllocator *allocator, char *_Nullable *_Nonnull name
    );
    OrtSlot unused_38;
    OrtStatus *_Nullable (*_Nonnull CreateRunOptions)(OrtRunOptions *_Nullable *_Nonnull options);
    OrtSlot unused_40[6];
    /// Sets a flag that the run looks at; may be called on any thread.
    OrtStatus *_Nullable (*_Nonnull RunOptionsSetTerminate)(OrtRunOptions *options);
    OrtSlot unused_47[2];
    /// The data stays the caller's, who keeps it until the value is released.
    OrtStatus *_Nullable (*_Nonnull CreateTensorWithDataAsOrtValue)(
        const OrtMemoryInfo *memory, void *data, size_t byte_count, const int64_t *shape, size_t rank, int element_type,
        OrtValue *_Nullable *_Nonnull value
    );
    OrtSlot unused_50;
    OrtStatus *_Nullable (*_Nonnull GetTensorMutableData)(OrtValue *value, void *_Nullable *_Nonnull data);
    OrtSlot unused_52[3];
    /// Null for what is not a tensor; belongs to the type info.
    OrtStatus *_Nullable (*_Nonnull CastTypeInfoToTensorInfo)(
        const OrtTypeInfo *info, const OrtTensorInfo *_Nullable *_Nonnull tensor
    );
    OrtSlot unused_56[4];
    OrtStatus *_Nullable (*_Nonnull GetTensorElementType)(const OrtTensorInfo *info, int *type);
    OrtStatus *_Nullable (*_Nonnull GetDimensionsCount)(const OrtTensorInfo *info, size_t *count);
    /// A dimension that the model leaves open is -1.
    OrtStatus *_Nullable (*_Nonnull GetDimensions)(const OrtTensorInfo *info, int64_t *dimensions, size_t count);
    OrtSlot unused_63;
    OrtStatus *_Nullable (*_Nonnull GetTensorShapeElementCount)(const OrtTensorInfo *info, size_t *count);
    OrtStatus *_Nullable (*_Nonnull GetTensorTypeAndShape)(
        const OrtValue *value, OrtTensorInfo *_Nullable *_Nonnull info
    );
    OrtSlot unused_66[3];
    OrtStatus *_Nullable (*_Nonnull CreateCpuMemoryInfo)(
        int allocator_type, int memory_type, OrtMemoryInfo *_Nullable *_Nonnull memory
    );
    OrtSlot unused_70[6];
    OrtStatus *_Nullable (*_Nonnull AllocatorFree)(OrtAllocator *allocator, void *pointer);
    OrtSlot unused_77;
    /// Belongs to the library.
    OrtStatus *_Nullable (*_Nonnull GetAllocatorWithDefaultOptions)(OrtAllocator *_Nullable *_Nonnull allocator);
    OrtSlot unused_79[13];
    void (*_Nonnull ReleaseEnv)(OrtEnv *env);
    void (*_Nonnull ReleaseStatus)(OrtStatus *status);
    void (*_Nonnull ReleaseMemoryInfo)(OrtMemoryInfo *memory);
    void (*_Nonnull ReleaseSession)(OrtSession *session);
    void (*_Nonnull ReleaseValue)(OrtValue *value);
    void (*_Nonnull ReleaseRunOptions)(OrtRunOptions *options);
    void (*_Nonnull ReleaseTypeInfo)(OrtTypeInfo *info);
    void (*_Nonnull ReleaseTensorTypeAndShapeInfo)(OrtTensorInfo *info);
    void (*_Nonnull ReleaseSessionOptions)(OrtSessionOptions *options);
    OrtSlot unused_101[29];
    OrtStatus *_Nullable (*_Nonnull AddSessionConfigEntry)(
        OrtSessionOptions *options, const char *name, const char *value
    );
    OrtSlot unused_131[129];
    /// Starts a run on a thread of the session, which needs two of them. All that it gets stays alive until the
    /// callback.
    OrtStatus *_Nullable (*_Nonnull RunAsync)(
        OrtSession *session, const OrtRunOptions *options,
        const char *const _Nonnull *_Nonnull input_names, const OrtValue *const _Nullable *_Nonnull inputs,
        size_t input_count, const char *const _Nonnull *_Nonnull output_names, size_t output_count,
        OrtValue *_Nullable *_Nonnull outputs, OrtRunAsyncCallback _Nonnull callback, void *_Nullable user_data
    );
} OrtApi;

/// What the library's one exported function, `OrtGetApiBase`, returns.
typedef struct OrtApiBase {
    const OrtApi *_Nullable (*_Nonnull GetApi)(uint32_t version);
    const char *_Nonnull (*_Nonnull GetVersionString)(void);
} OrtApiBase;

typedef const OrtApiBase *_Nullable (*OrtGetApiBase)(void);

#pragma clang assume_nonnull end

#endif
