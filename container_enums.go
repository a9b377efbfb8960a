package terminal49

// ContainerStatus summarises where a container is. It is no linear sequence, and may lag behind the events.
type ContainerStatus string

const (
	StatusNew                    ContainerStatus = "new"                      // tracked, no milestone yet
	StatusOnShip                 ContainerStatus = "on_ship"                  // loaded, sailing or transshipping
	StatusGrounded               ContainerStatus = "grounded"                 // discharged or unloaded, availability not known
	StatusAvailable              ContainerStatus = "available"                // released for pickup
	StatusNotAvailable           ContainerStatus = "not_available"            // landed, held or not released
	StatusAwaitingInlandTransfer ContainerStatus = "awaiting_inland_transfer" // at the port, rail leg to come
	StatusOnRail                 ContainerStatus = "on_rail"
	StatusOffDock                ContainerStatus = "off_dock" // moved to a yard outside the terminal
	StatusPickedUp               ContainerStatus = "picked_up"
	StatusDelivered              ContainerStatus = "delivered" // marked by hand only
	StatusEmptyReturned          ContainerStatus = "empty_returned"
	StatusDropped                ContainerStatus = "dropped" // listed by the service without a meaning
	StatusLoaded                 ContainerStatus = "loaded"  // listed by the service without a meaning
)

var containerStatuses = []ContainerStatus{
	StatusNew, StatusOnShip, StatusGrounded, StatusAvailable, StatusNotAvailable, StatusAwaitingInlandTransfer,
	StatusOnRail, StatusOffDock, StatusPickedUp, StatusDelivered, StatusEmptyReturned, StatusDropped, StatusLoaded,
}

// Known reports whether s is one of the constants of this version. Unknown values are kept as they came.
func (s ContainerStatus) Known() bool { return known(s, containerStatuses) }

// EquipmentType is the kind of container. Two of the values hold a space.
type EquipmentType string

const (
	EquipmentDry      EquipmentType = "dry"
	EquipmentReefer   EquipmentType = "reefer"
	EquipmentOpenTop  EquipmentType = "open top"
	EquipmentFlatRack EquipmentType = "flat rack"
	EquipmentBulk     EquipmentType = "bulk"
	EquipmentTank     EquipmentType = "tank"
	EquipmentHardTop  EquipmentType = "hard top" // in the service's coverage pages only
)

var equipmentTypes = []EquipmentType{
	EquipmentDry, EquipmentReefer, EquipmentOpenTop, EquipmentFlatRack, EquipmentBulk, EquipmentTank,
	EquipmentHardTop,
}

// Known reports whether t is one of the constants of this version. Unknown values are kept as they came.
func (t EquipmentType) Known() bool { return known(t, equipmentTypes) }

// EquipmentHeight is the height class of a container.
type EquipmentHeight string

const (
	HeightStandard EquipmentHeight = "standard"
	HeightHighCube EquipmentHeight = "high_cube"
)

var equipmentHeights = []EquipmentHeight{HeightStandard, HeightHighCube}

// Known reports whether h is one of the constants of this version. Unknown values are kept as they came.
func (h EquipmentHeight) Known() bool { return known(h, equipmentHeights) }
