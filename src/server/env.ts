import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { listUrlLogins, type UrlLogin } from "./env-settings/list-url-logins";
import { createReader, createSettingError, MIN_SECRET_LENGTH } from "./env-settings/setting-reader";
import { LOG_LEVELS, readEnvironment } from "./env-settings/read-environment";
import { shareInProcess } from "./share-in-process";

/** All settings, validated. docs/settings.md has what operators read of each. */
export type Env = ReturnType<typeof readEnvironment> & { urlLogins: readonly UrlLogin[] };
export type ExecSandboxMode = Env["execSandbox"];
type LogLevel = Env["logLevel"];

/** @returns the settings of this process, parsed once. @throws {Error} for an invalid setting. */
export const env = (): Env => shareInProcess("settings", () => parseEnv(process.env));

/**
 * Removes the owner's password from the settings and the environment of this process, and of those that it starts. It is
 * needed once, and what a process does not have is not read from it.
 */
export const forgetOwner = (settings: Pick<Env, "owner">): void => {
  settings.owner = null;
  delete process.env.PARLEY_OWNER_EMAIL;
  delete process.env.PARLEY_OWNER_PASSWORD;
};

/** Reads the log level alone, as the log must work with invalid settings and in a build. */
export const logLevel = (): LogLevel =>
  LOG_LEVELS.find((level) => level === process.env.LOG_LEVEL) ?? "info";

/** @returns the variables by which programs of all makers find the proxy of their network. */
export const proxyVariables = (): Readonly<Record<string, string | undefined>> => {
  const { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY } = process.env;
  return { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY };
};

/** @returns where the person is who called npm, which changes to the directory of this program. */
export const callerDirectory = (): string => process.env.INIT_CWD ?? process.cwd();

/** @returns the program of the npm that has started this process, if one has. */
export const npmPath = (): string | undefined => process.env.npm_execpath;

/** @throws {Error} one sentence that names the variable, the problem and the remedy. */
export const parseEnv = (variables: Record<string, string | undefined>): Env => {
  const settings = readEnvironment(createReader(variables));
  const { databaseUrl, directUrl, role, secret } = settings;
  if (databaseUrl === null && role !== "all") {
    throw createSettingError(
      "PARLEY_ROLE",
      `is "${role}", but the embedded database serves one process only`,
      {
        remedy: 'set DATABASE_URL to a PostgreSQL server, or PARLEY_ROLE to "all"',
      },
    );
  }
  if (databaseUrl === null && directUrl !== null) {
    throw createSettingError("DATABASE_DIRECT_URL", "is set, but DATABASE_URL is not", {
      remedy: "set DATABASE_URL, too; it may be the same",
    });
  }
  if (databaseUrl !== null && secret === null) {
    throw createSettingError("PARLEY_SECRET", "is not set, but DATABASE_URL is", {
      remedy: "set it to the same random text in every process (openssl rand -base64 32)",
    });
  }
  return { ...settings, urlLogins: listUrlLogins(variables) };
};

/** Creates the data directory, if it is missing. @throws {Error} a sentence, when it cannot be one. */
export const makeDataDirectory = (dataDir: string): void => {
  try {
    mkdirSync(/* turbopackIgnore: true */ dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be created (${(error as Error).message}): ` +
        "set PARLEY_DATA_DIR to a directory that this account may write.",
      { cause: error },
    );
  }
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
  makeDataDirectory(dataDir);
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const storedSecret = readSecret(file);
  if (storedSecret.length >= MIN_SECRET_LENGTH) return storedSecret;
  throw new Error(
    `The secret in ${file} is damaged: delete the file, and everyone signs in again.`,
  );
};

const readSecret = (file: string): string => {
  try {
    return readFileSync(/* turbopackIgnore: true */ file, "utf8").trim();
  } catch (error) {
    throw new Error(
      `The secret in ${file} cannot be read (${(error as Error).message}): ` +
        "it has to be a file that this account may read.",
      { cause: error },
    );
  }
};
