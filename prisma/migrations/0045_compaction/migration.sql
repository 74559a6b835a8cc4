-- A boundary in the history, from which the model reads, and what its summary has cost.
ALTER TYPE "part_type" ADD VALUE 'summary';
ALTER TYPE "usage_kind" ADD VALUE 'compaction';

-- AlterTable
ALTER TABLE "chat" ADD COLUMN     "compaction" JSONB;

-- AlterTable
ALTER TABLE "model" ADD COLUMN     "compact_at" INTEGER;
