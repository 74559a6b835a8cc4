-- AlterTable
ALTER TABLE "approval_rule" ADD COLUMN     "owner_id" TEXT,
ADD COLUMN     "pattern" TEXT,
ALTER COLUMN "chat_id" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "approval_rule_owner_id_tool_name_scope_hash_key" ON "approval_rule"("owner_id", "tool_name", "scope_hash");

-- AddForeignKey
ALTER TABLE "approval_rule" ADD CONSTRAINT "approval_rule_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A rule is for one chat, or for all chats of a person, and then for a pattern that the person has read.
ALTER TABLE "approval_rule"
    ADD CONSTRAINT "approval_rule_owner_check" CHECK (("chat_id" IS NULL) = ("owner_id" IS NOT NULL)),
    ADD CONSTRAINT "approval_rule_pattern_check" CHECK ("owner_id" IS NULL OR "pattern" IS NOT NULL);
