-- Beyond the schema language, and Prisma does not compare it. What processes look for every few seconds: each index has
-- only the rows that are looked for, so that it does not matter how many others there are.

-- Chats with reports that do not wake them were in it too.
DROP INDEX "chat_reports_idx";
CREATE INDEX "chat_reports_idx" ON "chat"("id")
    WHERE "status" = 'waiting' AND "report_count" > 0 AND "archived_at" IS NULL
        AND NOT "queue_paused" AND "wake_on_reports" AND "wakes_left" > 0;

-- Each chat is kept for a time of its own, so that its last change does not say when it ends.
DROP INDEX "chat_temporary_idx";
CREATE INDEX "chat_temporary_idx" ON "chat"(("updated_at" - TIMESTAMPTZ 'epoch' + "kept_hours" * INTERVAL '1 hour'))
    WHERE "kept_hours" IS NOT NULL;

CREATE INDEX "part_server_question_idx" ON "part"("message_id")
    WHERE "kind" = 'mcp' AND "state" = 'awaiting_result';

CREATE INDEX "task_open_agent_idx" ON "task"("state", "chat_id")
    WHERE "kind" = 'agent' AND "state" IN ('queued', 'running');
