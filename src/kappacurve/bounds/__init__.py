"""What a published number can be: bounds and consistency."""
