-- Up to which version a user has seen a chat. A table of its own, so that it is written only when a person reads.

-- CreateTable
CREATE TABLE "read_mark" (
    "chat_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "read_mark_pkey" PRIMARY KEY ("chat_id","user_id")
);

-- AddForeignKey
ALTER TABLE "read_mark" ADD CONSTRAINT "read_mark_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "read_mark" ADD CONSTRAINT "read_mark_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What exists counts as read: browsers kept this until now, each its own.
INSERT INTO "read_mark" ("chat_id", "user_id", "version") SELECT "id", "owner_id", "version" FROM "chat";
