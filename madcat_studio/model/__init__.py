"""Plain values: pages and campaigns. No XML, no database, no Qt."""
