import type {
  CallToolResult,
  Client,
  GetPromptResult,
  ProgressCallback,
  ReadResourceResult,
  RequestOptions,
  Tool as ServerTool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contract/json";
import type { McpServerInput } from "@/contract/mcp-server";
import type { CommandBudget } from "@/server/exec/budget/command-budget";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { createCommandEnvironment } from "@/server/exec/command-environment";
import { listProxyVariables } from "@/server/net/outbound-proxy";
import { fillVariables } from "./fill-variables";
import { createHttpTransport } from "./http-transport";
import { listAllTools } from "./tools/list-all-tools";
import { listCommands, type ListedCommands } from "./tools/list-commands";
import { loadSdk } from "./load-sdk";
import { type CallAsker, createRunningCalls } from "./tools/running-calls";
import type { McpServerRecord } from "./server-record";
import type { ServerTransport } from "./server-transport";
import { type DecryptSecret, readSecrets } from "./server-secrets";
import { createStdioTransport } from "./stdio-transport";
import { type McpVariables, readVariable } from "./variable-access";

/** What connecting needs of the app. */
export type ConnectDeps = {
  /** What programs run in, or the sentence why this process cannot run any. */
  sandbox: Sandbox | { unavailable: string };
  budget: CommandBudget;
  /** Creates the directory of a server, if it has none yet. */
  openDirectory: (serverId: string) => Promise<string>;
  variables: McpVariables;
  /** Decrypts a secret of a server. @returns undefined if it was encrypted with another secret of the app. */
  decryptSecret: DecryptSecret;
  /** The port of this server. */
  ownPort: number;
  /** How long a server may take to answer for the first time; replaced in tests. */
  connectMs?: number;
};

export type CallOptions = {
  signal: AbortSignal;
  /** Without the time for answers to questions of the server. */
  timeoutMs: number;
  asker: CallAsker;
  onProgress: ProgressCallback;
};

export type ReadOptions = Pick<CallOptions, "signal" | "timeoutMs">;

/** A connection to a server. Its functions reject with errors of the SDK. */
export type ServerConnection = {
  listTools: () => Promise<readonly ServerTool[]>;
  callTool: (tool: string, args: JsonObject, options: CallOptions) => Promise<CallToolResult>;
  listCommands: () => Promise<ListedCommands>;
  getPrompt: (
    prompt: string,
    args: Readonly<Record<string, string>>,
    options: ReadOptions,
  ) => Promise<GetPromptResult>;
  readResource: (uri: string, options: ReadOptions) => Promise<ReadResourceResult>;
  /** @returns why the connection cannot be used, as a sentence, once that is known. */
  findProblem: () => string | undefined;
  close: () => Promise<void>;
};

/** What a connection reports. Neither function throws. */
export type ConnectionListener = {
  /** Ends the attempt to connect. */
  signal: AbortSignal;
  onToolsChanged: () => void;
  /** Of its prompts or resources. */
  onCommandsChanged: () => void;
  /** Called once, also after `close`. */
  onClose: () => void;
};

/** A server may first download what it consists of. */
const CONNECT_TIMEOUT_MS = 60_000;
/** A server that changes its lists all the time is listed this often at most, in ms. */
const CHANGE_DEBOUNCE_MS = 500;
const ON_CHANGE = { autoRefresh: false, debounceMs: CHANGE_DEBOUNCE_MS };

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
  record: McpServerRecord,
  deps: ConnectDeps,
  listener: ConnectionListener,
): Promise<ServerConnection> => {
  const { Client } = loadSdk();
  const { connectMs = CONNECT_TIMEOUT_MS } = deps;
  const { transport, findProblem, describeCircumstances } = await createTransport(
    record,
    deps,
    listener.signal,
  );
  const client = new Client(
    { name: "parley", version: "1.0.0" },
    {
      capabilities: { elicitation: { form: {} } },
      jsonSchemaValidator: ANY_OUTPUT,
      listChanged: {
        tools: { ...ON_CHANGE, onChanged: listener.onToolsChanged },
        prompts: { ...ON_CHANGE, onChanged: listener.onCommandsChanged },
        resources: { ...ON_CHANGE, onChanged: listener.onCommandsChanged },
      },
    },
  );
  client.onclose = listener.onClose;
  const calls = createRunningCalls();
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
    calls.ask(params, mcpReq.signal),
  );
  try {
    await client.connect(transport, { timeout: connectMs, signal: listener.signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    const problem =
      findProblem() ??
      (isTimeout(error) ? `${describeSilence(connectMs)} ${describeCircumstances()}` : undefined);
    throw problem === undefined ? error : new Error(problem, { cause: error });
  }
  return toConnection({ client, calls, findProblem });
};

const describeSilence = (timeoutMs: number): string =>
  `It did not answer in ${timeoutMs / 1_000} seconds.`;

const isTimeout = (error: unknown): boolean => {
  const { SdkError, SdkErrorCode } = loadSdk();
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
};

type Connected = Pick<ServerTransport, "findProblem"> & {
  client: Client;
  calls: ReturnType<typeof createRunningCalls>;
};

/** Longest time that a timer takes: the limits of the calls are kept by ourselves. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

const toConnection = ({ client, calls, findProblem }: Connected): ServerConnection => ({
  findProblem,
  listTools: async () => (client.getServerCapabilities()?.tools ? listAllTools(client) : []),
  callTool: async (name, args, { onProgress, ...options }) => {
    requireConnected(client);
    return calls.run(options, (signal) =>
      client.callTool(
        { name, arguments: args },
        { signal, timeout: NO_TIMEOUT_MS, onprogress: onProgress },
      ),
    );
  },
  listCommands: () => listCommands(client),
  getPrompt: async (name, args, options) => {
    requireConnected(client);
    return calls.read(() => client.getPrompt({ name, arguments: args }, toRequestOptions(options)));
  },
  readResource: async (uri, options) => {
    requireConnected(client);
    return calls.read(() =>
      client.readResource({ uri }, { ...toRequestOptions(options), cacheMode: "bypass" }),
    );
  },
  close: () => client.close(),
});

/** @throws {SdkError} as the SDK itself rejects with an error without a code. */
const requireConnected = ({ transport }: Client): void => {
  const { SdkError, SdkErrorCode } = loadSdk();
  if (!transport) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
};

const toRequestOptions = ({ signal, timeoutMs }: ReadOptions): RequestOptions => ({
  signal,
  timeout: timeoutMs,
  maxTotalTimeout: timeoutMs,
});

const createTransport = async (
  record: McpServerRecord,
  { sandbox, budget, openDirectory, variables, decryptSecret, ownPort }: ConnectDeps,
  signal: AbortSignal,
): Promise<ServerTransport> => {
  const { id, declaration, updatedAt } = record;
  const { transport } = declaration;
  const read = (name: string) => readVariable(name, { id, transport, updatedAt }, variables);
  const secrets = readSecrets(record, decryptSecret);
  if (transport.type === "http") {
    const { url, headers, allow_private: allowPrivate } = transport;
    return createHttpTransport({
      url,
      allowPrivate,
      ownPort,
      headers: { ...fillVariables(headers, read), ...secrets },
    });
  }
  if ("unavailable" in sandbox) throw new Error(sandbox.unavailable);
  const directory = await openDirectory(id);
  await sandbox.prepareWorkspace(directory);
  return createStdioTransport({
    id,
    sandbox,
    budget,
    signal,
    directory,
    argv: [transport.command, ...transport.args],
    network: transport.network,
    env: createCommandEnvironment({
      sandbox,
      home: sandbox.workspacePath(directory),
      pty: false,
      allowsProviders: true,
      added: {
        ...(transport.network ? listProxyVariables() : WITHOUT_RETRIES),
        ...fillVariables(transport.env, read),
        ...secrets,
      },
    }),
  });
};

/** Without a network, package managers would try for more than a minute and say nothing. */
const WITHOUT_RETRIES = {
  npm_config_fetch_retries: "0",
  PIP_RETRIES: "0",
  UV_HTTP_RETRIES: "0",
};

/** What a server is called in sentences. */
export const describeServer = ({ name }: Pick<McpServerInput, "name">): string =>
  `The MCP server "${name}"`;
