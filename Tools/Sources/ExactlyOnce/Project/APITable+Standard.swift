// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension APITable {
    /// What the tool knows without being told.
    ///
    /// `--apis FILE` adds to it.
    package static let standardText = """
        # Called before the call returns.
        now     autoreleasepool withExtendedLifetime withUnsafePointer withUnsafeMutablePointer withUnsafeBytes
        now     withUnsafeMutableBytes withUnsafeBufferPointer withUnsafeMutableBufferPointer withMemoryRebound withUTF8
        now     withTaskCancellationHandler withTaskCancellationHandler(operation:) withTaskCancellationShield
        now     withCheckedContinuation withCheckedThrowingContinuation withUnsafeContinuation
        now     withUnsafeThrowingContinuation withTaskGroup withThrowingTaskGroup withDiscardingTaskGroup
        now     withValue performAndWait assumeIsolated run performWithoutAnimation
        locked  withLock withLockedValue withLockUnchecked withLockIfAvailable sync synchronized
        loop    forEach enumerateObjects enumerate

        # Called once, later.
        later   async asyncAfter addOperation perform(_:) notify addBarrierBlock performBackgroundTask
        later   onMain runOnMain dispatchMain onMainThread runOnMainThread mainThread ensureMainThread
        task    Task detached immediate
        likely  perform animate present dismiss dataTask downloadTask uploadTask requestAccess

        # Called any number of times, or never.
        many    sink observe subscribe addObserver onReceive bind drive addPeriodicTimeObserver
        # Again, if the time is over.
        many    performExpiringActivity
        many    scheduledTimer setEventHandler onNext onChange publisher
        unknown map flatMap compactMap filter reduce first contains sorted
        # How a publisher has ended, and the only value of one: once at most.
        unknown sink(receiveCompletion:)
        unknown subscribe(onSuccess:) subscribe(onError:) subscribe(onFailure:) subscribe(onCompleted:)
        unknown withTaskCancellationHandler(onCancel:) addTask Timer DispatchWorkItem BlockOperation Thread
        unknown handleEvents catch recover schedule append register

        # Lends the first thing that its closure gets: nobody may use it after the closure has returned. Says nothing of
        # how often it calls. What passes it to a completion handler gets no async function from "asyncbridge wrap".
        lends   withUnsafePointer withUnsafeMutablePointer withUnsafeBytes withUnsafeMutableBytes withMemoryRebound
        lends   withUnsafeBufferPointer withUnsafeMutableBufferPointer withUnsafeTemporaryAllocation withUTF8
        lends   withContiguousStorageIfAvailable withContiguousMutableStorageIfAvailable withCString
        # Connections of databases: GRDB, FMDB.
        lends   asyncRead asyncWrite asyncWriteWithoutTransaction asyncBarrierWriteWithoutTransaction
        lends   asyncConcurrentRead spawnConcurrentRead unsafeRead unsafeReentrantRead unsafeReentrantWrite
        lends   writeWithoutTransaction barrierWriteWithoutTransaction inDatabase inTransaction inSavepoint
        lends   dbQueue.read dbQueue.write dbPool.read dbPool.write dbReader.read dbWriter.read dbWriter.write
        """
}
