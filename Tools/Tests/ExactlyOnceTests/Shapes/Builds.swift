// What is built for one system is not built for another one, and what one version has another one lacks.

func twoBuilds(completion: () -> Void) {
    #if DEBUG
    completion()
    #endif
    #if !DEBUG
    completion()
    #endif
}

func twoSystems(completion: () -> Void) {
    #if os(iOS)
    completion()
    #elseif os(macOS)
    work()
    #endif
    #if os(macOS)
    completion()
    #endif
}

func sameBuildTwice(completion: () -> Void) {
    #if DEBUG
    completion()
    #endif
    #if DEBUG
    completion()  // EXPECT double-delivery error
    #endif
}

func inBothClauses(completion: () -> Void) {
    #if canImport(UIKit)
    completion()
    #else
    completion()
    #endif
    completion()  // EXPECT double-delivery error
}

func withoutElse(_ flag: Bool, completion: () -> Void) {
    #if os(Linux)
    completion()
    #endif
}

func withALog(_ flag: Bool, completion: () -> Void) {
    #if DEBUG
    print(flag)
    #endif
    guard flag else { return }  // EXPECT missing-delivery warning
    completion()
}

func aLogAlone(_ flag: Bool, completion: () -> Void) {  // EXPECT never-delivered warning
    #if DEBUG
    print(flag)
    #endif
    work()
}

func leavesInOneBuild(completion: () -> Void) {
    #if DEBUG
    return  // EXPECT missing-delivery warning
    #endif
    completion()
}

func twoConditions(completion: () -> Void) {
    #if DEBUG && os(iOS)
    completion()
    #endif
    #if !(DEBUG && os(iOS))
    completion()
    #endif
}

func twoVersions(completion: () -> Void) {
    if #available(iOS 17, *) {
        completion()
    }
    if #unavailable(iOS 17) {
        completion()
    }
}

func guardedVersion(completion: () -> Void) {
    guard #available(iOS 17, *) else {
        return  // EXPECT missing-delivery warning
    }
    completion()
}
