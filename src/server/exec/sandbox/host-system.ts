import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { createSharedVariables, type HostPrograms } from "./host-programs";
import type { Sandbox } from "./sandbox";

/** Where the host's programs are looked for; the server's PATH is not used, as commands have another one. */
const PROGRAM_DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"];
/** What programs need. On many systems all but /usr are links into it. */
const SYSTEM_DIRECTORIES = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/**
 * What programs read of /etc: no accounts, keys, mounts or settings of services. Without the links
 * of alternatives and the loader's cache, many programs do not start.
 */
const SETTINGS = [
  "alternatives",
  "bash.bashrc",
  "ca-certificates",
  "fonts",
  "inputrc",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "magic",
  "magic.mime",
  "mime.types",
  "os-release",
  "perl",
  "pki/ca-trust",
  "pki/tls/certs",
  "protocols",
  "python3",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
].map((name) => `/etc/${name}`);

/** A path that a command sees as the host has it, or its source, read-only; a link only where it leads from the root. */
export type SystemPath =
  | { kind: "directory" | "file"; path: string; source?: string }
  | { kind: "link"; path: string; target: string };

/** The part of the host that commands see. */
export type HostSystem = {
  shown: SystemPath[];
  /** Directories below those that are shown, which commands see empty. */
  hidden: string[];
  environment: Sandbox["environment"];
  /** @throws {Error} a sentence, when the program is not installed. */
  findProgram: (name: string) => string;
};

/** @param privateDirectories what no command may see: the server's files, its data, its home. */
export const inspectHost = (
  privateDirectories: readonly string[],
  programs: HostPrograms,
): HostSystem => {
  const system = [...SYSTEM_DIRECTORIES, ...SETTINGS].flatMap(findSystemPath);
  const isShown = (directory: string): boolean =>
    system.some((entry) => directory.startsWith(`${entry.path}/`));
  return {
    shown: [...system, ...programs.folders.map(toDirectory), ...toAuthorities(programs)],
    environment: createSharedVariables(programs, programs.authorities && AUTHORITIES_PATH),
    hidden: [...new Set(privateDirectories.flatMap(resolveDirectory))].filter(isShown).sort(),
    findProgram,
  };
};

/** Where a sandbox has the file of the authorities. */
const AUTHORITIES_PATH = "/etc/parley-authorities.pem";

const toAuthorities = ({ authorities: source }: HostPrograms): SystemPath[] =>
  source === undefined ? [] : [{ kind: "file", path: AUTHORITIES_PATH, source }];

const toDirectory = (folder: string): SystemPath => ({ kind: "directory", path: folder });

const findSystemPath = (candidate: string): SystemPath[] => {
  const stats = lstatSync(candidate, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isSymbolicLink() && path.dirname(candidate) === "/") {
    return [{ kind: "link", path: candidate, target: readlinkSync(candidate) }];
  }
  const real = statSync(candidate, { throwIfNoEntry: false });
  if (real === undefined) return [];
  return [{ kind: real.isDirectory() ? "directory" : "file", path: candidate }];
};

const resolveDirectory = (directory: string): string[] => {
  try {
    return [realpathSync(directory)];
  } catch {
    return [];
  }
};

/** @throws {Error} a sentence, when the program is not installed. */
export const findProgram = (name: string): string => {
  for (const directory of PROGRAM_DIRECTORIES) {
    const file = path.join(/* turbopackIgnore: true */ directory, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  throw new Error(`The program ${name} is not installed.`);
};
