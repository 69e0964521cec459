"""The dashboard's wire: messages and answers in, AG-UI events out."""
