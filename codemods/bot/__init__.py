"""Findings in the lines that a pull request changes, as suggestions that apply with one click.

Nothing here prints, and nothing runs or imports the code of the pull request: it is read from git as text.
"""
