"""What every layer needs: errors, registries, parameters, results."""
