-- A response is committed with what its request did, so every row has one. A row without a response is a
-- request that died under an earlier version.

DELETE FROM "idempotency_key" WHERE "status" IS NULL;
ALTER TABLE "idempotency_key" ALTER COLUMN "status" SET NOT NULL, ALTER COLUMN "headers" SET NOT NULL;
