-- Programs ask for the calls of one owner: what others wait for costs them nothing.
DROP INDEX "part_awaiting_result_idx";
CREATE INDEX "chat_parked_idx" ON "chat" ("owner_id") WHERE "status" = 'requires_action';
