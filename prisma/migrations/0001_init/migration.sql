-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "chat_status" AS ENUM ('waiting', 'pending', 'running', 'interrupting', 'requires_action', 'error');

-- CreateEnum
CREATE TYPE "message_role" AS ENUM ('system', 'user', 'assistant');

-- CreateEnum
CREATE TYPE "message_visibility" AS ENUM ('user', 'model', 'both');

-- CreateEnum
CREATE TYPE "part_type" AS ENUM ('text', 'reasoning', 'source', 'tool_call');

-- CreateEnum
CREATE TYPE "tool_kind" AS ENUM ('builtin', 'dynamic', 'recipe', 'mcp', 'provider');

-- CreateEnum
CREATE TYPE "tool_call_state" AS ENUM ('running', 'awaiting_result', 'awaiting_approval', 'completed', 'error', 'cancelled', 'timed_out', 'denied');

-- CreateEnum
CREATE TYPE "usage_kind" AS ENUM ('turn', 'advisor', 'title');

-- CreateTable
CREATE TABLE "chat" (
    "id" UUID NOT NULL,
    "status" "chat_status" NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "history_version" INTEGER NOT NULL,
    "queue_version" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_token" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "retry" JSONB,
    "last_error" JSONB,
    "action_deadline_at" TIMESTAMPTZ(3),
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "queued_count" INTEGER NOT NULL DEFAULT 0,
    "turn_steps" INTEGER NOT NULL DEFAULT 0,
    "owner_id" TEXT NOT NULL,
    "parent_chat_id" UUID,
    "root_chat_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "titled" BOOLEAN NOT NULL DEFAULT false,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "model_id" UUID,
    "system_prompt" TEXT,
    "dynamic_tools" JSON NOT NULL DEFAULT '[]',
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "action_timeout_seconds" INTEGER NOT NULL,
    "max_steps" INTEGER NOT NULL,
    "usage" JSONB NOT NULL DEFAULT '{}',
    "context_tokens" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message" (
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "role" "message_role" NOT NULL,
    "visibility" "message_visibility" NOT NULL DEFAULT 'both',
    "revision" INTEGER NOT NULL,
    "model" TEXT,
    "usage" JSONB,
    "finish_reason" TEXT,
    "interrupted" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT,
    "response_id" TEXT,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "part" (
    "message_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "type" "part_type" NOT NULL,
    "text" TEXT,
    "data" JSONB,
    "provider_metadata" JSONB,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "tool_call_id" TEXT,
    "tool_name" TEXT,
    "kind" "tool_kind",
    "args" JSON,
    "state" "tool_call_state",
    "output" JSON,
    "is_error" BOOLEAN NOT NULL DEFAULT false,
    "for_user" TEXT,
    "silent" BOOLEAN NOT NULL DEFAULT false,
    "response_handled" BOOLEAN NOT NULL DEFAULT false,
    "artifacts" JSONB,
    "resolved_by" TEXT,
    "approved" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "part_pkey" PRIMARY KEY ("message_id","index")
);

-- CreateTable
CREATE TABLE "queued_message" (
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "model_id" UUID,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "queued_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE UNLOGGED TABLE "preview_chunk" (
    "id" BIGSERIAL NOT NULL,
    "chat_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "ops" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "preview_chunk_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifact" (
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "owner_id" TEXT NOT NULL,
    "tool_call_id" TEXT,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "context_limit" INTEGER,
    "prices" JSONB,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setting" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "usage_record" (
    "id" UUID NOT NULL,
    "chat_id" UUID NOT NULL,
    "message_id" UUID,
    "kind" "usage_kind" NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cost_micros" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_record_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "owner_id" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("owner_id","route","key")
);

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "role" TEXT NOT NULL DEFAULT 'member',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "chat_owner_id_updated_at_id_idx" ON "chat"("owner_id", "updated_at" DESC, "id");

-- CreateIndex
CREATE INDEX "chat_parent_chat_id_idx" ON "chat"("parent_chat_id");

-- CreateIndex
CREATE INDEX "chat_root_chat_id_idx" ON "chat"("root_chat_id");

-- CreateIndex
CREATE INDEX "message_chat_id_revision_idx" ON "message"("chat_id", "revision");

-- CreateIndex
CREATE UNIQUE INDEX "message_chat_id_seq_key" ON "message"("chat_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "part_message_id_tool_call_id_key" ON "part"("message_id", "tool_call_id");

-- CreateIndex
CREATE UNIQUE INDEX "queued_message_chat_id_position_key" ON "queued_message"("chat_id", "position");

-- CreateIndex
CREATE INDEX "preview_chunk_chat_id_id_idx" ON "preview_chunk"("chat_id", "id");

-- CreateIndex
CREATE INDEX "preview_chunk_created_at_idx" ON "preview_chunk"("created_at");

-- CreateIndex
CREATE INDEX "artifact_chat_id_idx" ON "artifact"("chat_id");

-- CreateIndex
CREATE INDEX "artifact_owner_id_idx" ON "artifact"("owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "model_provider_model_key" ON "model"("provider", "model");

-- CreateIndex
CREATE INDEX "usage_record_chat_id_created_at_idx" ON "usage_record"("chat_id", "created_at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_user_id_idx" ON "api_key"("user_id");

-- AddForeignKey
ALTER TABLE "chat" ADD CONSTRAINT "chat_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat" ADD CONSTRAINT "chat_parent_chat_id_fkey" FOREIGN KEY ("parent_chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat" ADD CONSTRAINT "chat_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "model"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "part" ADD CONSTRAINT "part_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "queued_message" ADD CONSTRAINT "queued_message_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_record" ADD CONSTRAINT "usage_record_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond the schema language, and Prisma does not compare it.

-- Chats that a worker may claim, oldest work first.
CREATE INDEX "chat_work_idx" ON "chat"("updated_at")
    WHERE "status" IN ('pending', 'running', 'interrupting');

-- Required actions by deadline.
CREATE INDEX "chat_action_deadline_idx" ON "chat"("action_deadline_at")
    WHERE "status" = 'requires_action';

-- Calls without an outcome: few among very many parts.
CREATE INDEX "part_open_call_idx" ON "part"("message_id")
    WHERE "state" IN ('running', 'awaiting_result', 'awaiting_approval');

-- At most one default model.
CREATE UNIQUE INDEX "model_one_default_key" ON "model"("is_default") WHERE "is_default";

-- The status is left unchecked on purpose: `reconcile` must be able to find and repair an invalid one.
ALTER TABLE "chat"
    ADD CONSTRAINT "chat_counters_check" CHECK (
        "version" >= 1 AND "history_version" <= "version" AND "queue_version" <= "version"
        AND "attempt" >= 0 AND "last_seq" >= 0 AND "queued_count" >= 0 AND "turn_steps" >= 0
    ),
    ADD CONSTRAINT "chat_root_check" CHECK (("parent_chat_id" IS NULL) = ("root_chat_id" = "id"));

ALTER TABLE "message"
    ADD CONSTRAINT "message_counters_check" CHECK ("seq" >= 1 AND "revision" >= 1);

-- Each type has its columns, and a call that is open has no outcome yet.
ALTER TABLE "part"
    ADD CONSTRAINT "part_text_check" CHECK ("type" NOT IN ('text', 'reasoning') OR "text" IS NOT NULL),
    ADD CONSTRAINT "part_reasoning_check" CHECK ("type" <> 'reasoning' OR "started_at" IS NOT NULL),
    ADD CONSTRAINT "part_source_check" CHECK ("type" <> 'source' OR "data" IS NOT NULL),
    ADD CONSTRAINT "part_tool_call_check" CHECK (
        "type" <> 'tool_call' OR (
            "tool_call_id" IS NOT NULL AND "tool_name" IS NOT NULL AND "kind" IS NOT NULL
            AND "state" IS NOT NULL AND "started_at" IS NOT NULL
        )
    ),
    ADD CONSTRAINT "part_open_call_check" CHECK (
        "state" IS NULL
        OR "state" NOT IN ('running', 'awaiting_result', 'awaiting_approval')
        OR ("output" IS NULL AND "completed_at" IS NULL)
    );

-- A chat's totals with one more use of the kind added.
CREATE FUNCTION "add_usage"(
    usage JSONB, kind TEXT, input_tokens BIGINT, output_tokens BIGINT, cost_micros BIGINT
) RETURNS JSONB LANGUAGE SQL IMMUTABLE AS $$
    SELECT usage || jsonb_build_object(kind, jsonb_build_object(
        'input_tokens', coalesce((usage -> kind ->> 'input_tokens')::bigint, 0) + input_tokens,
        'output_tokens', coalesce((usage -> kind ->> 'output_tokens')::bigint, 0) + output_tokens,
        'cost_micros', coalesce((usage -> kind ->> 'cost_micros')::bigint, 0) + cost_micros
    ))
$$;
