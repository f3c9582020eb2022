"""Answers as people and programs read them: lines of text, Markdown, JUnit."""
