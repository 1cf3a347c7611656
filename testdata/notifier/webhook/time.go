package webhook

import "time"

// rabbitTime is when the first call was made. Tests are always sent then.
var rabbitTime = time.Date(2021, time.August, 4, 0, 0, 0, 0, time.UTC)
