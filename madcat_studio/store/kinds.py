"""Kinds of columns that a server keeps otherwise than a file does."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

__all__ = ["Values"]


class Values(TypeDecorator[Any]):
    """JSON; on a server as values, not as they were spelt: no name twice, and looked into at once.

    PostgreSQL's own kind is loaded where there is a server: it brings all its drivers along.
    """

    impl = sa.JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """JSONB on a server."""
        if dialect.name != "postgresql":
            return super().load_dialect_impl(dialect)
        from sqlalchemy.dialects.postgresql import JSONB

        json = self.impl_instance
        assert isinstance(json, sa.JSON)
        return dialect.type_descriptor(JSONB(none_as_null=json.none_as_null))
