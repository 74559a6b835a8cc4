-- What happened to the chats of owners who read it, for a week. Readers go by the transaction and then by the id: ids of
-- transactions that run at the same time are not in the order of their commits.
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" TEXT NOT NULL,
    "chat_id" UUID NOT NULL,
    "root_chat_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "message_id" UUID,
    "tool_call_id" TEXT,
    "tool_name" TEXT,
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "event_owner_id_xid_id_idx" ON "event"("owner_id", "xid", "id");
CREATE INDEX "event_chat_id_idx" ON "event"("chat_id");
CREATE INDEX "event_created_at_idx" ON "event"("created_at");

ALTER TABLE "event" ADD CONSTRAINT "event_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The owners whose events are written: those who have read them within a week.
CREATE TABLE "event_reader" (
    "owner_id" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "since_xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "event_reader_pkey" PRIMARY KEY ("owner_id")
);

ALTER TABLE "event_reader" ADD CONSTRAINT "event_reader_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
