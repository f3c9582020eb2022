"""What a notebook shows: answers as rich text, and magics that ask for them."""
