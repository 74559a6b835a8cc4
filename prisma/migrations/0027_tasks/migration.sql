-- Work that outlives its call, and the reports that it ends with.
CREATE TYPE "task_kind" AS ENUM ('agent', 'command', 'tool');
CREATE TYPE "task_state" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled', 'unknown');
ALTER TYPE "message_role" ADD VALUE 'event';
ALTER TYPE "part_type" ADD VALUE 'report';

CREATE TABLE "task" (
    "id" UUID NOT NULL,
    "root_chat_id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "kind" "task_kind" NOT NULL,
    "label" TEXT NOT NULL,
    "state" "task_state" NOT NULL,
    "revision" INTEGER NOT NULL,
    "owner" TEXT NOT NULL,
    "report" JSON,
    "end_position" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "task_report_check" CHECK (
        ("state" IN ('queued', 'running')) = ("report" IS NULL)
        AND ("report" IS NULL) = ("ended_at" IS NULL)
        AND ("report" IS NOT NULL OR "delivered_at" IS NULL)
    )
);
ALTER TABLE "task" ADD CONSTRAINT "task_chat_id_fkey"
    FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "task_chat_id_created_at_idx" ON "task"("chat_id", "created_at");
-- Few tasks run at a time.
CREATE INDEX "task_running_idx" ON "task"("owner") WHERE "state" IN ('queued', 'running');

ALTER TABLE "chat"
    ADD COLUMN "task_version" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "report_count" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "wakes_left" INTEGER NOT NULL DEFAULT 10,
    ADD COLUMN "wake_on_reports" BOOLEAN NOT NULL DEFAULT true,
    ADD CONSTRAINT "chat_reports_check" CHECK ("report_count" >= 0 AND "wakes_left" >= 0);
-- Few chats rest with reports that they have not taken.
CREATE INDEX "chat_reports_idx" ON "chat"("id") WHERE "report_count" > 0 AND "status" = 'waiting';
