import { DomainError } from "@/contract/domain-error";
import type { McpCommandContent, RunMcpCommandInput } from "@/contract/mcp-command";
import type { Artifact } from "@/contract/part";
import type { ServerContext } from "@/server/context";
import { deleteUnsent } from "@/server/db/chats/artifact-writes";
import { readMcpCommand } from "@/server/settings/mcp-commands";
import { ToolFailure } from "@/server/tools/tool-result";
import { createFile } from "./create-file";

type SaveFile = Parameters<typeof readMcpCommand>[2];

/**
 * Reads what a command of an MCP server stands for in a message, and stores its files as uploads, which the message then
 * has. One that is refused is left out, which the text says.
 *
 * @throws {DomainError} as `readMcpCommand`; `limit_exceeded` while the server reads too many other files.
 */
export const runCommand = async (
  ctx: ServerContext,
  input: RunMcpCommandInput,
): Promise<McpCommandContent> => {
  const stored: Artifact[] = [];
  const save: SaveFile = async ({ name, mediaType, bytes }) => {
    const file = { name, declaredType: mediaType, bytes };
    const artifact = await createFile(ctx, file).catch(throwRefusal);
    stored.push(artifact);
    return artifact;
  };
  try {
    const { text, files } = await readMcpCommand(ctx, input, save);
    return { text, files: [...files] };
  } catch (error) {
    for (const { id } of stored) await deleteUnsent(ctx.db, { id, viewer: ctx.actor });
    throw error;
  }
};

/** What may succeed a moment later ends the command: the person tries again. */
const throwRefusal = (error: unknown): never => {
  const isRefusal =
    error instanceof DomainError &&
    error.code !== "unavailable" &&
    error.retryAfterSeconds === undefined;
  throw isRefusal ? new ToolFailure(error.message, { cause: error }) : error;
};
