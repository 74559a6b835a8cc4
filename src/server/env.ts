import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { NewOwner } from "@/contract/account";
import {
  type AgentLimits,
  DEFAULT_AGENT_LIMITS,
  MAX_AGENTS,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "@/contract/limits";
import { MCP_VARIABLE_PREFIX } from "@/contract/mcp-server";
import { ProviderName, type ToolProtocol } from "@/contract/model";
import { SearchProviderName } from "@/contract/web";
import {
  createReader,
  createSettingError,
  MIN_SECRET_LENGTH,
  type ProviderSettings,
  type SettingReader,
} from "./env-reader";

/** A model as `PARLEY_MODELS` names it. */
export type ModelName = { provider: ProviderName; model: string; toolProtocol?: ToolProtocol };

/** Access to the providers of web search, and which of them is used. */
export type WebSearchSettings = {
  use: (typeof WEB_SEARCHES)[number];
  tavilyApiKey: string | null;
  braveApiKey: string | null;
  /** Without a trailing slash. */
  searxngUrl: string | null;
};

/** All settings, validated. README.md documents each for operators. */
export type Env = {
  /** Null for the embedded database. */
  databaseUrl: string | null;
  /** Maximum of connections to PostgreSQL per process. */
  databasePool: number;
  /** Absolute. */
  dataDir: string;
  /** Maximum size of the workspaces of all chats together, in megabytes of 1024 × 1024 bytes. */
  workspacesMaxMegabytes: number;
  port: number;
  hostname: string;
  role: "all" | "web" | "worker";
  /** Null until `appSecret` creates one. */
  secret: string | null;
  /** Without a trailing slash; null for the host of each request. */
  publicUrl: string | null;
  /** Names under which the server is reached, besides that of the public URL; in lower case. */
  allowedHosts: string[];
  /** Addresses and networks (CIDR) of the proxies whose forwarding headers are believed. */
  trustedProxies: string[];
  /** Host names, addresses and networks (CIDR) that tools reach although they are not public. */
  webAllow: string[];
  webSearch: WebSearchSettings;
  /** Variables that MCP servers may get, by their names. */
  mcpVariables: Record<string, string>;
  providers: Record<Exclude<ProviderName, "demo">, ProviderSettings>;
  /** At least one; the first is the default. */
  models: ModelName[];
  owner: { email: string; password: string } | null;
  /** The owner's first API key. */
  apiKey: string | null;
  /** Maximum of chats that one worker runs at the same time. */
  workerConcurrency: number;
  agentLimits: AgentLimits;
  /** Whether the advisor is on until the owner changes its settings. */
  advisor: boolean;
  /** Bearer token for `/metrics`; null allows requests from this machine only. */
  metricsToken: string | null;
  /** Whether new chats get a title from their model. */
  titles: boolean;
  /** What commands of the model run in; `auto` takes what works, and nothing without isolation. */
  execSandbox: ExecSandboxMode;
  /** The folder of recipes, absolute; null without one. */
  recipesDir: string | null;
  logLevel: LogLevel;
};

type Variables = Record<string, string | undefined>;

const ROLES = ["all", "web", "worker"] as const;
const EXEC_SANDBOX_MODES = ["auto", "bubblewrap", "unshare", "none", "off"] as const;
export type ExecSandboxMode = (typeof EXEC_SANDBOX_MODES)[number];
const WEB_SEARCHES = ["auto", ...SearchProviderName.options, "off"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** A day: whoever lets an agent work longer has forgotten it. */
const MAX_AGENT_MINUTES = 24 * 60;

let parsed: Env | undefined;

/** @returns the settings of this process, parsed once. @throws {Error} for an invalid setting. */
export const env = (): Env => (parsed ??= parseEnv(process.env));

/** Reads the log level alone, as the log must work with invalid settings and in a build. */
export const logLevel = (): LogLevel =>
  LOG_LEVELS.find((level) => level === process.env.LOG_LEVEL) ?? "info";

/** @throws {Error} one sentence that names the variable, the problem and the remedy. */
export const parseEnv = (variables: Variables): Env => {
  const read = createReader(variables);
  const databaseUrl = read.url("DATABASE_URL", ["postgresql:", "postgres:"]);
  const role = read.choice("PARLEY_ROLE", ROLES, "all");
  if (databaseUrl === null && role !== "all") {
    throw createSettingError(
      "PARLEY_ROLE",
      `is "${role}", but the embedded database serves one process only`,
      {
        remedy: 'set DATABASE_URL to a PostgreSQL server, or PARLEY_ROLE to "all"',
      },
    );
  }
  const secret = read.secret("PARLEY_SECRET");
  if (databaseUrl !== null && secret === null) {
    throw createSettingError("PARLEY_SECRET", "is not set, but DATABASE_URL is", {
      remedy: "set it to the same random text in every process (openssl rand -base64 32)",
    });
  }
  return {
    databaseUrl,
    databasePool: read.int("PARLEY_DATABASE_POOL", { fallback: 10, min: 1, max: 500 }),
    dataDir: path.resolve(/* turbopackIgnore: true */ read.text("PARLEY_DATA_DIR") ?? "data"),
    workspacesMaxMegabytes: read.int("PARLEY_WORKSPACES_MAX_MB", {
      fallback: 10_240,
      min: 1,
      max: 1_000_000_000,
    }),
    port: read.int("PORT", { fallback: 3000, min: 0, max: 65_535 }),
    hostname: read.text("HOSTNAME") ?? "127.0.0.1",
    role,
    secret,
    publicUrl: read.url("PARLEY_PUBLIC_URL", ["https:", "http:"])?.replace(/\/+$/, "") ?? null,
    allowedHosts: parseList(read.text("PARLEY_ALLOWED_HOSTS")).map(parseHost),
    trustedProxies: parseList(read.text("PARLEY_TRUSTED_PROXIES")).map(parseNetwork),
    webSearch: parseWebSearch(read),
    mcpVariables: findMcpVariables(variables),
    webAllow: parseList(read.text("PARLEY_WEB_ALLOW")).map(parseDestination),
    providers: {
      openai: read.provider("OPENAI_API_KEY", "OPENAI_BASE_URL"),
      anthropic: read.provider("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
      google: read.provider("GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_BASE_URL"),
      "openai-compatible": read.provider("OPENAI_COMPATIBLE_API_KEY", "OPENAI_COMPATIBLE_BASE_URL"),
    },
    models: parseModels(read.text("PARLEY_MODELS") ?? "demo/demo,demo/xml"),
    owner: parseOwner(read.text("PARLEY_OWNER_EMAIL"), read.text("PARLEY_OWNER_PASSWORD")),
    apiKey: read.secret("PARLEY_API_KEY"),
    workerConcurrency: read.int("PARLEY_WORKER_CONCURRENCY", { fallback: 16, min: 1, max: 1_000 }),
    agentLimits: parseAgentLimits(read),
    advisor: read.choice("PARLEY_ADVISOR", ["on", "off"], "off") === "on",
    metricsToken: read.secret("METRICS_TOKEN"),
    titles: read.choice("PARLEY_TITLES", ["on", "off"], "on") === "on",
    execSandbox: read.choice("PARLEY_EXEC_SANDBOX", EXEC_SANDBOX_MODES, "auto"),
    recipesDir: parseFolder(read.text("RECIPES_DIR")),
    logLevel: read.choice("LOG_LEVEL", LOG_LEVELS, "info"),
  };
};

/**
 * Returns the secret that signs cookies. With the embedded database, the first start creates it in
 * the data directory, so that sessions outlive a restart.
 *
 * @throws {Error} when its file is damaged.
 */
export const appSecret = ({ secret, dataDir }: Pick<Env, "secret" | "dataDir">): string => {
  if (secret !== null) return secret;
  const file = path.join(/* turbopackIgnore: true */ dataDir, "secret");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const storedSecret = readFileSync(/* turbopackIgnore: true */ file, "utf8").trim();
  if (storedSecret.length >= MIN_SECRET_LENGTH) return storedSecret;
  throw new Error(
    `The secret in ${file} is damaged: delete the file, and everyone signs in again.`,
  );
};

const parseFolder = (folder: string | null): string | null =>
  folder === null ? null : path.resolve(/* turbopackIgnore: true */ folder);

const findMcpVariables = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] =>
        entry[0].startsWith(MCP_VARIABLE_PREFIX) && entry[1] !== undefined,
    ),
  );

const parseList = (list: string | null): string[] =>
  (list ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const isHostName = (text: string): boolean => /^[\w-]+(?:\.[\w-]+)*$/.test(text);

const parseHost = (host: string): string => {
  if (isHostName(host)) return host.toLowerCase();
  throw createSettingError("PARLEY_ALLOWED_HOSTS", `has "${host}"`, {
    remedy: "write host names without scheme and port, such as chat.example.org",
  });
};

/** Whether a text is an address, or a network as CIDR. */
const isNetwork = (text: string): boolean => {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
};

const parseNetwork = (network: string): string => {
  if (isNetwork(network)) return network;
  throw createSettingError("PARLEY_TRUSTED_PROXIES", `has "${network}"`, {
    remedy: "write addresses or networks, such as 127.0.0.1 or 10.0.0.0/8",
  });
};

const parseDestination = (entry: string): string => {
  // A name that ends in a number is an address with a mistake in it.
  if (isNetwork(entry) || (isHostName(entry) && !/(?:^|\.)\d+$/.test(entry)))
    return entry.toLowerCase();
  throw createSettingError("PARLEY_WEB_ALLOW", `has "${entry}"`, {
    remedy: "write host names, addresses or networks, such as wiki.example.internal or 10.0.0.0/8",
  });
};

const parseAgentLimits = (read: SettingReader): AgentLimits => {
  const { running, perChat, perTurn, turnMinutes } = DEFAULT_AGENT_LIMITS;
  const upTo = (max: number, fallback: number) => ({ fallback, min: 1, max });
  return {
    running: read.int("PARLEY_AGENTS_RUNNING", upTo(MAX_AGENTS, running)),
    perChat: read.int("PARLEY_AGENTS_PER_CHAT", upTo(MAX_AGENTS, perChat)),
    perTurn: read.int("PARLEY_AGENTS_PER_TURN", upTo(MAX_AGENTS, perTurn)),
    turnMinutes: read.int("PARLEY_AGENT_MINUTES", upTo(MAX_AGENT_MINUTES, turnMinutes)),
    costMicros: read.cost("PARLEY_AGENTS_COST"),
  };
};

const parseWebSearch = (read: SettingReader): WebSearchSettings => {
  const settings = {
    use: read.choice("PARLEY_WEB_SEARCH", WEB_SEARCHES, "auto"),
    tavilyApiKey: read.text("TAVILY_API_KEY"),
    braveApiKey: read.text("BRAVE_API_KEY"),
    searxngUrl: read.url("SEARXNG_URL", ["https:", "http:"])?.replace(/\/+$/, "") ?? null,
  };
  const { use } = settings;
  const needed = {
    auto: null,
    off: null,
    tavily: settings.tavilyApiKey === null ? "TAVILY_API_KEY" : null,
    brave: settings.braveApiKey === null ? "BRAVE_API_KEY" : null,
    searxng: settings.searxngUrl === null ? "SEARXNG_URL" : null,
  }[use];
  if (needed === null) return settings;
  throw createSettingError("PARLEY_WEB_SEARCH", `is "${use}", but ${needed} is not set`, {
    remedy: `set ${needed}, or PARLEY_WEB_SEARCH to "auto"`,
  });
};

/** Marks a model that calls tools as XML in its answers. */
const XML_SUFFIX = "=xml";

const parseModels = (list: string): ModelName[] => {
  const models = new Map<string, ModelName>();
  for (const item of parseList(list)) {
    const isXml = item.endsWith(XML_SUFFIX);
    const name = isXml ? item.slice(0, -XML_SUFFIX.length) : item;
    const slash = name.indexOf("/");
    const provider = ProviderName.safeParse(name.slice(0, slash));
    const model = name.slice(slash + 1);
    if (slash < 1 || !provider.success || model === "") {
      throw createSettingError("PARLEY_MODELS", `has "${item}"`, {
        remedy: `write each model as provider/model, with a provider of ${ProviderName.options.join(", ")}`,
      });
    }
    models.set(name, { provider: provider.data, model, ...(isXml && { toolProtocol: "xml" }) });
  }
  if (models.size > 0) return [...models.values()];
  throw createSettingError("PARLEY_MODELS", "names no model", {
    remedy: "name one, such as demo/demo",
  });
};

const parseOwner = (email: string | null, password: string | null): Env["owner"] => {
  if (email === null && password === null) return null;
  if (email === null || password === null) {
    const missing = email === null ? "PARLEY_OWNER_EMAIL" : "PARLEY_OWNER_PASSWORD";
    throw createSettingError(missing, "is not set, but the other one is", {
      remedy: "set PARLEY_OWNER_EMAIL and PARLEY_OWNER_PASSWORD, or neither",
    });
  }
  if (!NewOwner.shape.email.safeParse(email).success) {
    throw createSettingError("PARLEY_OWNER_EMAIL", `is "${email}"`, {
      remedy: "set it to an e-mail address",
    });
  }
  if (!NewOwner.shape.password.safeParse(password).success) {
    throw createSettingError("PARLEY_OWNER_PASSWORD", `has ${password.length} characters`, {
      remedy: `give it ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH}`,
    });
  }
  return { email, password };
};
