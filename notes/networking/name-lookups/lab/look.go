// Resolves each name of its input, one line of output for each; with an argument all at once.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	var running sync.WaitGroup
	for lines.Scan() {
		name := strings.TrimSpace(lines.Text())
		look := func() {
			from := time.Now()
			found, _ := net.LookupHost(name)
			fmt.Printf("%.3f %s\n", time.Since(from).Seconds(), strings.Join(found, " "))
			running.Done()
		}
		running.Add(1)
		if len(os.Args) > 1 {
			go look()
		} else {
			look()
		}
	}
	running.Wait()
}
