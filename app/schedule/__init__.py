"""The schedule: class types, dated classes, local times and coaches."""
