-- A worker gives a chat back until a provider accepts requests again.
ALTER TABLE "chat" ADD COLUMN "not_before" TIMESTAMPTZ(3);

-- Only work that nobody has begun is deferred.
ALTER TABLE "chat" ADD CONSTRAINT "chat_deferred_check" CHECK ("not_before" IS NULL OR "status" = 'pending');
