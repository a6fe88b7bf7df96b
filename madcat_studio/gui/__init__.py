"""The window: mirrors of a workspace. The only room that knows Qt."""
