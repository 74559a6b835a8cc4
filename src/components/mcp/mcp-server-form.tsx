import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject } from "@/contract/json";
import { type McpServer, McpServerInput } from "@/contract/mcp-server";
import type { FormFrame } from "@/components/settings/editable-list";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { SettingForm } from "@/components/schema-form/setting-form";
import { SecretValues } from "@/components/schema-form/secret-values";
import { COMMAND_TEXT, valuesText } from "@/components/schema-form/text-formats";

type McpServerFormProps = FormFrame & {
  /** The server that is changed; undefined for a new one. */
  server: McpServer | undefined;
  onSubmit: (server: McpServerInput) => void;
};

/** Asks for the way to an MCP server, and for what its tools may do. */
const McpServerForm = ({ server, ...props }: McpServerFormProps) => (
  <SettingForm
    {...props}
    schema={McpServerInput}
    stored={server ? toStored(server) : { transport: { type: "http" } }}
    parts={(get) => [
      ...WAY,
      ...(get("transport/type") === "stdio" ? STDIO_FIELDS : HTTP_FIELDS),
      createSecretsField(get("transport/type"), server),
      ...LIMITS,
    ]}
    toInput={toInput}
    locate={(pointer) => pointer.replace(/^\/transport\/args(\/\d+)?/, "/transport/command")}
  />
);
export default McpServerForm;

/** A program and its arguments are entered as one command. */
const toStored = ({ transport, ...server }: McpServer) => {
  if (transport.type === "http") return { ...server, transport };
  const command = [transport.command, ...transport.args];
  return { ...server, transport: { ...transport, command } };
};

const toInput = ({ transport, ...values }: JsonObject): JsonObject => {
  const entered = isJsonObject(transport) ? transport : {};
  if (!Array.isArray(entered.command)) return { ...values, transport: entered };
  const [command = "", ...args] = entered.command;
  return { ...values, transport: { ...entered, command, args } };
};

/** The secrets of a way to a server: what is stored for the other way is not used, and removed. */
const createSecretsField = (type: unknown, server: McpServer | undefined): FormPart => {
  const isProgram = type === "stdio";
  return {
    path: "secrets",
    label: isProgram ? "Secret variables" : "Secret headers",
    render: (control) => (
      <SecretValues
        {...control}
        label={isProgram ? "Secret variables" : "Secret headers"}
        hint={`Stored encrypted, and never shown again, such as ${isProgram ? "API_TOKEN" : "Authorization with the value Bearer and a token"}.`}
        storedNames={server && server.transport.type === type ? server.secret_names : []}
      />
    ),
  };
};

const VARIABLES =
  "${MCP_TOKEN} is the value of the variable MCP_TOKEN of this server's environment, where MCP_TOKEN_HOSTS says which hosts may get it.";

const WAY: readonly FormPart[] = [
  {
    path: "name",
    label: "Name",
    hint: "The names of its tools begin with it, such as github_create_issue.",
    control: "code",
    autoFocus: true,
    error: "Enter a name of lower-case letters, digits and -, such as github.",
  },
  {
    path: "transport/type",
    label: "Connection",
    names: { http: "Connect to an address", stdio: "Run a program on this server" },
  },
];

const HTTP_FIELDS: readonly FormPart[] = [
  {
    path: "transport/url",
    label: "Address",
    hint: "The address for streamable HTTP, such as https://mcp.example.org/mcp.",
    control: "code",
    error: "Enter an address such as https://mcp.example.org/mcp.",
  },
  {
    path: "transport/headers",
    label: "Headers",
    hint: `One per line, such as X-Team: docs. ${VARIABLES}`,
    control: "code-lines",
    text: valuesText({
      separator: ": ",
      error: "Enter one header per line, such as X-Team: docs.",
    }),
  },
  {
    path: "transport/allow_private",
    label: "Allow private addresses",
    hint: "For a server on this machine or in its network. Metadata addresses of a cloud are always blocked.",
  },
];

const STDIO_FIELDS: readonly FormPart[] = [
  {
    path: "transport/command",
    label: "Command",
    hint: "A program and its arguments, without a shell. It runs in the sandbox, in a directory of its own.",
    control: "code",
    text: COMMAND_TEXT,
  },
  {
    path: "transport/env",
    label: "Variables",
    hint: `One per line, such as LOG_LEVEL=info. ${VARIABLES}`,
    control: "code-lines",
    text: valuesText({
      separator: "=",
      error: "Enter one variable per line, such as LOG_LEVEL=info.",
    }),
  },
  {
    path: "transport/network",
    label: "Allow the network",
    hint: "The whole network, including private addresses and this machine.",
  },
];

const LIMITS: readonly FormPart[] = [
  {
    path: "approval",
    label: "Approvals",
    names: {
      annotations: "Ask unless the server says that a tool is harmless",
      always: "Ask before every call",
      never: "Never ask",
    },
  },
  {
    path: "timeout_seconds",
    label: "Time limit of a call, in seconds",
    error: "Enter a number of seconds, such as 60.",
  },
];
