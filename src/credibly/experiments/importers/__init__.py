"""Results that other programs made."""
