"""Page images outside the window: reading, frames, orientation, crops. No Qt."""
