-- A chat's row changes some five times in a turn, and each change makes an entry in every index that
-- has the row: indexes that serve few rows now have those few, and the owner's is narrower.

DROP INDEX "chat_owner_id_updated_at_id_idx";
CREATE INDEX "chat_owner_id_updated_at_idx" ON "chat"("owner_id", "updated_at" DESC);

-- What follows is beyond the schema language, and Prisma does not compare it.

-- Only a child has a parent, and only for a child is its root another chat.
DROP INDEX "chat_parent_chat_id_idx";
CREATE INDEX "chat_parent_idx" ON "chat"("parent_chat_id") WHERE "parent_chat_id" IS NOT NULL;
DROP INDEX "chat_root_chat_id_idx";
CREATE INDEX "chat_root_idx" ON "chat"("root_chat_id") WHERE "parent_chat_id" IS NOT NULL;

-- Most parts are no tool calls.
DROP INDEX "part_message_id_tool_call_id_key";
CREATE UNIQUE INDEX "part_tool_call_key" ON "part"("message_id", "tool_call_id")
    WHERE "tool_call_id" IS NOT NULL;

-- The planner evaluates what is immutable while it plans, and a function of SQL at a high price.
ALTER FUNCTION "add_usage"(JSONB, TEXT, BIGINT, BIGINT, BIGINT) STABLE;
