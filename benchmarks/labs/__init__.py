"""What labs answer again and again."""
