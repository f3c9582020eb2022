"""An installed framework read into names and signatures; runs beside the frameworks."""
