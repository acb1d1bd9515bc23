-- | Imports a file above it.

import "../numbers"

def factor: number = twice three
