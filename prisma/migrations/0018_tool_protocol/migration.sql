-- Until now, all models called tools by the calls of their provider.
ALTER TABLE "model" ADD COLUMN "tool_protocol" TEXT NOT NULL DEFAULT 'native';
