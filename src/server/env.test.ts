import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { PROVIDERS } from "@/contract/providers";
import { shareInProcess } from "./share-in-process";
import { appSecret, env, forgetOwner, parseEnv } from "./env";

const LONG = "0123456789abcdef0123456789abcdef";
const POSTGRES = { DATABASE_URL: "postgresql://parley@db/parley", PARLEY_SECRET: LONG };

describe("parseEnv", () => {
  it("has defaults: one process with the embedded database and the demo model", () => {
    expect(parseEnv({})).toEqual({
      databaseUrl: null,
      directUrl: null,
      databasePool: 10,
      dataDir: path.resolve("data"),
      workspacesMaxMegabytes: 10_240,
      importMaxMegabytes: 1_024,
      temporaryChatHours: 24,
      port: 3000,
      hostname: "127.0.0.1",
      role: "all",
      secret: null,
      publicUrl: null,
      allowedHosts: [],
      corsOrigins: [],
      publicDocs: true,
      trustedProxies: [],
      webAllow: [],
      mcpVariables: {},
      mcpDestinations: {},
      urlLogins: [],
      webSearch: { use: "auto", tavilyApiKey: null, braveApiKey: null, searxngUrl: null },
      providers: Object.fromEntries(
        Object.entries(PROVIDERS).flatMap(([name, { variables }]) =>
          variables ? [[name, { apiKey: undefined, baseUrl: undefined }]] : [],
        ),
      ),
      models: [
        { provider: "demo", model: "demo" },
        { provider: "demo", model: "xml" },
      ],
      owner: null,
      apiKey: null,
      workerConcurrency: 16,
      agentLimits: { running: 5, perChat: 50, perTurn: 20, turnMinutes: 30, costMicros: null },
      advisor: false,
      metricsToken: null,
      titles: true,
      httpsProxy: null,
      httpProxy: null,
      noProxy: null,
      extraCertificates: null,
      execPaths: [],
      execResources: { memoryMegabytes: null, totalMemoryMegabytes: null, processors: null },
      execSandbox: "auto",
      recipesDir: null,
      logLevel: "info",
    });
  });

  it("reads which models call tools as XML", () => {
    const { models } = parseEnv({ PARLEY_MODELS: "openai-compatible/phi3=xml,openai/gpt-5" });
    expect(models).toEqual([
      { provider: "openai-compatible", model: "phi3", toolProtocol: "xml" },
      { provider: "openai", model: "gpt-5" },
    ]);
  });

  it("reads every setting", () => {
    expect(
      parseEnv({
        ...POSTGRES,
        PARLEY_DATABASE_POOL: "4",
        PARLEY_DATA_DIR: "/var/lib/parley",
        PARLEY_WORKSPACES_MAX_MB: "512",
        PORT: "8080",
        HOSTNAME: "0.0.0.0",
        PARLEY_ROLE: "worker",
        PARLEY_PUBLIC_URL: "https://chat.example.org/",
        PARLEY_ALLOWED_HOSTS: "parley, Chat.internal",
        PARLEY_CORS_ORIGINS: "https://app.example.com, http://LOCALHOST:5173",
        PARLEY_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8, fd00::/8",
        MCP_GITHUB_TOKEN: "token",
        MCP_GITHUB_TOKEN_HOSTS: "api.github.com, GHE.example.org:8443,http://10.0.0.5:8080,program",
        MCP_OF_NOTHING_HOSTS: "a value like any other",
        MCP_OTHER: "other",
        MCP_OTHER_HOSTS: " ",
        PARLEY_EXEC_PATHS: "/opt/python: /home/me/.nvm/versions/node/v24/:",
        PARLEY_WEB_ALLOW: "Wiki.internal, 10.0.0.0/8,::1",
        PARLEY_WEB_SEARCH: "searxng",
        TAVILY_API_KEY: "tvly-1",
        SEARXNG_URL: "http://127.0.0.1:8888/",
        OPENAI_API_KEY: "sk-1",
        ANTHROPIC_BASE_URL: "http://127.0.0.1:4010/v1/",
        PARLEY_MODELS: "openai/gpt-5, openai-compatible/meta/llama:70b,openai/gpt-5,",
        PARLEY_OWNER_EMAIL: "owner@example.org",
        PARLEY_OWNER_PASSWORD: "long enough",
        PARLEY_API_KEY: LONG,
        PARLEY_PUBLIC_DOCS: "off",
        PARLEY_WORKER_CONCURRENCY: "2",
        PARLEY_AGENTS_RUNNING: "3",
        PARLEY_AGENTS_PER_CHAT: "10",
        PARLEY_AGENTS_PER_TURN: "4",
        PARLEY_AGENT_MINUTES: "5",
        PARLEY_AGENTS_COST: "2.50",
        PARLEY_ADVISOR: "on",
        METRICS_TOKEN: LONG,
        PARLEY_TITLES: "off",
        PARLEY_EXEC_SANDBOX: "unshare",
        RECIPES_DIR: "/srv/recipes",
        LOG_LEVEL: "debug",
      }),
    ).toMatchObject({
      databaseUrl: POSTGRES.DATABASE_URL,
      databasePool: 4,
      dataDir: "/var/lib/parley",
      workspacesMaxMegabytes: 512,
      port: 8080,
      hostname: "0.0.0.0",
      role: "worker",
      secret: LONG,
      publicUrl: "https://chat.example.org",
      allowedHosts: ["parley", "chat.internal"],
      corsOrigins: ["https://app.example.com", "http://localhost:5173"],
      trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"],
      mcpVariables: {
        MCP_GITHUB_TOKEN: "token",
        MCP_OTHER: "other",
        MCP_OF_NOTHING_HOSTS: "a value like any other",
      },
      mcpDestinations: {
        MCP_GITHUB_TOKEN: [
          "https://api.github.com",
          "https://ghe.example.org:8443",
          "http://10.0.0.5:8080",
          "program",
        ],
      },
      execPaths: ["/opt/python", "/home/me/.nvm/versions/node/v24"],
      webAllow: ["wiki.internal", "10.0.0.0/8", "::1"],
      webSearch: {
        use: "searxng",
        tavilyApiKey: "tvly-1",
        braveApiKey: null,
        searxngUrl: "http://127.0.0.1:8888",
      },
      providers: {
        openai: { apiKey: "sk-1", baseUrl: undefined },
        anthropic: { apiKey: undefined, baseUrl: "http://127.0.0.1:4010/v1" },
      },
      models: [
        { provider: "openai", model: "gpt-5" },
        { provider: "openai-compatible", model: "meta/llama:70b" },
      ],
      owner: { email: "owner@example.org", password: "long enough" },
      apiKey: LONG,
      publicDocs: false,
      workerConcurrency: 2,
      agentLimits: { running: 3, perChat: 10, perTurn: 4, turnMinutes: 5, costMicros: 2_500_000 },
      advisor: true,
      metricsToken: LONG,
      titles: false,
      execSandbox: "unshare",
      recipesDir: "/srv/recipes",
      logLevel: "debug",
    });
  });

  it("treats an empty variable as unset", () => {
    expect(parseEnv({ DATABASE_URL: "", PORT: " ", PARLEY_MODELS: "" })).toEqual(parseEnv({}));
  });

  it.each([
    [
      { DATABASE_URL: "mysql://db/parley" },
      /^DATABASE_URL is not the address of a PostgreSQL server: write it as postgresql:/,
    ],
    [
      { DATABASE_DIRECT_URL: POSTGRES.DATABASE_URL },
      /^DATABASE_DIRECT_URL is set, but DATABASE_URL/,
    ],
    [{ DATABASE_URL: POSTGRES.DATABASE_URL }, /^PARLEY_SECRET is not set, but DATABASE_URL is/],
    [{ PARLEY_SECRET: "short" }, /^PARLEY_SECRET has 5 characters: set it to at least 32/],
    [{ PARLEY_ROLE: "worker" }, /^PARLEY_ROLE .* embedded database serves one process/],
    [{ ...POSTGRES, PARLEY_ROLE: "both" }, /^PARLEY_ROLE is "both": set it to one of all, web/],
    [{ PARLEY_ADVISOR: "yes" }, /^PARLEY_ADVISOR is "yes": set it to one of on, off/],
    [{ METRICS_TOKEN: "short" }, /^METRICS_TOKEN has 5 characters: set it to at least 32/],
    [{ PORT: "80a" }, /^PORT is "80a": set it to a whole number from 0 to 65535/],
    [{ PORT: "65536" }, /^PORT is "65536"/],
    [{ PARLEY_WORKER_CONCURRENCY: "0" }, /^PARLEY_WORKER_CONCURRENCY is "0"/],
    [
      { PARLEY_AGENTS_RUNNING: "0" },
      /^PARLEY_AGENTS_RUNNING is "0": set it to a whole number from 1 to 500/,
    ],
    [{ PARLEY_AGENTS_COST: "0" }, /^PARLEY_AGENTS_COST is "0": set it to an amount above 0, such/],
    [{ PARLEY_AGENTS_COST: "2,50" }, /^PARLEY_AGENTS_COST is "2,50"/],
    [
      { PARLEY_WORKSPACES_MAX_MB: "0" },
      /^PARLEY_WORKSPACES_MAX_MB is "0": set it to a whole number from 1 to/,
    ],
    [{ PARLEY_WORKSPACES_MAX_MB: "1.5" }, /^PARLEY_WORKSPACES_MAX_MB is "1.5"/],
    [{ PARLEY_DATABASE_POOL: "-1" }, /^PARLEY_DATABASE_POOL is "-1"/],
    [{ PARLEY_PUBLIC_URL: "chat.example.org" }, /^PARLEY_PUBLIC_URL is not a valid URL/],
    [{ PARLEY_ALLOWED_HOSTS: "https://a.org" }, /^PARLEY_ALLOWED_HOSTS has "https:\/\/a.org"/],
    ...[
      "https://a.org/",
      "https://a.org/x",
      "a.org",
      "*",
      "null",
      "file://a",
      "https://me@a.org",
      "https://a.org:443",
    ].map((origin): [Record<string, string>, RegExp] => [
      { PARLEY_CORS_ORIGINS: `https://b.org,${origin}` },
      /^PARLEY_CORS_ORIGINS has ".*write origins/,
    ]),
    [{ PARLEY_ALLOWED_HOSTS: "a.org:80" }, /^PARLEY_ALLOWED_HOSTS has "a.org:80"/],
    [{ PARLEY_TRUSTED_PROXIES: "nginx" }, /^PARLEY_TRUSTED_PROXIES has "nginx": write addresses/],
    [{ PARLEY_TRUSTED_PROXIES: "10.0.0.0/33" }, /^PARLEY_TRUSTED_PROXIES has "10.0.0.0\/33"/],
    [{ PARLEY_TRUSTED_PROXIES: "10.0.0.0/8/8" }, /^PARLEY_TRUSTED_PROXIES has/],
    [
      { PARLEY_WEB_ALLOW: "http://wiki.internal" },
      /^PARLEY_WEB_ALLOW has "http:\/\/wiki.internal": write host/,
    ],
    [{ PARLEY_EXEC_PATHS: "/opt:python" }, /^PARLEY_EXEC_PATHS has "python": write absolute/],
    [{ PARLEY_WEB_ALLOW: "wiki.internal,10.0.0.300" }, /^PARLEY_WEB_ALLOW has "10.0.0.300"/],
    [{ PARLEY_WEB_ALLOW: "10.0.0.0/33" }, /^PARLEY_WEB_ALLOW has "10.0.0.0\/33"/],
    [{ PARLEY_WEB_ALLOW: "*.internal" }, /^PARLEY_WEB_ALLOW has "\*.internal"/],
    [{ PARLEY_WEB_SEARCH: "bing" }, /^PARLEY_WEB_SEARCH is "bing": set it to one of auto, tavily/],
    [{ PARLEY_WEB_SEARCH: "brave" }, /^PARLEY_WEB_SEARCH is "brave", but BRAVE_API_KEY is not set/],
    [{ SEARXNG_URL: "searx.internal" }, /^SEARXNG_URL is not a valid URL/],
    [{ OPENAI_BASE_URL: "ftp://example.org" }, /^OPENAI_BASE_URL is not a valid URL/],
    [{ PARLEY_MODELS: "gpt-5" }, /^PARLEY_MODELS has "gpt-5": write each model as provider\/model/],
    [{ PARLEY_MODELS: "mistral/large" }, /^PARLEY_MODELS has "mistral\/large"/],
    [{ PARLEY_MODELS: "openai/" }, /^PARLEY_MODELS has "openai\/"/],
    [{ PARLEY_MODELS: "openai/=xml" }, /^PARLEY_MODELS has "openai\/=xml"/],
    [{ PARLEY_MODELS: "," }, /^PARLEY_MODELS names no model/],
    [{ PARLEY_OWNER_EMAIL: "o@example.org" }, /^PARLEY_OWNER_PASSWORD is not set/],
    [{ PARLEY_OWNER_PASSWORD: "long enough" }, /^PARLEY_OWNER_EMAIL is not set/],
    [
      { PARLEY_OWNER_EMAIL: "o", PARLEY_OWNER_PASSWORD: "long enough" },
      /^PARLEY_OWNER_EMAIL is "o"/,
    ],
    [
      { PARLEY_OWNER_EMAIL: "o@localhost", PARLEY_OWNER_PASSWORD: "long enough" },
      /^PARLEY_OWNER_EMAIL is "o@localhost"/,
    ],
    [
      { PARLEY_OWNER_EMAIL: "o@example.org", PARLEY_OWNER_PASSWORD: "x".repeat(129) },
      /^PARLEY_OWNER_PASSWORD has 129 characters/,
    ],
    [
      { PARLEY_OWNER_EMAIL: "o@example.org", PARLEY_OWNER_PASSWORD: "short" },
      /^PARLEY_OWNER_PASSWORD has 5 characters: give it 8 to 128/,
    ],
    [
      { MCP_A: "a", MCP_A_HOSTS: "*.example.org" },
      /^MCP_A_HOSTS has "\*\.example\.org": write host/,
    ],
    [{ MCP_A: "a", MCP_A_HOSTS: "example.org/mcp" }, /^MCP_A_HOSTS has "example.org\/mcp"/],
    [{ MCP_A: "a", MCP_A_HOSTS: "x@example.org" }, /^MCP_A_HOSTS has "x@example.org"/],
    [{ MCP_A: "a", MCP_A_HOSTS: "ftp://example.org" }, /^MCP_A_HOSTS has "ftp:/],
    [{ PARLEY_API_KEY: "abc" }, /^PARLEY_API_KEY has 3 characters/],
    [{ PARLEY_TITLES: "yes" }, /^PARLEY_TITLES is "yes": set it to one of on, off/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL is "loud": set it to one of fatal/],
  ])("rejects %o with a sentence", (variables, sentence) => {
    expect(() => parseEnv(variables)).toThrow(sentence);
  });

  it("never repeats a secret in its errors", () => {
    const secrets = { PARLEY_SECRET: "hush", PARLEY_API_KEY: "hush", DATABASE_URL: "x://u:hush@h" };
    for (const [name, value] of Object.entries(secrets)) {
      expect(() => parseEnv({ [name]: value })).toThrow(/^(?!.*hush)/);
    }
  });
});

describe("forgetOwner", () => {
  it("leaves no password in the settings and the environment of the process", () => {
    const owner = { PARLEY_OWNER_EMAIL: "o@example.org", PARLEY_OWNER_PASSWORD: "Summer 2026" };
    for (const [name, value] of Object.entries(owner)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const settings = parseEnv(process.env);
    expect(settings.owner?.password).toBe("Summer 2026");
    forgetOwner(settings);
    expect(JSON.stringify([settings, process.env])).not.toContain("Summer 2026");
    expect(parseEnv(process.env).owner).toBeNull();
  });

  it("reaches all bundles of a process, as they share the settings", () => {
    const settings = env();
    expect(shareInProcess("settings", () => undefined)).toBe(settings);
  });
});

describe("appSecret", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-secret-"));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });

  it("is the setting if it is set", () => {
    expect(appSecret({ secret: LONG, dataDir })).toBe(LONG);
  });

  it("is created once, and readable by its owner only", () => {
    const created = appSecret({ secret: null, dataDir });
    expect(created.length).toBeGreaterThanOrEqual(32);
    expect(appSecret({ secret: null, dataDir })).toBe(created);
    const file = path.join(dataDir, "secret");
    expect(readFileSync(file, "utf8").trim()).toBe(created);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is rejected when its file was truncated", () => {
    writeFileSync(path.join(dataDir, "secret"), "abc");
    expect(() => appSecret({ secret: null, dataDir })).toThrow(/damaged: delete the file/);
  });

  it("says what is wrong with a directory in its place, or a file in the place of the data directory", () => {
    mkdirSync(path.join(dataDir, "secret"));
    expect(() => appSecret({ secret: null, dataDir })).toThrow(
      `The secret in ${dataDir}/secret cannot be read (EISDIR`,
    );
    const file = path.join(dataDir, "file");
    writeFileSync(file, "");
    expect(() => appSecret({ secret: null, dataDir: file })).toThrow(
      `The data directory ${file} cannot be created (EEXIST`,
    );
  });
});
