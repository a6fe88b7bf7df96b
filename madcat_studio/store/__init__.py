"""Campaigns in SQLite or PostgreSQL. The only room that knows SQLAlchemy."""
