CREATE INDEX records_by_kind ON records (parent, type, created_time, id)

INSERT INTO archive_format VALUES (2)
