-- A stored response that is about a chat is deleted with the chat.

ALTER TABLE "idempotency_key" ADD COLUMN "chat_id" UUID;

-- The route names the chat, and the location header names one that was created.
UPDATE "idempotency_key" SET "chat_id" = substring(coalesce("headers" ->> 'location', "route")
    FROM '/chats/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})')::uuid;
DELETE FROM "idempotency_key" WHERE "chat_id" IS NOT NULL
    AND NOT EXISTS (SELECT FROM "chat" WHERE "chat"."id" = "idempotency_key"."chat_id");

CREATE INDEX "idempotency_key_chat_id_idx" ON "idempotency_key"("chat_id");
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_chat_id_fkey"
    FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;
