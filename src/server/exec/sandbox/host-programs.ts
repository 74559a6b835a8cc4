import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Sandbox } from "./sandbox";

/** Folders of the host, outside of the system's, whose programs commands may run. */
export type HostPrograms = {
  /** Absolute paths, shown read-only where they are. */
  folders: readonly string[];
  /** The variable `PATH` of commands. */
  path: string;
  /** A file with the authorities that programs trust for certificates, in place of those that they know. */
  authorities?: string | undefined;
};

/** By these variables, programs of all languages find the authorities that they trust. */
const AUTHORITY_VARIABLES = [
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "PIP_CERT",
  "GIT_SSL_CAINFO",
  "CARGO_HTTP_CAINFO",
];

/** @param authorities where commands find the file. */
export const createSharedVariables = (
  { path: PATH }: Pick<HostPrograms, "path">,
  authorities: string | undefined,
): Sandbox["environment"] => ({
  PATH,
  ...(authorities !== undefined &&
    Object.fromEntries(AUTHORITY_VARIABLES.map((name) => [name, authorities]))),
});

/** The shells and interpreters of a distribution are found here. */
const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export const SYSTEM_PROGRAMS: HostPrograms = { folders: [], path: SYSTEM_PATH.join(":") };

type FindOptions = {
  /** What no command may see: the data directory and what else is private to the server. */
  privateDirectories: readonly string[];
  /** The installations of Node.js that the server itself runs with. */
  nodePrefixes: readonly string[];
  /** Where the system has its programs; replaced in tests. */
  systemFolders?: readonly string[];
};

/**
 * Finds the programs of the folders of `PARLEY_EXEC_PATHS`, and Node.js of the server itself where the system has none.
 *
 * @throws {Error} a sentence, for a folder that commands must not see, or cannot.
 */
export const findHostPrograms = async (
  execPaths: readonly string[],
  { privateDirectories, nodePrefixes, systemFolders = SYSTEM_PATH }: FindOptions,
): Promise<HostPrograms> => {
  const hidden = [...privateDirectories, os.homedir()].flatMap(toPlaces);
  for (const folder of execPaths) {
    const problem = await findFolderProblem(folder, hidden);
    if (problem !== undefined) throw new Error(`PARLEY_EXEC_PATHS has "${folder}", ${problem}.`);
  }
  const first = execPaths.map(toProgramFolder);
  const found = [...first, ...systemFolders];
  const own: string[] = [];
  for (const prefix of nodePrefixes) {
    const bin = path.join(prefix, "bin");
    const isNeeded = NODE_PROGRAMS.some(
      (name) => !isInFolders(name, [...found, ...own]) && isInFolders(name, [bin]),
    );
    if (!isNeeded || (await findFolderProblem(prefix, hidden)) !== undefined) continue;
    own.push(bin);
  }
  const folders = [...execPaths, ...own.map((bin) => path.dirname(bin))];
  return {
    folders: [...new Set(folders.flatMap(toPlaces))].filter((folder) => !isSystem(folder)).sort(),
    path: [...new Set([...found, ...own])].join(":"),
  };
};

const NODE_PROGRAMS = ["node", "npm", "npx"];

/** The installation that runs this process, and the one whose npm has started it. */
export const listNodePrefixes = (npmPath: string | undefined): string[] => {
  const npm = npmPath?.split("/lib/node_modules/npm/")[0];
  const node = path.dirname(path.dirname(process.execPath));
  return npm === undefined || !path.isAbsolute(npm) ? [node] : [node, npm];
};

/** A folder has its programs in `bin`, or is such a one itself. */
const toProgramFolder = (folder: string): string => {
  const bin = path.join(folder, "bin");
  return statSync(bin, { throwIfNoEntry: false })?.isDirectory() === true ? bin : folder;
};

/** Whether one of the folders has a program. */
export const isInFolders = (name: string, folders: readonly string[]): boolean =>
  folders.some((folder) => {
    const file = path.join(/* turbopackIgnore: true */ folder, name);
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });

/** A folder as it was named, and where it is if that was a link: programs know either. */
const toPlaces = (folder: string): string[] => {
  try {
    return [folder, realpathSync(folder)];
  } catch {
    return [folder];
  }
};

const isBelow = (folder: string, top: string): boolean =>
  folder === top || folder.startsWith(top === "/" ? top : `${top}/`);

/** Every sandbox shows these. */
const isSystem = (folder: string): boolean =>
  ["/usr", "/bin", "/sbin", "/lib", "/lib64"].some((top) => isBelow(folder, top));

/** What a sandbox has of its own, or what no program lies in. */
const OWN_FOLDERS = [
  "/boot",
  "/call",
  "/dev",
  "/etc",
  "/proc",
  "/run",
  "/sys",
  "/tmp",
  "/workspace",
];

/** @returns the end of a sentence. */
const findFolderProblem = async (
  folder: string,
  hidden: readonly string[],
): Promise<string | undefined> => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return "which is no folder of this machine: name folders with programs, separated by colons";
  }
  for (const place of toPlaces(folder)) {
    if (isSystem(place)) continue;
    const inside = hidden.find((each) => isBelow(each, place));
    if (inside !== undefined) {
      return `which has ${inside} in it, where secrets may be: name the folder of the programs alone`;
    }
    const own = OWN_FOLDERS.find((top) => isBelow(place, top));
    if (own !== undefined)
      return `which lies in ${own}, where commands see none of the host's files`;
  }
  const secret = await findSecret(realpathSync(folder));
  return secret === undefined
    ? undefined
    : `where commands would see the secrets of ${secret}: move them, or name a folder without them`;
};

/** Names of folders with keys. */
const SECRET_FOLDERS = new Set([
  ".aws",
  ".azure",
  ".docker",
  ".gnupg",
  ".kube",
  ".password-store",
  ".ssh",
  "keyrings",
]);
/** Names of files with passwords, tokens or keys. Examples of `.env` have none. */
const SECRET_FILE =
  /^(?:\.env(?!\.(?:example|sample|template|dist)$)(?:\..+)?|\.git-credentials|\.netrc|\.pgpass|\.pypirc|credentials(?:\.(?:json|toml|db))?|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$/;
/** Files that have a secret only with this in them. */
const SECRET_CONTENTS: readonly { name: RegExp; content: RegExp }[] = [
  { name: /^\.npmrc$/, content: /_(?:auth|authToken|password)\s*=/ },
  { name: /\.(?:pem|key)$/, content: /PRIVATE KEY-----/ },
];

/** Folders are searched this deep: deeper ones belong to packages, whose tests have files of such names. */
const MAX_DEPTH = 3;
/** Larger files hold no key. */
const MAX_SECRET_BYTES = 256 * 1024;

/** @returns a path below the folder that has a secret. Links are not followed, as commands cannot either. */
const findSecret = async (folder: string, depth = 1): Promise<string | undefined> => {
  // What this account cannot read, commands cannot read either.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && SECRET_FOLDERS.has(entry.name)) return file;
    if (entry.isFile() && (await isSecretFile(file))) return file;
    if (!entry.isDirectory() || depth === MAX_DEPTH) continue;
    const secret = await findSecret(file, depth + 1);
    if (secret !== undefined) return secret;
  }
  return undefined;
};

const isSecretFile = async (file: string): Promise<boolean> => {
  const name = path.basename(file);
  if (SECRET_FILE.test(name)) return true;
  const kind = SECRET_CONTENTS.find((each) => each.name.test(name));
  if (!kind || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_SECRET_BYTES)
    return false;
  return kind.content.test(await readFile(file, "latin1").catch(() => ""));
};
