"""What the results of an experiment say."""
