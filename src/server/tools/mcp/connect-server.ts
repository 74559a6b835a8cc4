import type {
  CallToolResult,
  Client,
  ProgressCallback,
  Tool as ServerTool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contract/json";
import type { McpServerInput } from "@/contract/mcp-server";
import type { Sandbox } from "@/server/exec/sandbox";
import { createCommandEnvironment } from "@/server/tools/exec/command-environment";
import { fillVariables, type McpVariables } from "./fill-variables";
import { createHttpTransport } from "./http-transport";
import { listAllTools } from "./list-all-tools";
import { loadSdk } from "./load-sdk";
import type { McpServerRecord } from "./server-record";
import type { ServerTransport } from "./server-transport";
import { createStdioTransport } from "./stdio-transport";

/** What connecting needs of the app. */
export type ConnectDeps = {
  /** What programs run in, or the sentence why this process cannot run any. */
  sandbox: () => Sandbox | { unavailable: string };
  /** Creates the directory of a server, if it has none yet. */
  openDirectory: (serverId: string) => Promise<string>;
  variables: McpVariables;
  /** The port of this server. */
  ownPort: number;
};

export type CallOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress: ProgressCallback;
};

/** A connection to a server. Its functions reject with errors of the SDK. */
export type ServerConnection = {
  listTools: () => Promise<readonly ServerTool[]>;
  callTool: (tool: string, args: JsonObject, options: CallOptions) => Promise<CallToolResult>;
  /** @returns why the connection cannot be used, as a sentence, once that is known. */
  findProblem: () => string | undefined;
  close: () => Promise<void>;
};

/** What a connection reports. Neither function throws. */
export type ConnectionListener = {
  /** Ends the attempt to connect. */
  signal: AbortSignal;
  onToolsChanged: () => void;
  /** Called once, also after `close`. */
  onClose: () => void;
};

/** A server may first download what it consists of. */
const CONNECT_TIMEOUT_MS = 60_000;
/** A server that changes its tools all the time is listed this often at most. */
const CHANGE_DEBOUNCE_MS = 500;

/** The shape of outputs is for models, not for us; compiling a schema from outside could take forever. */
const ANY_OUTPUT = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

/** Connects to a server. Rejects when that fails, with a sentence as message where it is known why. */
export const connectServer = async (
  record: Pick<McpServerRecord, "id" | "declaration">,
  deps: ConnectDeps,
  listener: ConnectionListener,
): Promise<ServerConnection> => {
  const { Client } = loadSdk();
  const { transport, findProblem } = await createTransport(record, deps);
  const client = new Client(
    { name: "parley", version: "1.0.0" },
    {
      jsonSchemaValidator: ANY_OUTPUT,
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: CHANGE_DEBOUNCE_MS,
          onChanged: listener.onToolsChanged,
        },
      },
    },
  );
  client.onclose = listener.onClose;
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS, signal: listener.signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    const problem = findProblem();
    throw problem === undefined ? error : new Error(problem, { cause: error });
  }
  return toConnection(client, findProblem);
};

const toConnection = (
  client: Client,
  findProblem: ServerTransport["findProblem"],
): ServerConnection => ({
  findProblem,
  listTools: async () => (client.getServerCapabilities()?.tools ? listAllTools(client) : []),
  callTool: async (name, args, { signal, timeoutMs, onProgress }) => {
    const { SdkError, SdkErrorCode } = loadSdk();
    // The SDK itself rejects with an error without a code.
    if (!client.transport) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    return client.callTool(
      { name, arguments: args },
      { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs, onprogress: onProgress },
    );
  },
  close: () => client.close(),
});

const createTransport = async (
  { id, declaration }: Pick<McpServerRecord, "id" | "declaration">,
  { sandbox, openDirectory, variables, ownPort }: ConnectDeps,
): Promise<ServerTransport> => {
  const { transport } = declaration;
  if (transport.type === "http") {
    const { url, headers, allow_private: allowPrivate } = transport;
    return createHttpTransport({
      ...{ url, allowPrivate, ownPort },
      headers: fillVariables(headers, variables),
    });
  }
  const found = sandbox();
  if ("unavailable" in found) throw new Error(found.unavailable);
  const directory = await openDirectory(id);
  await found.prepareWorkspace(directory);
  return createStdioTransport({
    sandbox: found,
    directory,
    argv: [transport.command, ...transport.args],
    network: transport.network,
    env: createCommandEnvironment({
      home: found.workspacePath(directory),
      ...{ pty: false, allowsProviders: true },
      added: fillVariables(transport.env, variables),
    }),
  });
};

/** What a server is called in sentences. */
export const describeServer = ({ name }: Pick<McpServerInput, "name">): string =>
  `The MCP server "${name}"`;
