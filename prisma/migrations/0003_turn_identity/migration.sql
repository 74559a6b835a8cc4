-- A turn gets an id of its own, on the chat, its messages and its usage records.

ALTER TABLE "chat" ADD COLUMN "turn_id" UUID;
ALTER TABLE "message" ADD COLUMN "turn_id" UUID;
ALTER TABLE "usage_record" ADD COLUMN "turn_id" UUID;

-- So far every turn began with a user message: the turn takes the id of that message. A message before
-- the first user message can only be one of a chat that was changed by hand, and takes the chat's id.
UPDATE "message" SET "turn_id" = coalesce(
    (SELECT "start"."id" FROM "message" AS "start"
        WHERE "start"."chat_id" = "message"."chat_id" AND "start"."role" = 'user' AND "start"."seq" <= "message"."seq"
        ORDER BY "start"."seq" DESC LIMIT 1),
    "message"."chat_id");
UPDATE "chat" SET "turn_id" = coalesce(
    (SELECT "message"."turn_id" FROM "message"
        WHERE "message"."chat_id" = "chat"."id" AND NOT "message"."deleted"
        ORDER BY "message"."seq" DESC LIMIT 1),
    "chat"."id");
UPDATE "usage_record" SET "turn_id" = coalesce(
    (SELECT "message"."turn_id" FROM "message" WHERE "message"."id" = "usage_record"."message_id"),
    (SELECT "chat"."turn_id" FROM "chat" WHERE "chat"."id" = "usage_record"."chat_id"));

ALTER TABLE "chat" ALTER COLUMN "turn_id" SET NOT NULL;
ALTER TABLE "message" ALTER COLUMN "turn_id" SET NOT NULL;
ALTER TABLE "usage_record" ALTER COLUMN "turn_id" SET NOT NULL;
