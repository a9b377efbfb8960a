package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// materials returns the bill of materials of a program in CycloneDX 1.6: the modules that are
// linked, as the program itself lists them, with their licences.
func (r *release) materials(p *program) ([]byte, error) {
	standard := &debug.Module{Path: "std", Version: strings.TrimPrefix(p.info.GoVersion, "go")}
	components := []cyclonedx.Component{component(standard, p.licences)}
	for _, dep := range p.info.Deps {
		components = append(components, component(dep, p.licences))
	}
	subject := component(&p.info.Main, r.root)
	subject.Type, subject.Name = cyclonedx.ComponentTypeApplication, p.name
	subject.BOMRef += "#" + p.name // a package below the module
	subject.PackageURL = subject.BOMRef
	subject.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(p.data))}}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &subject, Properties: settings(p.info)}
	bom.Components = &components
	bom.Dependencies = dependencies(subject, components)
	var out bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return out.Bytes(), err
}

// component describes a module. Its licences are those of the texts in its folder.
func component(m *debug.Module, texts []file) cyclonedx.Component {
	address := "pkg:golang/" + m.Path + "@" + m.Version
	described := cyclonedx.Component{BOMRef: address, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: address}
	if m.Sum != "" {
		described.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	var own []file
	for _, text := range texts {
		folder := text.name[:strings.LastIndex(text.name, "/")+1]
		if folder == "licenses/"+m.Path+"/" || folder == "" && text.name == "LICENSE" {
			own = append(own, text)
		}
	}
	licences := cyclonedx.Licenses{}
	for _, id := range names(own) {
		licences = append(licences, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
	}
	if len(licences) > 0 {
		described.Licenses = &licences
	}
	return described
}

// settings returns how a program was built.
func settings(info *debug.BuildInfo) *[]cyclonedx.Property {
	var properties []cyclonedx.Property
	for _, setting := range info.Settings {
		properties = append(properties, cyclonedx.Property{Name: "go:build:" + cmp.Or(setting.Key, "setting"), Value: setting.Value})
	}
	return &properties
}

// dependencies says that the program links all components. The program does not list which of them
// needs which.
func dependencies(subject cyclonedx.Component, components []cyclonedx.Component) *[]cyclonedx.Dependency {
	var refs []string
	for _, one := range components {
		refs = append(refs, one.BOMRef)
	}
	return &[]cyclonedx.Dependency{{Ref: subject.BOMRef, Dependencies: &refs}}
}
