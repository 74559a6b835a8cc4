-- AlterTable
ALTER TABLE "chat" ADD COLUMN "tool_names" JSONB;

-- AlterTable
ALTER TABLE "part" ADD COLUMN "approval_scope" JSON;

-- CreateTable
CREATE TABLE "approval_rule" (
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "tool_name" TEXT NOT NULL,
    "scope" JSON,
    "scope_hash" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "approval_rule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "approval_rule_chat_id_tool_name_scope_hash_key" ON "approval_rule"("chat_id", "tool_name", "scope_hash");

-- AddForeignKey
ALTER TABLE "approval_rule" ADD CONSTRAINT "approval_rule_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;
