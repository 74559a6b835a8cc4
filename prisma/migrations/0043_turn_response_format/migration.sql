-- The form of the last answer of a turn, which its message asks for, and what its check has found.
ALTER TABLE "message" ADD COLUMN     "format_check" JSON,
ADD COLUMN     "response_format" JSON;

ALTER TABLE "queued_message" ADD COLUMN     "response_format" JSON;
