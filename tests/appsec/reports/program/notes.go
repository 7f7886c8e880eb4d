// Command notes keeps the notebook's copies.
package main

import (
	"crypto/md5"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	fmt.Printf("%x\n", md5.Sum(text))
	exec.Command("sh", "-c", "cp "+os.Args[1]+" copies").Run()
}
