"""What tests share: stories about real repositories."""
