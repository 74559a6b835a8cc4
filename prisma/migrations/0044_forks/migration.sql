-- A fork begins with the history of another chat, and shares its files.
ALTER TABLE "chat" ADD COLUMN     "forked_from_id" UUID,
ADD COLUMN     "forked_from_seq" INTEGER;

-- CreateTable
CREATE TABLE "artifact_share" (
    "chat_id" UUID NOT NULL,
    "artifact_id" UUID NOT NULL,

    CONSTRAINT "artifact_share_pkey" PRIMARY KEY ("chat_id","artifact_id")
);

-- CreateIndex
CREATE INDEX "artifact_share_artifact_id_idx" ON "artifact_share"("artifact_id");

-- AddForeignKey
ALTER TABLE "chat" ADD CONSTRAINT "chat_forked_from_id_fkey" FOREIGN KEY ("forked_from_id") REFERENCES "chat"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact_share" ADD CONSTRAINT "artifact_share_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chat"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact_share" ADD CONSTRAINT "artifact_share_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifact"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond the schema language, and Prisma does not compare it. Few chats are forks, and each change of a
-- chat would write to an index of all.
CREATE INDEX "chat_forked_from_idx" ON "chat"("forked_from_id") WHERE "forked_from_id" IS NOT NULL;
