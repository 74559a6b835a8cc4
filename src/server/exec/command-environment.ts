import { PROVIDERS } from "@/contract/providers";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { ToolFailure } from "@/server/tools/tool-result";

/** Names that one call may add. */
const MAX_VARIABLES = 100;
/** Names and values of one call together, in UTF-16 units; Linux limits the whole environment. */
const MAX_LENGTH = 64 * 1024;

/** Make programs load other code before the command begins. */
const LOADS_CODE: ReadonlySet<string> = new Set([
  "GCONV_PATH",
  "GLIBC_TUNABLES",
  "OPENSSL_CONF",
  "NODE_OPTIONS",
  "NODE_PATH",
  "JAVA_TOOL_OPTIONS",
  "_JAVA_OPTIONS",
  "JDK_JAVA_OPTIONS",
  "BASH_ENV",
  "ENV",
  "ZDOTDIR",
  "SHELLOPTS",
  "BASHOPTS",
  "PS4",
  "PROMPT_COMMAND",
  "PYTHONSTARTUP",
  "PYTHONHOME",
  "PYTHONPATH",
  "PYTHONINSPECT",
  "PYTHONUSERBASE",
  "PYTHONBREAKPOINT",
  "PERL5OPT",
  "PERL5LIB",
  "PERLLIB",
  "PERL5DB",
  "RUBYOPT",
  "RUBYLIB",
  "PHPRC",
  "PHP_INI_SCAN_DIR",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_EXEC_PATH",
  "GIT_EXTERNAL_DIFF",
]);
const LOADS_CODE_PREFIXES = ["LD_", "DYLD_", "BASH_FUNC_", "LUA_INIT", "GIT_CONFIG"];

/** Settings of this server; src/server/env.ts reads them. */
const BELONGS_TO_SERVER = /^(?:PARLEY_.*|DATABASE(?:_DIRECT)?_URL|METRICS_TOKEN)$/;
/** How the variables of providers begin, such as OPENAI. */
const PROVIDER_PREFIXES = Object.values(PROVIDERS).flatMap(({ variables }) =>
  variables === null
    ? []
    : [variables.key, variables.address].map(({ name }) =>
        name.replace(/_(?:API_KEY|BASE_URL)$/, ""),
      ),
);
/** Settings of its providers, which other programs read, too. */
const BELONGS_TO_PROVIDERS = [...PROVIDER_PREFIXES, "TAVILY", "BRAVE", "SEARXNG"].map(
  (prefix) => `${prefix}_`,
);

const hasPrefix = (name: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => name.startsWith(prefix));

type EnvironmentOptions = {
  /** What all commands of the sandbox have. */
  sandbox: Pick<Sandbox, "environment">;
  /** As the command sees it. */
  home: string;
  pty: boolean;
  /** What the call adds. */
  added: Readonly<Record<string, string>>;
  /** Whether names of providers may be added: not by models, but by administrators, whose programs have keys of their own. */
  allowsProviders?: boolean;
};

/**
 * Creates the environment of a command: a fixed one, and what its call adds. Nothing comes from the server's own.
 *
 * @throws {ToolFailure} for a name or value that is refused.
 */
export const createCommandEnvironment = ({
  sandbox,
  home,
  pty,
  added,
  allowsProviders = false,
}: EnvironmentOptions): Record<string, string> => {
  checkVariables(added, allowsProviders);
  return {
    ...sandbox.environment,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: pty ? "xterm-256color" : "dumb",
    ...added,
  };
};

/** @throws {ToolFailure} for a name or value that is refused. */
export const checkVariables = (
  added: Readonly<Record<string, string>>,
  allowsProviders: boolean,
): void => {
  const variables = Object.entries(added);
  if (variables.length > MAX_VARIABLES) {
    throw new ToolFailure(`env has ${variables.length} names; it may have ${MAX_VARIABLES}.`);
  }
  let length = 0;
  for (const [name, value] of variables) {
    length += name.length + value.length;
    const problem = findNameProblem(name, allowsProviders) ?? findValueProblem(value);
    if (problem !== undefined) {
      throw new ToolFailure(
        `The environment variable ${JSON.stringify(name)} was refused: ${problem} Nothing was run.`,
      );
    }
  }
  if (length > MAX_LENGTH) {
    throw new ToolFailure(`env is too long: write it to a file of the workspace instead.`);
  }
};

const findNameProblem = (name: string, allowsProviders: boolean): string | undefined => {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(name)) {
    return "a name has letters, digits and underscores, and does not begin with a digit.";
  }
  const upperCase = name.toUpperCase();
  if (LOADS_CODE.has(upperCase) || hasPrefix(upperCase, LOADS_CODE_PREFIXES))
    return "it makes programs load other code.";
  return BELONGS_TO_SERVER.test(upperCase) ||
    (!allowsProviders && hasPrefix(upperCase, BELONGS_TO_PROVIDERS))
    ? "the name belongs to the server."
    : undefined;
};

const findValueProblem = (value: string): string | undefined =>
  value.includes("\0") ? "its value has a NUL character." : undefined;
