"""What an experiment is to do, and which fits that means."""
