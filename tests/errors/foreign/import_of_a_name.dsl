import sorts
