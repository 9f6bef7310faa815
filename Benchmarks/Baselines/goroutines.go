// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Suspends goroutines, and prints what MemoryBenchmarks.swift prints of coroutines: resident bytes, bytes of page
// tables, and nanoseconds to start and to end one.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

func kibibytes(file, key string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, key) {
			value, _ := strconv.Atoi(strings.Fields(line)[1])
			return value
		}
	}
	panic(key + " is missing")
}

func memory() (int, int) {
	return kibibytes("/proc/self/smaps_rollup", "Rss:"), kibibytes("/proc/self/status", "VmPTE:")
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	runtime.GC()
	residentBefore, tablesBefore := memory()
	var ready, done sync.WaitGroup
	ready.Add(count)
	done.Add(count)
	gate := make(chan struct{})
	start := time.Now()
	for i := 0; i < count; i++ {
		go func() {
			ready.Done()
			<-gate
			done.Done()
		}()
	}
	ready.Wait()
	started := time.Since(start)
	resident, tables := memory()
	start = time.Now()
	close(gate)
	done.Wait()
	ended := time.Since(start)
	fmt.Println(
		(resident-residentBefore)*1024/count, (tables-tablesBefore)*1024/count,
		started.Nanoseconds()/int64(count), ended.Nanoseconds()/int64(count),
	)
}
