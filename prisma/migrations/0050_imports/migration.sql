-- Chats of other programs are imported from archives, which are kept until that is done.
-- CreateEnum
CREATE TYPE "import_state" AS ENUM ('receiving', 'queued', 'running', 'completed', 'failed');

-- AlterTable
ALTER TABLE "chat" ADD COLUMN     "import_id" UUID;

-- CreateTable
CREATE TABLE "import" (
    "id" UUID NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" "import_state" NOT NULL,
    "source" TEXT,
    "size" BIGINT NOT NULL DEFAULT 0,
    "total_bytes" BIGINT NOT NULL DEFAULT 0,
    "read_bytes" BIGINT NOT NULL DEFAULT 0,
    "document_index" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL DEFAULT 0,
    "chats" INTEGER NOT NULL DEFAULT 0,
    "messages" INTEGER NOT NULL DEFAULT 0,
    "files" INTEGER NOT NULL DEFAULT 0,
    "known" INTEGER NOT NULL DEFAULT 0,
    "problems" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "lease_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_slice" (
    "import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_slice_pkey" PRIMARY KEY ("import_id","position")
);

-- CreateTable
CREATE TABLE "import_problem" (
    "import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "import_problem_pkey" PRIMARY KEY ("import_id","position")
);

-- CreateTable
CREATE TABLE "imported_chat" (
    "owner_id" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "chat_id" UUID NOT NULL,

    CONSTRAINT "imported_chat_pkey" PRIMARY KEY ("owner_id","source_id")
);

-- CreateIndex
CREATE INDEX "import_owner_id_created_at_idx" ON "import"("owner_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "imported_chat_chat_id_idx" ON "imported_chat"("chat_id");

-- AddForeignKey
ALTER TABLE "chat" ADD CONSTRAINT "chat_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import" ADD CONSTRAINT "import_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_slice" ADD CONSTRAINT "import_slice_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_problem" ADD CONSTRAINT "import_problem_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imported_chat" ADD CONSTRAINT "imported_chat_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imported_chat" ADD CONSTRAINT "imported_chat_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond the schema language, and Prisma does not compare it. A person imports one archive at a time.
CREATE UNIQUE INDEX "import_active_idx" ON "import"("owner_id") WHERE "state" IN ('receiving', 'queued', 'running');
CREATE INDEX "import_waiting_idx" ON "import"("served_at") WHERE "state" IN ('queued', 'running');
-- Few chats are being written, and each change of a chat would write to an index of all.
CREATE INDEX "chat_import_idx" ON "chat"("import_id") WHERE "import_id" IS NOT NULL;
-- Archives are compressed already.
ALTER TABLE "import_slice" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
