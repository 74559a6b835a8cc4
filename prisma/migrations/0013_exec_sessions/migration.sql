-- Exec sessions live in the process of one worker, which alone works on their chats while it is alive.

-- AlterTable
ALTER TABLE "chat" ADD COLUMN     "session_owner" TEXT;

-- CreateTable
CREATE TABLE "worker" (
    "owner" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "worker_pkey" PRIMARY KEY ("owner")
);
