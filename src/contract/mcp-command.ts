import * as z from "zod";
import { Text } from "./content";
import { Artifact } from "./part";

/** Longest name of an argument, in UTF-16 units. */
const MAX_ARGUMENT_NAME_LENGTH = 200;
/** Longest value of an argument, in UTF-16 units. */
const MAX_ARGUMENT_LENGTH = 20_000;
/** Most arguments of one command; one with more is not offered. */
export const MAX_COMMAND_ARGUMENTS = 20;

const McpCommandArgument = z
  .object({ name: z.string(), description: z.string(), required: z.boolean() })
  .meta({ id: "McpCommandArgument" });
export type McpCommandArgument = z.infer<typeof McpCommandArgument>;

/** A prompt or resource of an MCP server, which a person inserts into a message by its name after a slash. */
export const McpCommand = z
  .object({
    /** `server:name`, without the slash. */
    name: z.string(),
    kind: z.enum(["prompt", "resource"]),
    description: z.string(),
    arguments: z.array(McpCommandArgument),
  })
  .meta({ id: "McpCommand" });
export type McpCommand = z.infer<typeof McpCommand>;

export const McpCommandList = z.object({
  data: z.array(McpCommand),
  /** A sentence for each server, and each command, that is missing. */
  notices: z.array(z.string()),
});
export type McpCommandList = z.infer<typeof McpCommandList>;

/** Values of arguments by their names. */
const McpCommandArguments = z
  .record(z.string().max(MAX_ARGUMENT_NAME_LENGTH), Text.max(MAX_ARGUMENT_LENGTH))
  .refine(
    (values) => Object.keys(values).length <= MAX_COMMAND_ARGUMENTS,
    `must be at most ${MAX_COMMAND_ARGUMENTS} arguments`,
  );

export const RunMcpCommandInput = z.strictObject({
  name: z.string(),
  arguments: McpCommandArguments.default({}),
});
export type RunMcpCommandInput = z.infer<typeof RunMcpCommandInput>;

/** What a command stands for in a message. Its files are sent to no chat yet. */
export const McpCommandContent = z
  .object({ text: z.string(), files: z.array(Artifact) })
  .meta({ id: "McpCommandContent" });
export type McpCommandContent = z.infer<typeof McpCommandContent>;
