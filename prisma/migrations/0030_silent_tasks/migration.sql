-- Whether the report of a task enters the chat: that of a command in the background does only when it is asked for.
ALTER TABLE "task" ADD COLUMN "should_report" BOOLEAN NOT NULL DEFAULT true;
