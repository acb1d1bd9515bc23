module apply (F: (X: {}) -> {}) = F {}

module m = apply (\(X: {}) -> {})
