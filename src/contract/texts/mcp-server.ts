import type {
  HttpTransport,
  McpServer,
  McpServerInput,
  McpServerList,
  McpServerRef,
  McpServerTestResult,
  McpServerTool,
  StdioTransport,
  UpdateMcpServerInput,
} from "@/contract/mcp-server";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const SECRETS = {
  secrets: [
    "Values of headers or variables that are stored encrypted and never returned, by their names. Null removes one; those that are not named stay.",
    { Authorization: "Bearer s3cr3t-t0k3n" },
  ],
} as const satisfies Record<string, FieldText>;

const MCP_DECLARATION = {
  name: ["By which the names of its tools begin.", "github"],
  transport: ["The way to the server."],
  approval: ["Which calls need an approval, unless a mode or a rule says so."],
  timeout_seconds: ["How long a call may take.", 60],
  enabled: ["False if it is switched off."],
} as const satisfies Record<string, FieldText>;

export const MCP_SERVER_TEXTS = {
  McpServer: {
    ...MCP_DECLARATION,
    id: ["The id of the MCP server."],
    secret_names: ["The names of the secrets that are stored.", ["Authorization"]],
    state: ["Whether the process that answers is connected to it."],
    error: ["Why the last attempt to connect failed.", "The program has ended."],
    tools: ["The tools that it had last."],
    notices: ["A sentence for each thing that was left out.", []],
    updated_at: ["When the MCP server was last changed."],
  } satisfies FieldTexts<McpServer>,
  McpStdioTransport: {
    type: ["The server is a program that runs in the sandbox."],
    command: ["The program.", "npx"],
    args: ["Its arguments.", ["-y", "@example/server"]],
    env: [
      "Variables of the program; `${MCP_…}` is a variable of the environment of this server.",
      { API_TOKEN: "${MCP_TOKEN}" },
    ],
    network: ["True if the program has the network."],
  } satisfies FieldTexts<StdioTransport>,
  McpHttpTransport: {
    type: ["The server is reached at an address."],
    url: ["The address of its streamable HTTP.", "https://mcp.example.org/mcp"],
    headers: [
      "Headers of each request; `${MCP_…}` is a variable of the environment of this server.",
      { Authorization: "Bearer ${MCP_TOKEN}" },
    ],
    allow_private: ["True if private addresses are allowed; metadata of a cloud never is."],
  } satisfies FieldTexts<HttpTransport>,
  McpServerTool: {
    name: ["The name by which models call it.", "github_search"],
    tool: ["The name that the server has given it.", "search"],
    description: ["What the tool does, by the server.", "Searches issues"],
    needs_approval: ["True if a person decides on each call."],
  } satisfies FieldTexts<McpServerTool>,
  McpServerTestResult: {
    ok: ["True if the server answered."],
    message: ["One sentence for people.", 'The MCP server "github" has 2 tools.'],
    detail: ["Why it failed.", "The program has ended."],
    duration_ms: SHARED.duration_ms,
  } satisfies FieldTexts<McpServerTestResult>,
  McpServerDeclaration: { ...MCP_DECLARATION, ...SECRETS } satisfies FieldTexts<McpServerInput>,
  "mcpServers.list": {
    data: ["The MCP servers."],
  } satisfies FieldTexts<McpServerList>,
  "mcpServers.update": {
    ...MCP_DECLARATION,
    ...SECRETS,
    server_id: SHARED.server_id,
  } satisfies FieldTexts<UpdateMcpServerInput>,
  "mcpServers.delete": {
    server_id: SHARED.server_id,
  } satisfies FieldTexts<McpServerRef>,
  "mcpServers.test": {
    server_id: SHARED.server_id,
  } satisfies FieldTexts<McpServerRef>,
} satisfies SchemaTexts;
