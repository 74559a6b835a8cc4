-- What a message that waits chooses for its chat when it enters the history.
ALTER TABLE "queued_message" ADD COLUMN "mentions" JSONB;
