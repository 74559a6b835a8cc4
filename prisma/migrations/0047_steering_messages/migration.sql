-- A message that waits may enter the turn that runs.
ALTER TABLE "queued_message" ADD COLUMN     "steers" BOOLEAN NOT NULL DEFAULT false;
