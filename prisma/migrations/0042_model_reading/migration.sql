-- Null for what is known of the model, or learned from its server.
ALTER TABLE "model" ADD COLUMN "reads" TEXT;
