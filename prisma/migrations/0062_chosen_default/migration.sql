-- Until an administrator chooses the default model, each start makes the first one of the environment the default.
ALTER TABLE "model" ADD COLUMN     "default_chosen" BOOLEAN NOT NULL DEFAULT false;

-- A default that is not the one of the first start has been chosen.
UPDATE "model" SET "default_chosen" = true
WHERE "is_default" AND "position" > (SELECT min("position") FROM "model" WHERE "from_environment");
UPDATE "model" SET "default_chosen" = true
WHERE "is_default" AND NOT "from_environment";
