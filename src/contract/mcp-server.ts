import * as z from "zod";
import { Text } from "./content";

/** Servers of an installation: each one is a connection, or a program, of each process. */
export const MAX_MCP_SERVERS = 50;
const MAX_SERVER_NAME_LENGTH = 32;
const MAX_VALUE_LENGTH = 4_000;
const MAX_ARGUMENTS = 100;
const MAX_VALUES = 50;
/** One hour. */
const MAX_TIMEOUT_SECONDS = 3_600;

/** The names of the variables of the environment that servers may get. */
export const MCP_VARIABLE_PREFIX = "MCP_";
/** A variable of the environment in a value. */
export const MCP_VARIABLE = /\$\{(\w*)\}/g;

/** Without `_`, which separates it from the name of the tool. */
const McpServerName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]*$/,
    "must be lower-case letters, digits and '-', and begin with a letter or a digit",
  )
  .max(MAX_SERVER_NAME_LENGTH);

/** A text with `${MCP_…}` for variables of the environment. */
const Value = Text.max(MAX_VALUE_LENGTH).superRefine((value, context) => {
  for (const [, name = ""] of value.matchAll(MCP_VARIABLE)) {
    if (!name.startsWith(MCP_VARIABLE_PREFIX)) {
      const message = `names "${name}": variables of the environment begin with ${MCP_VARIABLE_PREFIX}`;
      context.addIssue({ code: "custom", message });
    }
  }
});

/** Names of values that are secrets, which are stored encrypted or only the environment has. */
const SECRET_NAME = /authorization|cookie|secret|token|passw|credential|api[-_]?key/i;
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A record drops this key, so it is refused before. */
const values = (name: z.ZodString, what: string) =>
  z
    .custom<unknown>()
    .superRefine((value, context) => {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__")) return;
      const message = "is a name that every object has";
      context.addIssue({ code: "custom", message, path: ["__proto__"] });
    })
    .meta({ type: "object", additionalProperties: { type: "string" } })
    .pipe(
      z.record(name, Value).superRefine((record, context) => {
        const entries = Object.entries(record);
        if (entries.length > MAX_VALUES) {
          context.addIssue({ code: "custom", message: `must be at most ${MAX_VALUES} ${what}` });
        }
        for (const [key, value] of entries) {
          if (!isSecretName(key) || value === "" || /\$\{\w+\}/.test(value)) continue;
          const message = `is a secret: enter it as one, or set a variable such as MCP_TOKEN where the server runs and enter \${MCP_TOKEN}`;
          context.addIssue({ code: "custom", message, path: [key] });
        }
      }),
    );

const VariableName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,255}$/,
    "must be letters, digits and '_', and begin with no digit",
  );
const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, "must be letters, digits and '-'");

/** A server that runs in the sandbox and speaks by its standard input and output. */
const StdioTransport = z
  .strictObject({
    type: z.literal("stdio"),
    command: Text.max(MAX_VALUE_LENGTH).refine((text) => text.trim() !== "", "must not be blank"),
    args: z.array(Text.max(MAX_VALUE_LENGTH)).max(MAX_ARGUMENTS).default([]),
    env: values(VariableName, "variables").default({}),
    network: z.boolean().default(false),
  })
  .meta({ id: "McpStdioTransport" });
export type StdioTransport = z.infer<typeof StdioTransport>;

function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, hash].every((part) => !part);
}

/** A server that is reached by streamable HTTP. */
const HttpTransport = z
  .strictObject({
    type: z.literal("http"),
    url: Text.trim()
      .max(2_000)
      .refine(
        isServerUrl,
        "must be an address such as https://mcp.example.org/mcp, without user name and fragment",
      ),
    headers: values(HeaderName, "headers").default({}),
    allow_private: z.boolean().default(false),
  })
  .meta({ id: "McpHttpTransport" });
export type HttpTransport = z.infer<typeof HttpTransport>;

const McpTransport = z.discriminatedUnion("type", [StdioTransport, HttpTransport]);

/** Values of headers or variables that are stored encrypted, by their names; null removes one. */
const McpSecrets = z
  .record(
    z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, "must be letters, digits, '-' and '_'"),
    // A line end would begin another header.
    Text.max(MAX_VALUE_LENGTH)
      .regex(/^[^\0\r\n]+$/, "must be one line")
      .nullable(),
  )
  .refine((secrets) => Object.keys(secrets).length <= MAX_VALUES, `must be at most ${MAX_VALUES}`);
export type McpSecrets = z.infer<typeof McpSecrets>;

/** Which calls need an approval unless a mode or a rule says so: what the server says of a tool, all, or none. */
const McpApproval = z.enum(["annotations", "always", "never"]);

/** An MCP server as administrators declare it. */
export const McpServerInput = z
  .strictObject({
    name: McpServerName,
    transport: McpTransport,
    approval: McpApproval.default("annotations"),
    timeout_seconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).default(60),
    enabled: z.boolean().default(true),
    /** In no response. */
    secrets: McpSecrets.optional(),
  })
  .meta({ id: "McpServerDeclaration" });
export type McpServerInput = z.infer<typeof McpServerInput>;

/** What of an MCP server is not secret. */
export type McpDeclaration = Omit<McpServerInput, "secrets">;

export const McpServerRef = z.strictObject({ server_id: z.string() });
export type McpServerRef = z.infer<typeof McpServerRef>;

export const UpdateMcpServerInput = McpServerRef.extend({
  name: McpServerName.optional(),
  transport: McpTransport.optional(),
  approval: McpApproval.optional(),
  timeout_seconds: McpServerInput.shape.timeout_seconds.unwrap().optional(),
  enabled: z.boolean().optional(),
  /** Those that are not named stay. */
  secrets: McpSecrets.optional(),
});
export type UpdateMcpServerInput = z.infer<typeof UpdateMcpServerInput>;

/** A tool of a server. */
export const McpServerTool = z
  .object({
    /** The name by which models call it. */
    name: z.string(),
    /** The name that the server has given it. */
    tool: z.string(),
    description: z.string(),
    needs_approval: z.boolean(),
  })
  .meta({ id: "McpServerTool" });
export type McpServerTool = z.infer<typeof McpServerTool>;

export const McpServerState = z.enum(["off", "connecting", "connected", "failed"]);
export type McpServerState = z.infer<typeof McpServerState>;

/** An MCP server as the settings show it, with its state in the process that answers. */
export const McpServer = z
  .object({
    id: z.uuid(),
    ...McpServerInput.omit({ secrets: true }).shape,
    /** The names of the secrets that are stored. */
    secret_names: z.array(z.string()),
    state: McpServerState,
    /** Why it is not connected, or was not connected last. */
    error: z.string().optional(),
    tools: z.array(McpServerTool),
    /** A sentence for each thing that was left out. */
    notices: z.array(z.string()),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "McpServer" });
export type McpServer = z.infer<typeof McpServer>;

export const McpServerList = z.object({ data: z.array(McpServer) });
export type McpServerList = z.infer<typeof McpServerList>;

export const McpServerTestResult = z
  .object({
    ok: z.boolean(),
    message: z.string(),
    /** Why it failed. */
    detail: z.string().optional(),
    duration_ms: z.int(),
  })
  .meta({ id: "McpServerTestResult" });
export type McpServerTestResult = z.infer<typeof McpServerTestResult>;
