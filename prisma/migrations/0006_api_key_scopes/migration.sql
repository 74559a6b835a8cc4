-- CreateEnum
CREATE TYPE "api_key_scope" AS ENUM ('read', 'chat', 'admin');

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN "scope" "api_key_scope" NOT NULL DEFAULT 'chat',
ADD COLUMN "expires_at" TIMESTAMPTZ(3),
ADD COLUMN "from_environment" BOOLEAN NOT NULL DEFAULT false;

-- Earlier versions marked the operator's key by its name only. The server gives it the scope admin when it starts.
UPDATE "api_key" SET "from_environment" = true WHERE "name" = 'from the environment';
