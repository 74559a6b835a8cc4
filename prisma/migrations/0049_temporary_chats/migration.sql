-- A temporary chat is deleted so many hours after its last change.
ALTER TABLE "chat" ADD COLUMN     "kept_hours" INTEGER;

-- What follows is beyond the schema language, and Prisma does not compare it. Few chats are temporary.
CREATE INDEX "chat_temporary_idx" ON "chat"("updated_at") WHERE "kept_hours" IS NOT NULL;
