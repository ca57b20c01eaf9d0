"""Pictures and films drawn without a browser."""
