import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NewOwner } from "@/contract/account";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/contract/limits";
import { ProviderName } from "@/contract/model";

/** A model as it is named in `PARLEY_MODELS`. */
export type ModelName = { provider: ProviderName; model: string };

/** How a provider is reached; an address left out is its own. */
export type ProviderSettings = { apiKey: string | undefined; baseUrl: string | undefined };

/** All settings, checked. README.md explains each to operators. */
export type Env = {
  /** Null is the embedded database. */
  databaseUrl: string | null;
  /** Connections of one process to PostgreSQL. */
  databasePool: number;
  /** Absolute. */
  dataDir: string;
  port: number;
  hostname: string;
  role: "all" | "web" | "worker";
  /** Null until `appSecret` makes one. */
  secret: string | null;
  /** Without a slash at the end; null is wherever a request came to. */
  publicUrl: string | null;
  providers: Record<Exclude<ProviderName, "demo">, ProviderSettings>;
  /** At least one; the first is the default. */
  models: ModelName[];
  owner: { email: string; password: string } | null;
  /** The owner's first API key. */
  apiKey: string | null;
  /** Chats that one worker runs at once. */
  workerConcurrency: number;
  /** The advisor is on until an administrator decides otherwise. */
  advisor: boolean;
  /** What a request for metrics carries; null lets only this machine ask. */
  metricsToken: string | null;
  /** New chats are given a title by their model. */
  titles: boolean;
  logLevel: LogLevel;
};

type Variables = Record<string, string | undefined>;

const ROLES = ["all", "web", "worker"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** As many as 256 bits in base 64 need, so that it cannot be guessed. */
const MIN_SECRET_LENGTH = 32;

let parsed: Env | undefined;

/** The settings of this process, read once. @throws {Error} a sentence, when one is wrong. */
export const env = (): Env => (parsed ??= parseEnv(process.env));

/** The log's level alone: the log must work while other settings are wrong, or unset in a build. */
export const logLevel = (): LogLevel =>
  LOG_LEVELS.find((level) => level === process.env.LOG_LEVEL) ?? "info";

/** @throws {Error} one sentence that names the variable, what is wrong, and what to do. */
export const parseEnv = (variables: Variables): Env => {
  const read = reader(variables);
  const databaseUrl = read.url("DATABASE_URL", ["postgresql:", "postgres:"]);
  const role = read.choice("PARLEY_ROLE", ROLES, "all");
  if (databaseUrl === null && role !== "all") {
    throw wrong("PARLEY_ROLE", `is "${role}", but the embedded database serves one process only`, {
      remedy: 'set DATABASE_URL to a PostgreSQL server, or PARLEY_ROLE to "all"',
    });
  }
  const secret = read.secret("PARLEY_SECRET");
  if (databaseUrl !== null && secret === null) {
    throw wrong("PARLEY_SECRET", "is not set, but DATABASE_URL is", {
      remedy: "set it to the same random text in every process (openssl rand -base64 32)",
    });
  }
  return {
    databaseUrl,
    databasePool: read.int("PARLEY_DATABASE_POOL", { fallback: 10, min: 1, max: 500 }),
    dataDir: path.resolve(/* turbopackIgnore: true */ read.text("PARLEY_DATA_DIR") ?? "data"),
    port: read.int("PORT", { fallback: 3000, min: 0, max: 65_535 }),
    hostname: read.text("HOSTNAME") ?? "127.0.0.1",
    role,
    secret,
    publicUrl: read.url("PARLEY_PUBLIC_URL", ["https:", "http:"])?.replace(/\/+$/, "") ?? null,
    providers: {
      openai: read.provider("OPENAI_API_KEY", "OPENAI_BASE_URL"),
      anthropic: read.provider("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
      google: read.provider("GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_BASE_URL"),
      "openai-compatible": read.provider("OPENAI_COMPATIBLE_API_KEY", "OPENAI_COMPATIBLE_BASE_URL"),
    },
    models: parseModels(read.text("PARLEY_MODELS") ?? "demo/demo"),
    owner: parseOwner(read.text("PARLEY_OWNER_EMAIL"), read.text("PARLEY_OWNER_PASSWORD")),
    apiKey: read.secret("PARLEY_API_KEY"),
    workerConcurrency: read.int("PARLEY_WORKER_CONCURRENCY", { fallback: 16, min: 1, max: 1_000 }),
    advisor: read.choice("PARLEY_ADVISOR", ["on", "off"], "off") === "on",
    metricsToken: read.secret("METRICS_TOKEN"),
    titles: read.choice("PARLEY_TITLES", ["on", "off"], "on") === "on",
    logLevel: read.choice("LOG_LEVEL", LOG_LEVELS, "info"),
  };
};

/**
 * What signs cookies. With the embedded database it is made at the first start and kept in the
 * data directory, so that people stay signed in.
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
  const kept = readFileSync(/* turbopackIgnore: true */ file, "utf8").trim();
  if (kept.length >= MIN_SECRET_LENGTH) return kept;
  throw new Error(
    `The secret in ${file} is damaged: delete the file, and everyone signs in again.`,
  );
};

const wrong = (name: string, problem: string, { remedy }: { remedy: string }): Error =>
  new Error(`${name} ${problem}: ${remedy}.`);

/** Readers of one variable each. Empty is unset, as container tools pass variables empty. */
const reader = (variables: Variables) => {
  const text = (name: string): string | null => {
    const value = variables[name]?.trim() ?? "";
    return value === "" ? null : value;
  };

  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    throw wrong(name, "is no URL that can be used here", {
      remedy: `write it as ${protocols[0]}//…`,
    });
  };

  return {
    text,
    url,
    int: (name: string, range: { fallback: number; min: number; max: number }): number => {
      const value = text(name);
      if (value === null) return range.fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= range.min && number <= range.max) return number;
      throw wrong(name, `is "${value}"`, {
        remedy: `set it to a whole number from ${range.min} to ${range.max}`,
      });
    },
    choice: <Choice extends string>(
      name: string,
      choices: readonly Choice[],
      fallback: Choice,
    ): Choice => {
      const value = text(name) ?? fallback;
      const choice = choices.find((candidate) => candidate === value);
      if (choice !== undefined) return choice;
      throw wrong(name, `is "${value}"`, { remedy: `set it to one of ${choices.join(", ")}` });
    },
    secret: (name: string): string | null => {
      const value = text(name);
      if (value === null || value.length >= MIN_SECRET_LENGTH) return value;
      throw wrong(name, `has ${value.length} characters`, {
        remedy: `set it to at least ${MIN_SECRET_LENGTH} random ones (openssl rand -base64 32)`,
      });
    },
    provider: (keyName: string, urlName: string): ProviderSettings => ({
      apiKey: text(keyName) ?? undefined,
      baseUrl: url(urlName, ["https:", "http:"])?.replace(/\/+$/, ""),
    }),
  };
};

const parseModels = (list: string): ModelName[] => {
  const models = new Map<string, ModelName>();
  for (const item of list.split(",").map((entry) => entry.trim())) {
    if (item === "") continue;
    const slash = item.indexOf("/");
    const provider = ProviderName.safeParse(item.slice(0, slash));
    const model = item.slice(slash + 1);
    if (slash < 1 || !provider.success || model === "") {
      throw wrong("PARLEY_MODELS", `has "${item}"`, {
        remedy: `write each model as provider/model, with a provider of ${ProviderName.options.join(", ")}`,
      });
    }
    models.set(item, { provider: provider.data, model });
  }
  if (models.size > 0) return [...models.values()];
  throw wrong("PARLEY_MODELS", "names no model", { remedy: "name one, such as demo/demo" });
};

const parseOwner = (email: string | null, password: string | null): Env["owner"] => {
  if (email === null && password === null) return null;
  if (email === null || password === null) {
    const missing = email === null ? "PARLEY_OWNER_EMAIL" : "PARLEY_OWNER_PASSWORD";
    throw wrong(missing, "is not set, but its other half is", {
      remedy: "set PARLEY_OWNER_EMAIL and PARLEY_OWNER_PASSWORD, or neither",
    });
  }
  if (!NewOwner.shape.email.safeParse(email).success) {
    throw wrong("PARLEY_OWNER_EMAIL", `is "${email}"`, { remedy: "set it to an e-mail address" });
  }
  if (!NewOwner.shape.password.safeParse(password).success) {
    throw wrong("PARLEY_OWNER_PASSWORD", `has ${password.length} characters`, {
      remedy: `give it ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH}`,
    });
  }
  return { email, password };
};
