"""Translations set into their pages: Qt's text layout, and a view of the page and its original."""
