-- A message may hold files. One that is sent before it belongs to a chat has none.
ALTER TYPE "part_type" ADD VALUE 'file';

-- AlterTable
ALTER TABLE "artifact" ADD COLUMN     "height" INTEGER,
ADD COLUMN     "width" INTEGER,
ALTER COLUMN "chat_id" DROP NOT NULL;

-- CreateEnum
CREATE TYPE "rendition_kind" AS ENUM ('image', 'text');

-- CreateTable
CREATE TABLE "rendition" (
    "artifact_id" UUID NOT NULL,
    "kind" "rendition_kind" NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "rendition_pkey" PRIMARY KEY ("artifact_id","kind")
);

-- Images are compressed already.
ALTER TABLE "rendition" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

-- AddForeignKey
ALTER TABLE "rendition" ADD CONSTRAINT "rendition_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifact"("id") ON DELETE CASCADE ON UPDATE CASCADE;
