-- The content of a file in rows of at most 256 KB, so that neither writing nor reading holds the whole of it.

-- CreateTable
CREATE TABLE "artifact_slice" (
    "artifact_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "artifact_slice_pkey" PRIMARY KEY ("artifact_id","position")
);

-- Without compression, as before: most large files are compressed already.
ALTER TABLE "artifact_slice" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

INSERT INTO "artifact_slice" ("artifact_id", "position", "bytes")
SELECT "id", "start" / 262144, substring("content" FROM "start" + 1 FOR 262144)
FROM "artifact", generate_series(0, octet_length("content") - 1, 262144) AS "start";

-- AddForeignKey
ALTER TABLE "artifact_slice" ADD CONSTRAINT "artifact_slice_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifact"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A dropped column keeps its values, so they are removed first: vacuum then frees their space.
UPDATE "artifact" SET "content" = '';

-- AlterTable
ALTER TABLE "artifact" DROP COLUMN "content";
