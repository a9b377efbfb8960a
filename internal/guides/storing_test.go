package guides_test

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
)

// freeUntil reads a stored container back and returns its earliest last free day.
func freeUntil(container *terminal49.Container) (terminal49.Date, error) {
	text, err := json.Marshal(container) // {"type":"container","id":"…","attributes":{"number":"CAIU1234567",…},…}
	if err != nil {
		return terminal49.Date{}, err
	}
	var stored terminal49.Container
	if err := json.Unmarshal(text, &stored); err != nil {
		return terminal49.Date{}, err
	}
	earliest, _ := terminal49.LastFreeDays(&stored).Earliest()
	day, _ := earliest.At.Date()
	return day, nil
}

// containerRow was tried with gorm, which this module does not require.
type containerRow struct {
	ID          string `gorm:"primaryKey"`
	AsOf        time.Time
	Available   terminal49.Opt[bool]  `gorm:"type:boolean"`
	LastFreeDay terminal49.Date       `gorm:"type:date"`
	Discharged  terminal49.Time       `gorm:"type:text"`
	Document    *terminal49.Container `gorm:"type:json;serializer:json"`
}

var _ = containerRow{}

func Example_storing() {
	day, err := freeUntil(reported(`"import_deadlines": {"pickup_lfd_terminal": "2024-07-06T07:00:00Z"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(day)
	// Output: 2024-07-06
}
