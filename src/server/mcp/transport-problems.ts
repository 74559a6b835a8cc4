import path from "node:path";
import type { HttpTransport, McpServerInput, StdioTransport } from "@/contract/mcp-server";
import type { FieldError } from "@/contract/problem";
import { isInFolders, SYSTEM_PROGRAMS } from "@/server/exec/sandbox/host-programs";
import { checkVariables } from "@/server/exec/command-environment";
import { getErrorMessage } from "@/lib/error-message";
import type { ConnectDeps } from "./connect-server";
import { createServerPolicy } from "./http-transport";

/** Finds what is wrong with a way to a server, without connecting. */
export const findTransportProblems = (
  transport: McpServerInput["transport"],
  { ownPort, sandbox }: Pick<ConnectDeps, "ownPort" | "sandbox">,
): FieldError[] =>
  transport.type === "http"
    ? findUrlProblems(transport, ownPort)
    : findCommandProblems(transport, sandbox);

/** A name is checked when it is connected to, with the address that it has then. */
const findUrlProblems = (
  { url, allow_private: allowPrivate }: HttpTransport,
  ownPort: number,
): FieldError[] => {
  const { hostname, protocol, port } = new URL(url);
  const problem = createServerPolicy({ allowPrivate, ownPort }).findProblem({
    hostname,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  });
  return problem === undefined ? [] : [{ pointer: "/url", message: toPredicate(problem) }];
};

const toPredicate = (sentence: string): string => `is refused: ${sentence}`;

const findCommandProblems = (
  { command, env }: StdioTransport,
  sandbox: ConnectDeps["sandbox"],
): FieldError[] => [
  ...(isInstalled(command, sandbox) ? [] : [{ pointer: "/command", message: NOT_INSTALLED }]),
  ...findVariableProblems(env),
];

const findVariableProblems = (env: StdioTransport["env"]): FieldError[] =>
  Object.entries(env).flatMap(([name, value]) => {
    try {
      checkVariables({ [name]: value }, true);
      return [];
    } catch (error) {
      return [{ pointer: `/env/${name}`, message: toPredicate(getErrorMessage(error)) }];
    }
  });

const NOT_INSTALLED =
  "is no program that commands find on this server: name its folder in PARLEY_EXEC_PATHS if it is outside of /usr";

/** Programs in the directory of the server itself cannot be known before it has run. */
const isInstalled = (command: string, sandbox: ConnectDeps["sandbox"]): boolean => {
  if (path.isAbsolute(command)) return isInFolders(path.basename(command), [path.dirname(command)]);
  if (command.includes("/")) return true;
  const { PATH } = "unavailable" in sandbox ? { PATH: SYSTEM_PROGRAMS.path } : sandbox.environment;
  return isInFolders(command, PATH.split(":"));
};
