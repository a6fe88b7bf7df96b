"""MADCAT Studio: a workbench for evaluating the translation of document images."""

__version__ = "0.1.0"
