-- Finds the chats whose last message asks the person something, among all calls of all chats.
CREATE INDEX "part_question_idx" ON "part"("message_id")
    WHERE "tool_name" = 'ask_user_question' AND "kind" = 'builtin';
