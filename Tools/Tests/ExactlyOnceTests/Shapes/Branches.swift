// Choices: if, guard, ternary, switch.

func once(completion: () -> Void) { completion() }

func twice(completion: () -> Void) {
    completion()
    completion()  // EXPECT double-delivery error
}

func twiceIfTrue(_ flag: Bool, completion: () -> Void) {
    if flag { completion() }
    completion()  // EXPECT double-delivery error
}

func inBothBranches(_ flag: Bool, completion: () -> Void) {
    if flag { completion() } else { completion() }
}

func inOneBranch(_ flag: Bool, completion: () -> Void) {
    if flag {  // EXPECT missing-delivery warning
        completion()
    }
}

func inTheElseOnly(_ flag: Bool, completion: () -> Void) {
    if flag {  // EXPECT missing-delivery warning
        print("no")
    } else {
        completion()
    }
}

func elseIf(_ first: Bool, _ second: Bool, completion: () -> Void) {
    if first {
        completion()
    } else if second {  // EXPECT missing-delivery warning
        completion()
    }
}

func elseIfWithElse(_ first: Bool, _ second: Bool, completion: () -> Void) {
    if first {
        completion()
    } else if second {
        completion()
    } else {
        completion()
    }
}

func returnsAfterwards(_ flag: Bool, completion: () -> Void) {
    if flag {
        completion()
        return
    }
    completion()
}

func returnsTheCall(_ flag: Bool, completion: () -> Void) {
    if flag { return completion() }
    completion()
}

func doubleOnOneWayOnly(_ flag: Bool, _ other: Bool, completion: () -> Void) {
    completion()
    if flag {
        completion()  // EXPECT double-delivery warning
    }
}

func guardReturns(_ url: String?, completion: (String) -> Void) {
    guard let url else { return }  // EXPECT missing-delivery warning
    completion(url)
}

func guardCalls(_ url: String?, completion: (String?) -> Void) {
    guard let url else { return completion(nil) }
    completion(url)
}

func guardCallsThenReturns(_ url: String?, completion: (String?) -> Void) {
    guard let url else {
        completion(nil)
        return
    }
    completion(url)
}

func twoGuards(_ a: String?, _ b: String?, completion: (String?) -> Void) {
    guard a != nil else { return completion(nil) }
    guard b != nil else {
        print("b")
        return  // EXPECT missing-delivery warning
    }
    completion(b)
}

func ternaryStatement(_ flag: Bool, completion: (Int) -> Void) {
    flag ? completion(1) : completion(2)
}

func ternaryHalf(_ flag: Bool, completion: (Int) -> Void) {
    flag ? completion(1) : print("no")  // EXPECT missing-delivery warning
}

func ternaryArgument(_ flag: Bool, completion: (Int) -> Void) {
    completion(flag ? 1 : 2)
}

func ifExpression(_ flag: Bool, completion: (Int) -> Void) {
    let value = if flag { 1 } else { 2 }
    completion(value)
}

func sameConditionTwice(_ flag: Bool, completion: () -> Void) {
    if flag { completion() }
    if !flag { completion() }
}

func sameConditionTwiceDouble(_ flag: Bool, completion: () -> Void) {
    if flag { completion() }
    if flag { completion() }  // EXPECT double-delivery error
}

func sameOptionalTwice(_ error: (any Error)?, completion: ((any Error)?) -> Void) {
    if let error { completion(error) }
    if error == nil { completion(nil) }
}

func comparisonTwice(_ count: Int, completion: () -> Void) {
    if count == 0 { completion() }
    guard count != 0 else { return }
    completion()
}

func changedInBetween(_ start: Bool, completion: () -> Void) {
    var flag = start
    if flag { completion() }
    flag = check()
    if !flag { completion() }  // EXPECT double-delivery warning
}

func literalFlag(_ items: [Int], completion: () -> Void) {
    var hasAny = false
    if items.first != nil {
        hasAny = true
        completion()
    }
    if hasAny == false { completion() }
}

func conjunction(_ a: Bool, _ b: Bool, completion: () -> Void) {
    if a && b {  // EXPECT missing-delivery warning
        completion()
    }
}

func conjunctionList(_ a: Bool, _ b: String?, completion: () -> Void) {
    if a, let b, b.count > 1 {
        completion()
    } else {
        completion()
    }
}

func disjunction(_ a: Bool, _ b: Bool, completion: () -> Void) {
    if a || b { return completion() }
    if a { completion() }
    if !a { completion() }
}

func constantTrue(completion: () -> Void) {
    if true { completion() }
}

func availability(completion: () -> Void) {
    if #available(macOS 15, *) {
        completion()
    } else {
        completion()
    }
}

func availabilityHalf(completion: () -> Void) {
    guard #available(macOS 15, *) else { return }  // EXPECT missing-delivery warning
    completion()
}

func nestedIf(_ a: Bool, _ b: Bool, completion: () -> Void) {
    if a {
        if b {  // EXPECT missing-delivery warning
            completion()
        }
    } else {
        completion()
    }
}

func valueOfAnd(_ a: Bool, completion: () -> Void) {
    let ignored = a && run(completion)  // EXPECT missing-delivery warning
    print(ignored)
}

func parenthesized(_ a: Bool, completion: () -> Void) {
    if !(a) { (completion)() } else { completion() }
}
