-- Tools that the provider of a model runs, and the stores that its search of files searches.
ALTER TABLE "model" ADD COLUMN     "file_stores" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "provider_tools" JSONB NOT NULL DEFAULT '[]';
