-- Models can be added in the settings, with an address and a key of their own.
ALTER TABLE "model"
  ADD COLUMN "from_environment" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "base_url" TEXT,
  ADD COLUMN "encrypted_key" TEXT;

-- Until now, all of them came from the environment.
UPDATE "model" SET "from_environment" = true;
