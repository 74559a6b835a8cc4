-- The task as which the work of a call goes on after the call. Calls of an older version do not say it.
ALTER TABLE "part" ADD COLUMN     "task_id" UUID;
