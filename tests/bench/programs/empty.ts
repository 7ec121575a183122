// A program that does nothing and ends by itself: what every start costs.
