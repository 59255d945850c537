-- What SQLite learns of its tables, whenever a process closes the database, goes into tables of its own. Made when first
-- needed, they would change the schema beneath those who are at work, and a write of theirs could then miss its table.
ANALYZE sqlite_schema;
