-- What the server of an MCP tool has asked a person in the middle of a call, with the answers.
ALTER TABLE "part" ADD COLUMN "elicitations" JSON;
