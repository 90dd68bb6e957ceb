-- In which folder the prompt files of this store lie, so that every process that opens it keeps them up to date. Bound to
-- the path of the store: a copy of the file does not write into the folder of the original.
CREATE TABLE prompt_folders (
    store_path TEXT PRIMARY KEY,
    folder TEXT NOT NULL CHECK (folder <> '')
) WITHOUT ROWID;

INSERT INTO migrations (number, name) VALUES (9, 'prompt_folders');
PRAGMA user_version = 9;
