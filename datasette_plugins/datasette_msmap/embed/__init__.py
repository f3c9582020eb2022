"""What other sites show of a record: a card, a badge, oEmbed."""
