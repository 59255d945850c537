//! Doors to the rules.
