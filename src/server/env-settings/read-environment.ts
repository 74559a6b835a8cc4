import { type AgentLimits, DEFAULT_AGENT_LIMITS, MAX_AGENTS } from "@/contract/limits";
import { MCP_VARIABLE_PREFIX } from "@/contract/mcp-server";
import type { ProviderName } from "@/contract/model";
import { PROVIDERS } from "@/contract/providers";
import { SearchProviderName } from "@/contract/web";
import { readAddress } from "./read-address";
import { MAX_MEGABYTES, readExecResources } from "./read-exec-resources";
import {
  createSettingError,
  type ProviderSettings,
  type SectionReader,
  type SettingReader,
} from "./setting-reader";
import {
  parseDestination,
  parseFolder,
  parseFolders,
  parseList,
  parseMcpVariables,
  parseModels,
  parseOwner,
} from "./parse-values";

/** A year: what is kept longer is not temporary. */
const MAX_TEMPORARY_HOURS = 8_760;

const ROLES = ["all", "web", "worker"] as const;
const EXEC_SANDBOX_MODES = ["auto", "bubblewrap", "unshare", "none", "off"] as const;
const WEB_SEARCHES = ["auto", ...SearchProviderName.options, "off"] as const;
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const ON_OFF = ["on", "off"] as const;

/** A day: whoever lets an agent work longer has forgotten it. */
const MAX_AGENT_MINUTES = 24 * 60;

/**
 * Reads all settings, in the order of docs/settings.md.
 *
 * @throws {Error} for an invalid one.
 */
export const readEnvironment = (read: SettingReader) => ({
  ...readAddress(read.section("Address")),
  ...readNetwork(read.section("Network")),
  ...readData(read.section("Data")),
  ...readAccess(read.section("Accounts and keys")),
  ...readModels(read.section("Models")),
  ...readTools(read.section("Tools")),
  agentLimits: readAgentLimits(read.section("Agents")),
  ...readProcess(read.section("Process")),
});

/** Variables that most programs know; src/server/net reads them, in small letters too. */
const readNetwork = (read: SectionReader) => ({
  httpsProxy: read.text(
    "HTTPS_PROXY",
    "The proxy of your network, such as `http://proxy.example.org:3128`, for all https requests of the server: models, web tools, MCP servers. In small letters it counts first.",
  ),
  httpProxy: read.text("HTTP_PROXY", "The same for requests without encryption."),
  noProxy: read.text(
    "NO_PROXY",
    "Hosts that are reached without the proxy, comma separated: names with those below them, addresses, networks (`10.0.0.0/8`), or `*`. This machine always is.",
  ),
  extraCertificates: read.text(
    "NODE_EXTRA_CA_CERTS",
    "File with the certificates (PEM) of authorities that the server and its commands trust besides those of the system.",
  ),
});

const readData = (read: SectionReader) => ({
  dataDir: parseFolder(
    read.textOr("./data", {
      name: "PARLEY_DATA_DIR",
      about:
        "Folder of the embedded database, the workspaces of chats and the generated secret. With PostgreSQL, all processes share it.",
    }),
  ),
  databaseUrl: read.server(
    "DATABASE_URL",
    "A PostgreSQL server in place of the embedded one, for any number of processes: [what its address may have](operations.md#addresses-and-tls).",
  ),
  directUrl: read.server(
    "DATABASE_DIRECT_URL",
    "The same database without a pooler, where `DATABASE_URL` is the address of one. Notifications, single statements and migrations use it: two connections of each process, and more while it waits for a slow disk. [Needed](operations.md#poolers) with a pooler in transaction mode.",
  ),
  databasePool: read.int("PARLEY_DATABASE_POOL", {
    about: "Connections of one process for transactions; [others](operations.md) are more.",
    fallback: 10,
    min: 1,
    max: 500,
  }),
  secret: read.secret(
    "PARLEY_SECRET",
    "Signs cookies and encrypts the stored secrets: keys of models, secrets of MCP servers, the keys that sign notifications. Needed with `DATABASE_URL`, and the same in every process; otherwise the first start generates one.",
  ),
  workspacesMaxMegabytes: read.int("PARLEY_WORKSPACES_MAX_MB", {
    about:
      "What the workspaces of all chats may take of the disk together, in MB, also by commands: blocks of files, and 1 KB for each entry. One workspace may take 256 MB.",
    fallback: 10_240,
    min: 1,
    max: MAX_MEGABYTES,
  }),
  temporaryChatHours: read.int("PARLEY_TEMPORARY_CHAT_HOURS", {
    about:
      "After how many hours without a change a [temporary chat](temporary-chats.md) is deleted. It counts for chats that begin after the start.",
    fallback: 24,
    min: 1,
    max: MAX_TEMPORARY_HOURS,
  }),
  importMaxMegabytes: read.int("PARLEY_IMPORT_MAX_MB", {
    about:
      "Largest archive of chats that a person may [import](imports.md), in MB. Its documents may have four times as much, unpacked. The database keeps it until it is imported.",
    fallback: 1_024,
    min: 1,
    max: MAX_MEGABYTES,
  }),
});

const readAccess = (read: SectionReader) => ({
  owner: parseOwner(
    read.text(
      "PARLEY_OWNER_EMAIL",
      "E-mail address of the owner, whose account the start then makes without a browser.",
    ),
    read.text(
      "PARLEY_OWNER_PASSWORD",
      "Password of that account. The server forgets it when it has started; remove it after the first start.",
    ),
  ),
  apiKey: read.secret(
    "PARLEY_API_KEY",
    "An API key of the owner with the scope `admin`. When it is changed or removed, the next start revokes the earlier one.",
  ),
  publicDocs:
    read.choice("PARLEY_PUBLIC_DOCS", {
      about:
        "Whether the reference of the API (`/docs`, `/llms.txt`, `/api/v1/openapi.json`) is shown to everybody. With `off` it needs a sign-in, or an API key.",
      choices: ON_OFF,
      fallback: "on",
    }) === "on",
  metricsToken: read.secret(
    "METRICS_TOKEN",
    "Bearer token with which other machines may read `GET /metrics`.",
  ),
});

const readProviders = (read: SectionReader): Partial<Record<ProviderName, ProviderSettings>> =>
  Object.fromEntries(
    Object.entries(PROVIDERS).flatMap(([provider, { variables }]) =>
      variables === null ? [] : [[provider, read.provider(variables.key, variables.address)]],
    ),
  );

const PROVIDER_LIST = Object.keys(PROVIDERS)
  .map((provider) => `\`${provider}\``)
  .join(", ");

const readModels = (read: SectionReader) => ({
  models: parseModels(
    read.textOr("demo/demo,demo/xml", {
      name: "PARLEY_MODELS",
      about: `Models as \`provider/model\`, comma separated; the first is the default until an administrator chooses one. Providers are ${PROVIDER_LIST}. Write \`=xml\` after a model that cannot call tools. More can be added in _Settings → Models_.`,
    }),
  ),
  providers: readProviders(read),
  titles:
    read.choice("PARLEY_TITLES", {
      about: "Whether a model call names each new chat.",
      choices: ON_OFF,
      fallback: "on",
    }) === "on",
  advisor:
    read.choice("PARLEY_ADVISOR", {
      about: "Whether the agent can ask [the advisor](advisor.md) until an administrator decides.",
      choices: ON_OFF,
      fallback: "off",
    }) === "on",
});

const readTools = (read: SectionReader) => ({
  execSandbox: read.choice("PARLEY_EXEC_SANDBOX", {
    about:
      "What commands of the model run in. `auto` takes bubblewrap, then `unshare`; if neither works, no commands are offered. With `none` they run as the server's account, and each needs an approval of its own.",
    choices: EXEC_SANDBOX_MODES,
    fallback: "auto",
  }),
  execPaths: parseFolders(
    read.text(
      "PARLEY_EXEC_PATHS",
      "Folders outside of `/usr` whose programs commands and MCP servers may run, separated by colons, such as `/opt/python:/home/me/.nvm/versions/node/v24`. They are shown read-only, and their `bin` comes first in `PATH`. A folder with secrets, such as a home, is refused.",
    ),
  ),
  execResources: readExecResources(read),
  webAllow: parseList(
    read.text(
      "PARLEY_WEB_ALLOW",
      "Host names, addresses and networks (`10.0.0.0/8`) that tools may reach although they are not public, comma separated.",
    ),
  ).map(parseDestination),
  webSearch: readWebSearch(read),
  recipesDir: toFolder(
    read.text(
      "RECIPES_DIR",
      "Folder of files with [recipes](recipes.md), which are tools of your own. `recipes` has those that come with Parley.",
    ),
  ),
  ...parseMcpVariables(
    read.prefixed(
      MCP_VARIABLE_PREFIX,
      "Values that [MCP servers](mcp.md) may get, such as `MCP_GITHUB_TOKEN`. Where each of them may go is in a variable beside it, such as `MCP_GITHUB_TOKEN_HOSTS`: host names, comma separated, for `https`, other origins as `http://10.0.0.5:8080`, and `program` for all programs, which may send it anywhere.",
    ),
  ),
});

const toFolder = (folder: string | null): string | null =>
  folder === null ? null : parseFolder(folder);

const readWebSearch = (read: SectionReader) => {
  const settings = {
    use: read.choice("PARLEY_WEB_SEARCH", {
      about:
        "Which provider `web_search` asks. `auto` asks those that are configured until one answers, in the order Tavily, Brave, SearXNG.",
      choices: WEB_SEARCHES,
      fallback: "auto",
    }),
    tavilyApiKey: read.text("TAVILY_API_KEY", "Key for Tavily."),
    braveApiKey: read.text("BRAVE_API_KEY", "Key for Brave Search."),
    searxngUrl: read.webUrl(
      "SEARXNG_URL",
      "Address of a SearXNG server, which must allow the format `json`.",
    ),
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

const readAgentLimits = (read: SectionReader): AgentLimits => {
  const { running, perChat, perTurn, turnMinutes } = DEFAULT_AGENT_LIMITS;
  return {
    running: read.int("PARLEY_AGENTS_RUNNING", {
      about: "Agents of one chat that run at a time. More are queued.",
      fallback: running,
      min: 1,
      max: MAX_AGENTS,
    }),
    perChat: read.int("PARLEY_AGENTS_PER_CHAT", {
      about: "Agents that one chat may have.",
      fallback: perChat,
      min: 1,
      max: MAX_AGENTS,
    }),
    perTurn: read.int("PARLEY_AGENTS_PER_TURN", {
      about: "Agents that one turn may start.",
      fallback: perTurn,
      min: 1,
      max: MAX_AGENTS,
    }),
    turnMinutes: read.int("PARLEY_AGENT_MINUTES", {
      about: "How long an agent works at a time. Then it fails, with what it has written.",
      fallback: turnMinutes,
      min: 1,
      max: MAX_AGENT_MINUTES,
    }),
    costMicros: read.cost(
      "PARLEY_AGENTS_COST",
      "What the agents of one chat may cost together, such as `2.50`, in the currency of the models' prices. See [Tasks](tasks.md).",
    ),
  };
};

const readProcess = (read: SectionReader) => ({
  role: read.choice("PARLEY_ROLE", {
    about:
      "What the process does. `web` and `worker` need PostgreSQL. `npm run worker` starts a worker without the web server.",
    choices: ROLES,
    fallback: "all",
  }),
  workerConcurrency: read.int("PARLEY_WORKER_CONCURRENCY", {
    about:
      "Turns that one process runs at a time for one owner at one provider. It runs up to half as many more for others.",
    fallback: 16,
    min: 1,
    max: 1_000,
  }),
  logLevel: read.choice("LOG_LEVEL", {
    about: "The least important messages that are logged. Each request is one at `info`.",
    choices: LOG_LEVELS,
    fallback: "info",
  }),
});
