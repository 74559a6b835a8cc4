-- The same time by another name: Prisma takes CURRENT_TIMESTAMP for its own `now()`, which it fills in
-- by the clock of its process.

-- AlterTable
ALTER TABLE "account" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp(),
ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "api_key" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "artifact" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "chat" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp(),
ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "idempotency_key" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "message" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "model" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "preview_chunk" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "queued_message" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "session" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp(),
ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "setting" ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "usage_record" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "user" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp(),
ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();

-- AlterTable
ALTER TABLE "verification" ALTER COLUMN "created_at" SET DEFAULT transaction_timestamp(),
ALTER COLUMN "updated_at" SET DEFAULT transaction_timestamp();
