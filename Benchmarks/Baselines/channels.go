// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Passes elements between two goroutines, and prints nanoseconds for each: without a buffer, with 1, with 64, on one
// processor and on all; then a select over 2, 8 and 64 channels: another goroutine sends, or the element is there.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"time"
)

func pass(capacity, count int) float64 {
	best := 0.0
	for round := 0; round < 7; round++ {
		channel := make(chan int, capacity)
		done := make(chan int)
		start := time.Now()
		go func() {
			for i := 0; i < count; i++ {
				channel <- i
			}
			close(channel)
		}()
		go func() {
			sum := 0
			for i := range channel {
				sum += i
			}
			done <- sum
		}()
		<-done
		taken := float64(time.Since(start).Nanoseconds()) / float64(count)
		if round == 0 || taken < best {
			best = taken
		}
	}
	return best
}

// One goroutine sends to the channels in turn, another one selects.
func choose(channels, count int) float64 {
	best := 0.0
	for round := 0; round < 7; round++ {
		all := make([]chan int, channels)
		cases := make([]reflect.SelectCase, channels)
		for i := range all {
			all[i] = make(chan int)
			cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(all[i])}
		}
		start := time.Now()
		go func() {
			for i := 0; i < count; i++ {
				all[i%channels] <- i
			}
		}()
		sum := 0
		for i := 0; i < count; i++ {
			_, value, _ := reflect.Select(cases)
			sum += int(value.Int())
		}
		taken := float64(time.Since(start).Nanoseconds()) / float64(count)
		if round == 0 || taken < best {
			best = taken
		}
	}
	return best
}

// The element is in one of the channels.
func ready(channels, count int) float64 {
	best := 0.0
	for round := 0; round < 7; round++ {
		all := make([]chan int, channels)
		cases := make([]reflect.SelectCase, channels)
		for i := range all {
			all[i] = make(chan int, 1)
			cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(all[i])}
		}
		start := time.Now()
		sum := 0
		for i := 0; i < count; i++ {
			all[i%channels] <- i
			_, value, _ := reflect.Select(cases)
			sum += int(value.Int())
		}
		taken := float64(time.Since(start).Nanoseconds()) / float64(count)
		if round == 0 || taken < best {
			best = taken
		}
	}
	return best
}

func main() {
	for _, processors := range []int{1, runtime.NumCPU()} {
		runtime.GOMAXPROCS(processors)
		for _, capacity := range []int{0, 1, 64} {
			fmt.Printf("goroutines, %d processors, capacity %d|%.1f\n", processors, capacity, pass(capacity, 1000000))
		}
	}
	runtime.GOMAXPROCS(1)
	for _, channels := range []int{2, 8, 64} {
		fmt.Printf("reflect.Select over %d channels, another goroutine sends|%.1f\n", channels, choose(channels, 50000))
		fmt.Printf("reflect.Select over %d channels, an element is there|%.1f\n", channels, ready(channels, 50000))
	}
}
