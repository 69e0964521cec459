"""Words for phones: Markdown as WhatsApp markup or plain text, split and measured."""
