CREATE TABLE archive_format (version BIGINT NOT NULL)

CREATE TABLE results (
    parent TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
    annotations TEXT NOT NULL, created_time INTEGER NOT NULL, updated_time INTEGER NOT NULL,
    recordsummary_record TEXT, recordsummary_type TEXT,
    recordsummary_start_time INTEGER, recordsummary_end_time INTEGER,
    recordsummary_status INTEGER, recordsummary_annotations TEXT, etag TEXT NOT NULL,
    PRIMARY KEY (parent, id), UNIQUE (parent, name))

CREATE TABLE records (
    parent TEXT NOT NULL, result_id TEXT NOT NULL, result_name TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
    type TEXT NOT NULL, data TEXT NOT NULL, digest TEXT NOT NULL,
    created_time INTEGER NOT NULL, updated_time INTEGER NOT NULL, etag TEXT NOT NULL,
    PRIMARY KEY (parent, result_id, id), UNIQUE (parent, result_name, name),
    FOREIGN KEY (parent, result_id) REFERENCES results (parent, id) ON DELETE CASCADE)

CREATE TABLE record_labels (
    name TEXT NOT NULL, value TEXT NOT NULL, parent TEXT NOT NULL, result_id TEXT NOT NULL, record_id TEXT NOT NULL,
    PRIMARY KEY (name, value, record_id),
    FOREIGN KEY (parent, result_id, record_id) REFERENCES records (parent, result_id, id) ON DELETE CASCADE)

CREATE TABLE logs (
    parent TEXT NOT NULL, result_id TEXT NOT NULL, record_id TEXT NOT NULL, position INTEGER NOT NULL,
    task TEXT NOT NULL, step TEXT NOT NULL, content_id TEXT NOT NULL, size INTEGER NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (parent, result_id, record_id, position),
    FOREIGN KEY (parent, result_id, record_id) REFERENCES records (parent, result_id, id) ON DELETE CASCADE)

CREATE TABLE log_chunks (
    content_id TEXT NOT NULL, position INTEGER NOT NULL, staged_time INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (content_id, position))

CREATE INDEX results_by_time ON results (parent, created_time, id)

CREATE INDEX records_by_time ON records (parent, created_time, id)

CREATE INDEX records_by_type ON records (type, created_time, id)

CREATE INDEX records_by_name ON records (name)

CREATE INDEX record_labels_of ON record_labels (parent, result_id, record_id)

CREATE INDEX logs_by_content ON logs (content_id)

INSERT INTO archive_format VALUES (1)
