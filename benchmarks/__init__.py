"""Speed as ratios to peers, measured in one process and one run. `python -m benchmarks` prints all."""
