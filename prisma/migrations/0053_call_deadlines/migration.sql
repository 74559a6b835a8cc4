-- Each call that waits for a client has its own deadline. That of its chat is the earliest of them.
ALTER TABLE "part" ADD COLUMN     "deadline_at" TIMESTAMPTZ(3);

UPDATE "part" SET "deadline_at" = "chat"."action_deadline_at"
FROM "message" JOIN "chat" ON "chat"."id" = "message"."chat_id"
WHERE "part"."message_id" = "message"."id" AND "part"."state" IN ('awaiting_result', 'awaiting_approval')
  AND NOT "message"."deleted" AND "chat"."status" = 'requires_action';
