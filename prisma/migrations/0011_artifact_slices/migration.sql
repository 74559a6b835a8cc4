-- Stored without compression, so that a slice of a file is read without the rest of it. Most large files
-- are compressed already. Rows from before keep their form until they are written again.

ALTER TABLE "artifact" ALTER COLUMN "content" SET STORAGE EXTERNAL;
