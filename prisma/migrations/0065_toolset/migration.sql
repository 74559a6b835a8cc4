-- Tools that programs run for every chat of an account.
ALTER TYPE "tool_kind" ADD VALUE 'toolset';

CREATE TABLE "toolset" (
    "name" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "declaration" JSON NOT NULL,
    "declared_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "toolset_pkey" PRIMARY KEY ("name")
);

CREATE INDEX "toolset_user_id_idx" ON "toolset"("user_id");

ALTER TABLE "toolset" ADD CONSTRAINT "toolset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The programs that have asked for calls of a toolset, and when they did last.
CREATE TABLE "toolset_runner" (
    "toolset" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "toolset_runner_pkey" PRIMARY KEY ("toolset", "holder")
);

ALTER TABLE "toolset_runner" ADD CONSTRAINT "toolset_runner_toolset_fkey" FOREIGN KEY ("toolset") REFERENCES "toolset"("name") ON DELETE CASCADE ON UPDATE CASCADE;
