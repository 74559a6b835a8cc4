ALTER TABLE "part" ADD COLUMN "approved_args" JSON;
