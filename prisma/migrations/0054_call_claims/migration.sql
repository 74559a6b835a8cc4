-- Which program works on a call that waits for its result, and until when. A row without a token is a call that a program has
-- given back, or has lost, and that is offered again.
CREATE TABLE "call_claim" (
    "message_id" UUID NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "chat_id" UUID NOT NULL,
    "token" UUID,
    "holder" TEXT NOT NULL,
    "credential" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_seconds" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "max_attempts" INTEGER NOT NULL,
    "progress" JSONB,

    CONSTRAINT "call_claim_pkey" PRIMARY KEY ("message_id", "tool_call_id"),
    CONSTRAINT "call_claim_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "message" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "call_claim_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "call_claim_chat_id_idx" ON "call_claim" ("chat_id");
CREATE INDEX "call_claim_held_idx" ON "call_claim" ("expires_at") WHERE "token" IS NOT NULL;

-- The claim that a result came from, by which its sender may send it again.
ALTER TABLE "part" ADD COLUMN     "resolved_claim" UUID;

-- The calls that programs ask for, the oldest first.
CREATE INDEX "part_awaiting_result_idx" ON "part" ("started_at") WHERE "state" = 'awaiting_result';
