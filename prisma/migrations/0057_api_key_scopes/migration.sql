-- What a key may do is a set of scopes. Keys that exist keep exactly what they could do.
ALTER TABLE "api_key" ADD COLUMN     "restriction" JSONB,
ADD COLUMN     "scopes" JSONB NOT NULL DEFAULT '[]';

UPDATE "api_key" SET "scopes" = CASE "scope"
  WHEN 'read' THEN '["read"]'::jsonb
  WHEN 'chat' THEN '["read", "chat", "calls:answer", "approvals:decide"]'
  ELSE '["read", "chat", "calls:answer", "approvals:decide", "toolsets:write", "admin"]' END;

ALTER TABLE "api_key" DROP COLUMN "scope";

-- DropEnum
DROP TYPE "api_key_scope";
