-- The id of a chat in the client that made it.
ALTER TABLE "chat" ADD COLUMN     "external_id" TEXT;

-- What follows is beyond the schema language, and Prisma does not compare it. Most chats have none.
CREATE UNIQUE INDEX "chat_external_id_key" ON "chat"("owner_id", "external_id") WHERE "external_id" IS NOT NULL;
