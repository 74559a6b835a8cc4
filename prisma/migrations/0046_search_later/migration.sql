-- The search gets the texts of many messages that are written at once later, in small steps.
ALTER TABLE "part" ADD COLUMN     "is_indexed" BOOLEAN NOT NULL DEFAULT true;

-- What follows is beyond the schema language, and Prisma does not compare it. Migration 0010 explains the index.
DROP INDEX "part_search_idx";
CREATE INDEX "part_search_idx" ON "part" USING gin (("position" / 1024), "text" gin_trgm_ops)
    WITH (fastupdate = on, gin_pending_list_limit = 256) WHERE "type" = 'text' AND "is_indexed";
CREATE INDEX "part_unindexed_idx" ON "part"("position") WHERE NOT "is_indexed";
