// do, catch, throw, try, defer, never.

func caught(completion: (Data?) -> Void) {
    do {
        completion(try read())
    } catch {
        completion(nil)
    }
}

func caughtAfterCall(completion: (Data?) -> Void) {
    do {
        let data = try read()
        completion(data)
    } catch {  // EXPECT missing-delivery warning
        print(error)
    }
}

func catchOnlyLogs(completion: (Data?) -> Void) {
    do {
        completion(try read())
    } catch {  // EXPECT missing-delivery warning
        log(error)
    }
}

func throwsInstead(_ flag: Bool, completion: () -> Void) throws {
    guard flag else { throw Failure() }
    completion()
}

func rethrowsInstead(completion: (Data) -> Void) throws {
    completion(try read())
}

func catchWithPattern(completion: (Data?) -> Void) {
    do {
        completion(try read())
    } catch let error as NSError {
        completion(nil)
    }
}

func catchOfTwoKinds(completion: (Data?) -> Void) {
    do {
        completion(try read())
    } catch is CancellationError {
        completion(nil)
    } catch {
        completion(nil)
    }
}

func catchCallsAgain(completion: (Data?) -> Void) {
    do {
        completion(nil)
        try write()
    } catch {
        completion(nil)  // EXPECT double-delivery warning
    }
}

func deferred(completion: () -> Void) {
    defer { completion() }
    if check() { return }
    print("work")
}

func deferredAndCalled(completion: () -> Void) {
    defer { completion() }  // EXPECT double-delivery error
    completion()
}

func deferredInBranch(_ flag: Bool, completion: () -> Void) {
    if flag {  // EXPECT missing-delivery warning
        defer { completion() }
        print("work")
    }
}

func deferredAfterReturn(_ flag: Bool, completion: () -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    defer { completion() }
    print("work")
}

func deferredWithFlag(_ flag: Bool, completion: () -> Void) {
    var failed = false
    defer { if failed { completion() } }
    if flag {
        failed = true
        return
    }
    completion()
}

func dies(_ flag: Bool, completion: () -> Void) {
    guard flag else { fatalError("no flag") }
    completion()
}

func diesOfPrecondition(_ flag: Bool, completion: () -> Void) {
    guard flag else { preconditionFailure() }
    completion()
}

func neverReturns(_ flag: Bool, completion: () -> Void) {
    func give(up: String) -> Never { fatalError(up) }
    guard flag else { give(up: "no flag") }
    completion()
}

func asserted(_ flag: Bool, completion: () -> Void) {
    guard flag else {
        assertionFailure()
        return
    }
    completion()
}

func assertedFalse(_ flag: Bool, completion: () -> Void) {
    guard flag else {
        assert(false, "no flag")
        return
    }
    completion()
}

func optionalTry(completion: (Data?) -> Void) {
    completion(try? read())
}

func innerDo(completion: () -> Void) {
    do {
        print("only a scope")
    }
    completion()
}

func throwsInsideDo(_ flag: Bool, completion: () -> Void) {
    do {
        if flag { throw Failure() }
        completion()
    } catch {
        completion()
    }
}

func typedCatch(completion: (Failure?) -> Void) {
    do throws(Failure) {
        try work()
        completion(nil)
    } catch {
        completion(error)
    }
}

func throwingAPIGetsTheHandler(completion: @escaping (Data?) -> Void) {
    do {
        try api.load(completion: completion)
    } catch {
        completion(nil)
    }
}

func assertedByMethod(_ flag: Bool, completion: () -> Void) {
    guard flag else {
        Assertions.assertionFailure(message: "no flag")
        return
    }
    completion()
}
