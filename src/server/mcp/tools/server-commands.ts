import { setTimeout as delay } from "node:timers/promises";
import type { McpServerInput } from "@/contract/mcp-server";
import { log } from "@/server/log";
import {
  type CommandContent,
  type SaveCommandFile,
  toPromptContent,
  toResourceContent,
} from "./command-text";
import { describeServer } from "@/server/mcp/connect-server";
import { describeFailure } from "@/server/mcp/describe-failure";
import type { MaintainedConnection } from "@/server/mcp/keep-connected";
import { loadSdk } from "@/server/mcp/load-sdk";
import { type OfferedCommand, type OfferedCommands, toOfferedCommands } from "./offered-commands";
import type { RequestOutcome, SendRequest } from "@/server/mcp/send-request";

/** The prompts and resources of a server, which are listed when a person first asks for them. */
export type ServerCommands = {
  /** Lists them; those that the server had last, while it is lost. Does not reject. */
  list: () => Promise<OfferedCommands>;
  /** Reads what a command stands for. Rejects when `save` does, unless with a `ToolFailure`. */
  read: (
    command: OfferedCommand,
    args: Readonly<Record<string, string>>,
    save: SaveCommandFile,
  ) => Promise<CommandContent>;
  /** Lists them anew at the next request, as the server or its list is another one. */
  forget: () => void;
};

/** A person waits meanwhile. */
const MAX_READ_MS = 60_000;
/** A server that does not answer delays the lists of all servers, so it is not asked for each of them. */
const FAILURE_CACHE_MS = 30_000;
/** How long the lists wait for a server that did not answer the last time; its own arrives later. */
const RETRY_WAIT_MS = 1_000;

const NONE: OfferedCommands = { commands: [], notices: [] };

export const createServerCommands = (
  declaration: McpServerInput,
  maintained: Pick<MaintainedConnection, "ready" | "current" | "status">,
  request: SendRequest,
): ServerCommands => {
  const server = describeServer(declaration);
  let known = NONE;
  let listing: Promise<OfferedCommands> | undefined;
  let expiresAt = Infinity;
  /** What is offered while the last attempt has failed. */
  let failure: OfferedCommands | undefined;

  const listAnew = (): Promise<OfferedCommands> => {
    const connection = maintained.current();
    if (!connection) {
      const { error = "" } = maintained.status();
      return Promise.resolve(withNotice(known, `${server} is not connected. ${error}`.trimEnd()));
    }
    const started: Promise<OfferedCommands> = connection.listCommands().then(
      (listed) => {
        const offered = toOfferedCommands(declaration.name, listed);
        // A list that changed meanwhile is read again.
        if (listing === started) [known, failure] = [offered, undefined];
        return offered;
      },
      (reason: unknown) => {
        const failed = toFailed(declaration, reason, known);
        if (listing === started) {
          expiresAt = performance.now() + FAILURE_CACHE_MS;
          failure = failed;
        }
        return failed;
      },
    );
    expiresAt = Infinity;
    return (listing = started);
  };

  return {
    list: async () => {
      await maintained.ready;
      const isUsable = maintained.current() !== undefined && performance.now() < expiresAt;
      const found = (isUsable ? listing : undefined) ?? listAnew();
      if (!failure || !maintained.current()) return found;
      return Promise.race([found, delay(RETRY_WAIT_MS, failure, { ref: false })]);
    },
    read: async (command, args, save) => {
      const timeoutMs = Math.min(declaration.timeout_seconds * 1_000, MAX_READ_MS);
      const options = { signal: new AbortController().signal, timeoutMs, isRead: true };
      if (command.type === "prompt") {
        const { prompt } = command;
        const outcome = await request((link) => link.getPrompt(prompt, args, options), options);
        return toContent(outcome, (result) => toPromptContent(result, save));
      }
      const uri = toUri(command, args);
      const outcome = await request((link) => link.readResource(uri, options), options);
      return toContent(outcome, (result) => toResourceContent(result, save));
    },
    forget: () => {
      listing = undefined;
      failure = undefined;
    },
  };
};

const toUri = (
  command: Exclude<OfferedCommand, { type: "prompt" }>,
  args: Readonly<Record<string, string>>,
): string =>
  command.type === "resource"
    ? command.uri
    : new (loadSdk().UriTemplate)(command.template).expand({ ...args });

const toContent = async <Result>(
  outcome: RequestOutcome<Result>,
  convert: (result: Result) => Promise<CommandContent>,
): Promise<CommandContent> =>
  outcome.type === "failed" ? { problem: outcome.message } : convert(outcome.result);

const toFailed = (
  declaration: McpServerInput,
  reason: unknown,
  known: OfferedCommands,
): OfferedCommands => {
  const problem = describeFailure(reason);
  log().warn({ server: declaration.name, reason: problem }, "no commands of an MCP server");
  const server = describeServer(declaration);
  return withNotice(known, `${server} could not list its prompts and resources: ${problem}`);
};

const withNotice = ({ commands }: OfferedCommands, notice: string): OfferedCommands => ({
  commands,
  notices: [notice],
});
