"""The Twilio adapter: verify and parse what comes in, send what goes out by WhatsApp and SMS."""
