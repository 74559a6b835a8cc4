-- Null for the default of the server.
ALTER TABLE "model" ADD COLUMN "wait_minutes" INTEGER;
