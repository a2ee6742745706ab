CREATE OR REPLACE FUNCTION archive_instant(value text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN (EXTRACT(EPOCH FROM CAST(value AS timestamptz)) * 1000000)::bigint;
EXCEPTION WHEN data_exception THEN
    RETURN NULL;
END $$

CREATE OR REPLACE FUNCTION archive_number(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'number' THEN CAST(value #>> '{}' AS numeric) END $$

CREATE OR REPLACE FUNCTION archive_truth(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'boolean' THEN CAST(value #>> '{}' AS boolean) END $$

CREATE TABLE archive_format (version BIGINT NOT NULL)

CREATE TABLE results (
    parent TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL,
    annotations JSONB NOT NULL, created_time BIGINT NOT NULL, updated_time BIGINT NOT NULL,
    recordsummary_record TEXT COLLATE "C", recordsummary_type TEXT COLLATE "C",
    recordsummary_start_time BIGINT, recordsummary_end_time BIGINT,
    recordsummary_status BIGINT, recordsummary_annotations JSONB, etag TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (parent, id), UNIQUE (parent, name))

CREATE TABLE records (
    parent TEXT COLLATE "C" NOT NULL, result_id TEXT COLLATE "C" NOT NULL, result_name TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL, data JSONB NOT NULL, digest TEXT COLLATE "C" NOT NULL,
    created_time BIGINT NOT NULL, updated_time BIGINT NOT NULL, etag TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (parent, result_id, id), UNIQUE (parent, result_name, name),
    FOREIGN KEY (parent, result_id) REFERENCES results (parent, id) ON DELETE CASCADE)

CREATE TABLE record_labels (
    name TEXT COLLATE "C" NOT NULL, value TEXT COLLATE "C" NOT NULL, parent TEXT COLLATE "C" NOT NULL, result_id TEXT COLLATE "C" NOT NULL, record_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, record_id),
    FOREIGN KEY (parent, result_id, record_id) REFERENCES records (parent, result_id, id) ON DELETE CASCADE)

CREATE TABLE logs (
    parent TEXT COLLATE "C" NOT NULL, result_id TEXT COLLATE "C" NOT NULL, record_id TEXT COLLATE "C" NOT NULL, position BIGINT NOT NULL,
    task TEXT COLLATE "C" NOT NULL, step TEXT COLLATE "C" NOT NULL, content_id TEXT COLLATE "C" NOT NULL, size BIGINT NOT NULL, state TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (parent, result_id, record_id, position),
    FOREIGN KEY (parent, result_id, record_id) REFERENCES records (parent, result_id, id) ON DELETE CASCADE)

CREATE TABLE log_chunks (
    content_id TEXT COLLATE "C" NOT NULL, position BIGINT NOT NULL, staged_time BIGINT NOT NULL, content BYTEA NOT NULL,
    PRIMARY KEY (content_id, position))

CREATE INDEX results_by_time ON results (parent, created_time, id)

CREATE INDEX records_by_time ON records (parent, created_time, id)

CREATE INDEX records_by_type ON records (type, created_time, id)

CREATE INDEX records_by_name ON records (name)

CREATE INDEX record_labels_of ON record_labels (parent, result_id, record_id)

CREATE INDEX logs_by_content ON logs (content_id)

INSERT INTO archive_format VALUES (1)
