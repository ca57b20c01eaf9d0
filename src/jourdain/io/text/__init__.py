"""TOML text: values with their places, layout, arithmetic."""
