-- Colours as #rrggbb; none where nobody has chosen one.
ALTER TABLE corporations ADD COLUMN theme TEXT;
ALTER TABLE users ADD COLUMN theme TEXT;
