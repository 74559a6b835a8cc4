-- Names of the groups of tools that a chat has chosen.
ALTER TABLE "chat" ADD COLUMN "group_names" JSONB NOT NULL DEFAULT '[]';
-- Whether a turn goes on by itself after the results of its tools. Until now, every turn did.
ALTER TABLE "chat" ADD COLUMN "auto_submit_success" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "auto_submit_error" BOOLEAN NOT NULL DEFAULT true;
