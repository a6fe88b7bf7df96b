"""What Alembic runs: the steps, within the transaction that the caller has begun."""

from __future__ import annotations

from alembic import context

from madcat_studio.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes tables by copying them; and it keeps a table after a rolled-back step
    # unless the statements stand inside the transaction.
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
