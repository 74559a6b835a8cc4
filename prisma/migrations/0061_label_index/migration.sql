-- Programs list the chats that have some labels.
CREATE INDEX "chat_labels_idx" ON "chat" USING GIN ("labels" jsonb_path_ops);
