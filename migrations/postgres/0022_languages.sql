-- The language that a person reads the screens in, such as sv; none while they never chose one.
ALTER TABLE users ADD COLUMN language TEXT;
