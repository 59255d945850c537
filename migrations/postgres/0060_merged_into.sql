-- The record that has what a merge moved from this one: `moved.to` of the content.
ALTER TABLE trash ADD COLUMN merged_into UUID;
UPDATE trash SET merged_into = (content::JSONB #>> '{moved,to}')::UUID WHERE content LIKE '%"moved":%';
CREATE INDEX trash_merged ON trash (corp_id, merged_into) WHERE merged_into IS NOT NULL;
