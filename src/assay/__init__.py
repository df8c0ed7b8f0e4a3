"""Assay: a Git-native ledger of evaluation evidence.

The public Python surface is `assay.api`; everything else may change between releases.
"""

__version__ = "0.1.0"
