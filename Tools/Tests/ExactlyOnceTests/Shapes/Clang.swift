// What clang's called-once check also looks at, in Swift; the functions with “clang:” differ from it on purpose.

func fourTimes(completion: () -> Void) {
    // clang: it reports the last of them, and we the first.
    completion()
    completion()  // EXPECT double-delivery error
    completion()
    completion()
}

func escapesInBetween(completion: @escaping () -> Void) {
    completion()
    keep(completion)
    completion()  // EXPECT double-delivery error
}

func escapesOnOneWayInBetween(_ flag: Bool, completion: @escaping () -> Void) {
    completion()
    if flag { keep(completion) }
    completion()  // EXPECT double-delivery error
}

func escapesOnOneWayOnly(_ flag: Bool, completion: @escaping () -> Void) {
    if flag {  // EXPECT missing-delivery warning
        keep(completion)
    }
}

func escapesOnOneWayThenCalled(_ flag: Bool, completion: @escaping () -> Void) {
    if flag { keep(completion) }
    completion()
}

func calledOnOneWayThenEscapes(_ flag: Bool, completion: @escaping () -> Void) {
    if flag { completion() }
    keep(completion)
}

func handedUnderALabelThenCalled(completion: @escaping () -> Void) {
    load(completion: completion)
    completion()  // EXPECT double-delivery warning
}

func handedUnderALabelTwice(completion: @escaping () -> Void) {
    load(completion: completion)
    load(completion: completion)  // EXPECT double-delivery warning
}

func closureUnderALabelThenCalled(completion: @escaping () -> Void) {
    load(completion: { completion() })
    completion()  // EXPECT double-delivery warning
}

func closureOutOfSightThenCalled(completion: @escaping () -> Void) {
    keep({ completion() })
    completion()
}

func twoWaysInAClosureOutOfSight(_ flag: Bool, completion: @escaping () -> Void) {
    keep({
        if flag { completion() }
        completion()  // EXPECT double-delivery error
    })
}

func oneWayInAClosureOutOfSight(_ flag: Bool, completion: @escaping () -> Void) {
    keep({
        if flag { completion() }
    })
}

func closureThatIsCalledAtOnce(_ flag: Bool, completion: @escaping () -> Void) {
    {
        if flag {  // EXPECT missing-delivery warning
            keep(completion)
        }
    }()
}

func twoIfs(_ first: Bool, _ second: Bool, completion: () -> Void) {
    // clang: a warning for each; we name the second one in the first one's note.
    if first {
        if second { return }  // EXPECT missing-delivery warning
        completion()
    }
}

func twoCases(_ number: Int, completion: () -> Void) {
    // clang: a warning for each; we name the second one in the first one's note.
    switch number {
    case 1: break  // EXPECT missing-delivery warning
    case 2: break
    default: completion()
    }
}

func entersTheLoop(_ numbers: [Int], completion: () -> Void) {
    for _ in numbers {
        return  // EXPECT missing-delivery warning
    }
    completion()
}

func throwsInOneWay(_ error: (any Error)?, completion: () -> Void) throws {
    if let error { throw error }
    completion()
}

func throwsOrNot(_ error: (any Error)?, completion: @escaping () -> Void) throws {  // EXPECT never-delivered warning
    if let error { throw error }
}

func twiceBeforeACatch(completion: () -> Void) {
    do {
        completion()
        completion()  // EXPECT double-delivery error
    } catch {
        // clang: it does not look into `@try`.
        completion()
    }
}

func endsOnOneWay(_ flag: Bool, completion: () -> Void) {
    if flag { exit(1) }
    completion()
}

func endsAfterwards(_ flag: Bool, completion: () -> Void) {
    if flag {
        completion()
        exit(1)
    }
    completion()
}

func endsWithoutDoubt(completion: () -> Void) {
    exit(1)
}

func endsOrNothing(_ flag: Bool, completion: @escaping () -> Void) {  // EXPECT never-delivered warning
    if flag { exit(1) }
}

func twiceThenEnds(_ number: Int, completion: () -> Void) {
    completion()
    if number > 0 {
        if number == 42 {
            completion()  // EXPECT double-delivery warning
        }
        exit(1)
    }
}

func cancelledPath(completion: @escaping () -> Void) {
    // clang: a warning; we say in a note what is lost with cancelled work.
    if wasCancelled { return }  // EXPECT cancel-latch note
    completion()
}

func deliberately(_ flag: Bool, completion: () -> Void) {
    if flag {
        _ = completion
    } else {
        completion()
    }
}

func deliberatelyOnOneWay(_ flag: Bool, completion: () -> Void) {
    if flag {  // EXPECT missing-delivery warning
        _ = completion
    }
}

func clearedAfterCall(_ first: Bool, _ second: Bool, completion: (() -> Void)?) {
    var handler = completion
    if first {
        handler?()
        handler = nil
    }
    // clang: it says nothing of the way on which neither is true.
    if second { handler?() }  // EXPECT missing-delivery warning
}

func baseWithoutWork(completion: @escaping () -> Void) {}  // EXPECT never-delivered warning

func assertsInABase(completion: @escaping () -> Void) {
    assertionFailure("a subclass must do it")
}

func answersAValue(_ flag: Bool, completion: () -> Int) {
    if flag { _ = completion() }
}

func copiedInAClosure(_ flag: Bool, completion: @escaping () -> Void) {
    let copy = { completion() }
    if flag { completion() } else { copy() }
}

func inADefer(_ flag: Bool, completion: () -> Void) {
    var failed = false
    defer { if failed { completion() } }
    if flag { failed = true } else { completion() }
}

func inADeferAndAtTheEnd(_ flag: Bool, completion: () -> Void) {
    var failed = false
    defer { if failed { completion() } }  // EXPECT double-delivery error
    if flag { failed = true } else { completion() }
    completion()  // EXPECT double-delivery error
}
