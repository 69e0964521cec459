"""The words the planner knows: for each language, dates, hours, and sentences by what they wish."""
