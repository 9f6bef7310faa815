// Loops, labels, early ways out.

func callInLoop(_ items: [Int], completion: (Int) -> Void) {
    for item in items {
        completion(item)  // EXPECT deliver-in-loop note
    }
}

func findInLoop(_ items: [Int], completion: (Int?) -> Void) {
    for item in items where item > 2 {
        completion(item)
        return
    }
    completion(nil)
}

func findInLoopWithoutReturn(_ items: [Int], completion: (Int?) -> Void) {
    for item in items where item > 2 {
        completion(item)  // EXPECT deliver-in-loop note
    }
    completion(nil)  // EXPECT double-delivery error
}

func breakAfterCall(_ items: [Int], completion: (Int?) -> Void) {
    for item in items where item > 2 {  // EXPECT missing-delivery warning
        completion(item)
        break
    }
}

func breakThenCall(_ items: [Int], completion: (Int?) -> Void) {
    for item in items where item > 2 {
        break
    }
    completion(nil)
}

func endless(completion: () -> Void) {
    while true {
        if check() {
            completion()
            return
        }
    }
}

func endlessWithBreak(completion: () -> Void) {
    while true {
        if check() { break }
    }
    completion()
}

func repeated(completion: () -> Void) {
    repeat {
        completion()  // EXPECT deliver-in-loop note
    } while check()
}

func repeatedOnce(completion: () -> Void) {
    repeat {
        completion()
        break
    } while true
}

func retries(completion: (Bool) -> Void) {
    var attempts = 0
    while attempts < 3 {
        if attempt() {
            completion(true)
            return
        }
        attempts += 1
    }
    completion(false)
}

func labeledContinue(_ rows: [[Int]], completion: () -> Void) {
    outer: for row in rows {
        for cell in row {
            if cell == 0 { continue outer }
            if cell == 1 { break outer }
        }
    }
    completion()
}

func labeledBreakAfterCall(_ rows: [[Int]], completion: (Int?) -> Void) {
    outer: for row in rows {
        for cell in row where cell == 1 {
            completion(cell)
            return
        }
    }
    completion(nil)
}

func whileLet(completion: () -> Void) {
    while let next = pop() {
        print(next)
    }
    completion()
}

func callsEachHandler(_ handlers: [() -> Void], completion: () -> Void) {
    for completion in handlers { completion() }
    completion()
}

func forEachCalls(_ items: [Int], completion: (Int) -> Void) {
    items.forEach { item in
        completion(item)  // EXPECT deliver-in-loop note
    }
}

func labeledBlock(_ flag: Bool, completion: () -> Void) {
    work: do {
        if flag { break work }
        print("work")
    }
    completion()
}

func counting(_ items: [Int], completion: () -> Void) {
    var done = 0
    for item in items {  // EXPECT missing-delivery note
        load(item) { _ in
            done += 1
            if done == items.count { completion() }
        }
    }
}

func dispatchGroup(_ items: [Int], completion: @escaping () -> Void) {
    let group = DispatchGroup()
    for item in items {
        group.enter()
        load(item) { _ in group.leave() }
    }
    group.notify(queue: .main) { completion() }
}

func asyncSequence(_ stream: Stream, completion: @escaping () -> Void) {
    Task {
        for await value in stream { print(value) }
        completion()
    }
}
