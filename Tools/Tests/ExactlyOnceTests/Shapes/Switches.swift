// switch, as statement and as expression; #if.

func everyCase(_ result: Result<Int, any Error>, completion: (Int?) -> Void) {
    switch result {
    case .success(let value): completion(value)
    case .failure: completion(nil)
    }
}

func oneCaseOnlyLogs(_ result: Result<Int, any Error>, completion: (Int?) -> Void) {
    switch result {
    case .success(let value): completion(value)
    case .failure(let error): print(error)  // EXPECT missing-delivery warning
    }
}

func breakInCase(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a: completion()
    case .b: break  // EXPECT missing-delivery warning
    }
}

func defaultCase(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a: completion()
    default: completion()
    }
}

func unknownDefault(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a, .b: completion()
    @unknown default: return  // EXPECT missing-delivery note
    }
}

func fallsThrough(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a:
        print("a")
        fallthrough
    case .b: completion()
    case .c: completion()
    }
}

func fallsThroughAfterCall(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a:
        completion()
        fallthrough
    case .b: completion()  // EXPECT double-delivery error
    case .c: completion()
    }
}

func switchThenCall(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a: completion()
    case .b: print("b")
    }
    completion()  // EXPECT double-delivery error
}

func switchReturnsThenCall(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a: return completion()
    case .b: print("b")
    }
    completion()
}

func sameSubjectTwice(_ state: State, completion: () -> Void) {
    if case .ready = state { return completion() }
    switch state {
    case .ready: print("not reached without delivery")
    case .waiting: completion()
    }
}

func guardCase(_ state: State, completion: () -> Void) {
    guard case .ready = state else { return }  // EXPECT missing-delivery warning
    completion()
}

func equalsCase(_ state: State, completion: () -> Void) {
    if state == .ready { completion() }
    if state != .ready { completion() }
}

func whereClause(_ result: Result<Int, any Error>, completion: () -> Void) {
    switch result {
    case .success(let value) where value > 0: completion()
    case .success: completion()
    case .failure: completion()
    }
}

func switchExpression(_ kind: Kind, completion: (Int) -> Void) {
    let value =
        switch kind {
        case .a: 1
        case .b: 2
        }
    completion(value)
}

func returnedSwitch(_ kind: Kind, completion: (Int) -> Void) {
    return switch kind {
    case .a: completion(1)
    case .b: completion(2)
    }
}

func labeledBreak(_ kind: Kind, completion: () -> Void) {
    outer: switch kind {
    case .a: break outer  // EXPECT missing-delivery warning
    case .b: completion()
    }
}

func switchInsideSwitch(_ a: Kind, _ b: Kind, completion: () -> Void) {
    switch a {
    case .a:
        switch b {
        case .a: completion()
        case .b: break  // EXPECT missing-delivery warning
        }
    case .b: completion()
    }
}

func compiledOneWayOrTheOther(completion: () -> Void) {
    #if os(Linux)
    completion()
    #else
    completion()
    #endif
}

func compiledTwice(completion: () -> Void) {
    #if DEBUG
    completion()
    #endif
    completion()  // EXPECT double-delivery error
}

func casesUnderIf(_ kind: Kind, completion: () -> Void) {
    switch kind {
    case .a: completion()
    #if DEBUG
    case .b: completion()
    #endif
    default: completion()
    }
}

func boolSwitch(_ flag: Bool, completion: () -> Void) {
    switch flag {
    case true: completion()
    case false: completion()
    }
}

func tupleSwitch(_ data: Int?, _ error: (any Error)?, completion: () -> Void) {
    switch (data, error) {
    case (let data?, _): completion()
    case (_, let error?): completion()
    case (nil, nil): print("nothing")  // EXPECT missing-delivery warning
    }
}
