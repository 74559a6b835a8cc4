-- Beyond the schema language, and Prisma does not compare it.

-- Prisma binds the status as a value, so that an index for one status is not known to serve it. Only
-- chats in that status have a deadline, and a comparison with one implies that there is one.
DROP INDEX "chat_action_deadline_idx";
CREATE INDEX "chat_action_deadline_idx" ON "chat"("action_deadline_at")
    WHERE "action_deadline_at" IS NOT NULL;
