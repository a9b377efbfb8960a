//go:build ignore

// Generate writes coast.svgpath from Natural Earth's land in 1:110m, which is in the public domain,
// as npm's package world-atlas has it:
//
//	npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
//	go run generate.go package/land-110m.json
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"strings"
)

// topology is the TopoJSON form: arcs of deltas on a grid.
type topology struct {
	Objects struct {
		Land struct {
			Geometries []struct {
				Arcs [][][]int `json:"arcs"`
			} `json:"geometries"`
		} `json:"land"`
	} `json:"objects"`
	Arcs      [][][2]int `json:"arcs"`
	Transform struct {
		Scale, Translate [2]float64
	} `json:"transform"`
}

func main() {
	log.SetFlags(0)
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var t topology
	if err := json.Unmarshal(text, &t); err != nil {
		log.Fatal(err)
	}
	var path strings.Builder
	for _, geometry := range t.Objects.Land.Geometries {
		for _, polygon := range geometry.Arcs {
			for _, ring := range polygon {
				t.write(&path, ring)
			}
		}
	}
	if err := os.WriteFile("coast.svgpath", []byte(path.String()+"\n"), 0o644); err != nil {
		log.Fatal(err)
	}
}

// write writes a ring in degrees, with north up: y is the latitude with its sign reversed. A ring
// that crosses the antimeridian goes on beyond 180 degrees; one around the pole ends there.
func (t *topology) write(to *strings.Builder, ring []int) {
	var all [][2]float64
	for _, arc := range ring {
		for _, p := range t.points(arc) {
			if n := len(all); n > 0 {
				p[0] += 360 * math.Round((all[n-1][0]-p[0])/360)
			}
			all = append(all, p)
		}
	}
	first, last := all[0], all[len(all)-1]
	if math.Abs(last[0]-first[0]) > 180 {
		pole := math.Copysign(90, last[1])
		all = append(all, [2]float64{last[0], pole}, [2]float64{first[0], pole})
	}
	command := "M"
	for _, p := range all {
		fmt.Fprintf(to, "%s%.1f %.1f", command, p[0], -p[1])
		command = "L"
	}
	to.WriteString("Z")
}

// points returns the points of an arc; a negative index means reversed.
func (t *topology) points(arc int) [][2]float64 {
	index, reversed := arc, arc < 0
	if reversed {
		index = ^arc
	}
	var points [][2]float64
	x, y := 0, 0
	for _, d := range t.Arcs[index] {
		x, y = x+d[0], y+d[1]
		points = append(points, [2]float64{
			float64(x)*t.Transform.Scale[0] + t.Transform.Translate[0],
			float64(y)*t.Transform.Scale[1] + t.Transform.Translate[1],
		})
	}
	if reversed {
		for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
			points[i], points[j] = points[j], points[i]
		}
	}
	return points
}
