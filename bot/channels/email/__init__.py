"""E-mail to members, by the SMTP server that the operator names."""
