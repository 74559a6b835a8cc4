-- What a chat, and a message for its turn, set of the calls of the model.
ALTER TABLE "chat" ADD COLUMN     "parameters" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "message" ADD COLUMN     "parameters" JSONB;

ALTER TABLE "queued_message" ADD COLUMN     "parameters" JSONB;
