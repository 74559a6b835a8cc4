-- The search looks for text by the trigrams in it, in slices of parts that were written one after the other,
-- as no statement of the search may take long.

CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- AlterTable
ALTER TABLE "part" ADD COLUMN     "position" BIGSERIAL NOT NULL;

-- What follows is beyond the schema language, and Prisma does not compare it.

-- The number of parts in a slice is also in src/server/db/sql/search-reads.ts. New entries are collected and
-- inserted together, which costs a third. Each scan reads all that are collected, so there are few.
CREATE INDEX "part_search_idx" ON "part" USING gin (("position" / 1024), "text" gin_trgm_ops)
    WITH (fastupdate = on, gin_pending_list_limit = 256) WHERE "type" = 'text';
