// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "COnnxRuntime.h"

// The numbers of the slots. A wrong one would call another function.
#define IS_SLOT(function, number) \
    _Static_assert(offsetof(OrtApi, function) == number * sizeof(void *), #function " is not in its slot")

IS_SLOT(GetErrorCode, 1);
IS_SLOT(GetErrorMessage, 2);
IS_SLOT(CreateEnv, 3);
IS_SLOT(CreateSessionFromArray, 8);
IS_SLOT(CreateSessionOptions, 10);
IS_SLOT(SetSessionGraphOptimizationLevel, 23);
IS_SLOT(SetIntraOpNumThreads, 24);
IS_SLOT(SessionGetInputCount, 30);
IS_SLOT(SessionGetOutputCount, 31);
IS_SLOT(SessionGetInputTypeInfo, 33);
IS_SLOT(SessionGetOutputTypeInfo, 34);
IS_SLOT(SessionGetInputName, 36);
IS_SLOT(SessionGetOutputName, 37);
IS_SLOT(CreateRunOptions, 39);
IS_SLOT(RunOptionsSetTerminate, 46);
IS_SLOT(CreateTensorWithDataAsOrtValue, 49);
IS_SLOT(GetTensorMutableData, 51);
IS_SLOT(CastTypeInfoToTensorInfo, 55);
IS_SLOT(GetTensorElementType, 60);
IS_SLOT(GetDimensionsCount, 61);
IS_SLOT(GetDimensions, 62);
IS_SLOT(GetTensorShapeElementCount, 64);
IS_SLOT(GetTensorTypeAndShape, 65);
IS_SLOT(CreateCpuMemoryInfo, 69);
IS_SLOT(AllocatorFree, 76);
IS_SLOT(GetAllocatorWithDefaultOptions, 78);
IS_SLOT(ReleaseEnv, 92);
IS_SLOT(ReleaseStatus, 93);
IS_SLOT(ReleaseMemoryInfo, 94);
IS_SLOT(ReleaseSession, 95);
IS_SLOT(ReleaseValue, 96);
IS_SLOT(ReleaseRunOptions, 97);
IS_SLOT(ReleaseTypeInfo, 98);
IS_SLOT(ReleaseTensorTypeAndShapeInfo, 99);
IS_SLOT(ReleaseSessionOptions, 100);
IS_SLOT(AddSessionConfigEntry, 130);
IS_SLOT(RunAsync, 260);
