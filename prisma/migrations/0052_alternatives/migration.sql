-- What an edit or a regenerated answer replaces stays as an alternative. What was replaced before stays deleted.
ALTER TABLE "message" ADD COLUMN     "branch" INTEGER,
ADD COLUMN     "split_seq" INTEGER;

-- AlterTable
ALTER TABLE "chat" ADD COLUMN     "alternative_count" INTEGER NOT NULL DEFAULT 0;

-- The messages of a page are found without those that were replaced, however many these are.
CREATE UNIQUE INDEX "message_chat_id_deleted_seq_key" ON "message"("chat_id", "deleted", "seq");
DROP INDEX "message_chat_id_seq_key";

-- What follows is beyond the schema language, and Prisma does not compare it. Few messages are replaced.
CREATE INDEX "message_branch_idx" ON "message"("chat_id", "branch") WHERE "branch" IS NOT NULL;
CREATE INDEX "message_split_seq_idx" ON "message"("chat_id", "split_seq") WHERE "split_seq" IS NOT NULL;
