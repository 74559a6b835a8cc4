-- CreateTable
CREATE TABLE "starting_text" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "starting_text_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "starting_text_user_id_idx" ON "starting_text"("user_id");

-- AddForeignKey
ALTER TABLE "starting_text" ADD CONSTRAINT "starting_text_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
