"""Who else sees a tensor that is changed in place."""
