-- Null for what is known of the model, or for the provider's own.
ALTER TABLE "model" ADD COLUMN     "max_output_tokens" INTEGER,
ADD COLUMN     "reasoning_effort" TEXT,
ADD COLUMN     "temperature" DOUBLE PRECISION;
