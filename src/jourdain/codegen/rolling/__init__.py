"""Large expression graphs as loops over what repeats in them."""
