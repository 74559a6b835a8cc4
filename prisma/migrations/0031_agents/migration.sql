-- Chats that another chat has started, and what it waits for.
ALTER TYPE "chat_status" ADD VALUE 'awaiting_agents';
ALTER TYPE "tool_call_state" ADD VALUE 'awaiting_agents';
ALTER TYPE "usage_kind" ADD VALUE 'child';

ALTER TABLE "chat"
    ADD COLUMN "agent_type" TEXT,
    ADD COLUMN "agent_queued" BOOLEAN NOT NULL DEFAULT false,
    ADD CONSTRAINT "chat_agent_queued_check" CHECK (NOT "agent_queued" OR "status" = 'pending');

ALTER TABLE "task"
    ALTER COLUMN "owner" DROP NOT NULL,
    ADD COLUMN "turn_id" UUID,
    ADD COLUMN "agent_chat_id" UUID,
    ADD CONSTRAINT "task_agent_check" CHECK (("kind" = 'agent') = ("agent_chat_id" IS NOT NULL) AND ("kind" = 'agent') = ("owner" IS NULL));
ALTER TABLE "task" ADD CONSTRAINT "task_agent_chat_id_fkey"
    FOREIGN KEY ("agent_chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "task_agent_chat_id_idx" ON "task"("agent_chat_id") WHERE "agent_chat_id" IS NOT NULL;
