import { isJsonObject } from "./is-json-object";
import type { JsonObject, JsonValue } from "./json";
import { isSecretName, McpServerInput } from "./mcp-server";

/** An entry of a configuration that was pasted, as it would be added. */
export type McpConfigEntry = {
  /** The key of the entry. */
  key: string;
  /** Undefined if it cannot be added. */
  server: McpServerInput | undefined;
  /** Why it cannot be added, in sentences. */
  errors: readonly string[];
};

/** The keys under which programs keep the entries: Claude Desktop and Cursor, VS Code. */
const LIST_KEYS = ["mcpServers", "servers"];

/**
 * Reads the servers of a configuration as Claude Desktop, Cursor and VS Code write it.
 *
 * @returns a sentence if it is no such configuration.
 */
export const parseMcpConfig = (text: string): { entries: McpConfigEntry[] } | { error: string } => {
  let config: JsonValue;
  try {
    config = JSON.parse(text) as JsonValue;
  } catch {
    return {
      error: "This is not JSON. Paste the whole configuration, from the first { to the last }.",
    };
  }
  const list = findList(config);
  if (list === undefined) {
    return {
      error: 'There are no servers in it. They are expected in {"mcpServers": {"name": …}}.',
    };
  }
  const entries = Object.entries(list).map(([key, value]) => toEntry(key, value));
  if (entries.length === 0) return { error: "There are no servers in it." };
  return {
    entries: entries.map((entry, index) => refuseRepeatedName(entry, entries.slice(0, index))),
  };
};

const findList = (config: JsonValue): JsonObject | undefined => {
  if (!isJsonObject(config)) return undefined;
  for (const key of LIST_KEYS) if (isJsonObject(config[key])) return config[key];
  if (isJsonObject(config.mcp)) return findList(config.mcp);
  const values = Object.values(config);
  // The entries alone, as documentation often shows them.
  return values.length > 0 && values.every(isEntry) ? config : undefined;
};

const isEntry = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && ("command" in value || "url" in value || "serverUrl" in value);

const MAX_NAME_LENGTH = 32;

/** Converts a key to a name that a server can have here. */
const toName = (key: string): string =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|(?<!-)-+$/g, "");

const toEntry = (key: string, value: JsonValue): McpConfigEntry => {
  if (!isJsonObject(value)) return refuse(key, ["It is not an object."]);
  if (value.type === "sse") return refuse(key, [OUTDATED]);
  const { transport, secrets, errors } = isHttp(value) ? readHttp(value) : readProgram(value);
  const parsed = McpServerInput.safeParse({
    name: toName(key),
    transport,
    enabled: value.disabled !== true,
    ...(Object.keys(secrets).length > 0 && { secrets }),
  });
  const refused = (parsed.error?.issues ?? []).map(({ path, message }) => describe(path, message));
  const all = [...errors, ...findPlaceholders(value), ...refused];
  return all.length > 0 ? refuse(key, all) : { key, server: parsed.data, errors: [] };
};

const OUTDATED =
  "It uses server-sent events (sse), which are outdated. Use its address for streamable HTTP.";

const isHttp = ({ type, command }: JsonObject): boolean =>
  type === undefined ? command === undefined : type !== "stdio";

const readHttp = ({ url, serverUrl, headers }: JsonObject) => {
  const { open, ...rest } = splitValues(headers, "headers");
  return { ...rest, transport: { type: "http", url: url ?? serverUrl, headers: open } };
};

const readProgram = ({ command, args = [], env }: JsonObject) => {
  const { open, ...rest } = splitValues(env, "env");
  return { ...rest, transport: { type: "stdio", command, args, env: open } };
};

const refuse = (key: string, errors: readonly string[]): McpConfigEntry => ({
  key,
  server: undefined,
  errors: [...new Set(errors)],
});

/** Texts without spaces that are so long are tokens more often than settings. */
const TOKEN = /^(?=.*\d)[\w.~+/=-]{20,}$/;

/** Separates what is stored encrypted, by the name of the value or by its look. */
const splitValues = (values: JsonValue | undefined, what: string) => {
  const open: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const errors: string[] = [];
  if (values !== undefined && !isJsonObject(values)) errors.push(`${what} is not an object.`);
  for (const [name, value] of Object.entries(isJsonObject(values) ? values : {})) {
    if (typeof value === "object") {
      errors.push(`${what}: the value of ${name} is not a text.`);
      continue;
    }
    const text = String(value);
    const isSecret = isSecretName(name) || TOKEN.test(text);
    const isFilled = text !== "" && !/\$\{\w+\}/.test(text);
    (isSecret && isFilled ? secrets : open)[name] = text;
  }
  return { open, secrets, errors };
};

/** Values that another program would ask for. */
const findPlaceholders = (value: JsonObject): string[] =>
  [...JSON.stringify(value).matchAll(/\$\{(?:input|env):([^}"$]+)\}/g)].map(
    ([placeholder]) => `Enter the value in place of ${placeholder}.`,
  );

const describe = (path: readonly PropertyKey[], message: string): string => {
  const [part, ...rest] = path.map(String).filter((key) => key !== "transport");
  if (part === "name") return "Its name has no letter and no digit.";
  if (part === "url") return "Its url is not an address such as https://mcp.example.org/mcp.";
  if (part === "command") return "It has no command and no url.";
  return `${[part, ...rest].join(", ")}: ${message}.`;
};

const refuseRepeatedName = (
  entry: McpConfigEntry,
  before: readonly McpConfigEntry[],
): McpConfigEntry => {
  const { key, server } = entry;
  const other = before.find((one) => server && one.server?.name === server.name);
  return other
    ? refuse(key, [`Its name here, ${server?.name}, is that of ${other.key}, too.`])
    : entry;
};
