-- A stop pauses the queue: its messages are not sent until a person sends one.
ALTER TABLE "chat" ADD COLUMN "queue_paused" BOOLEAN NOT NULL DEFAULT false;

-- Only a queue with messages is paused, and only while its chat stops or rests.
ALTER TABLE "chat" ADD CONSTRAINT "chat_queue_paused_check" CHECK (
    NOT "queue_paused" OR ("queued_count" > 0 AND "status" IN ('waiting', 'interrupting'))
);
