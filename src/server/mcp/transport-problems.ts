import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { HttpTransport, McpServerInput, StdioTransport } from "@/contract/mcp-server";
import type { FieldError } from "@/contract/problem";
import { COMMAND_PATH, createCommandEnvironment } from "@/server/exec/command-environment";
import { getErrorMessage } from "@/lib/error-message";
import { createServerPolicy } from "./http-transport";

/** Finds what is wrong with a way to a server, without connecting. */
export const findTransportProblems = (
  transport: McpServerInput["transport"],
  { ownPort }: { ownPort: number },
): FieldError[] =>
  transport.type === "http" ? findUrlProblems(transport, ownPort) : findCommandProblems(transport);

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

const findCommandProblems = ({ command, env }: StdioTransport): FieldError[] => [
  ...(isInstalled(command)
    ? []
    : [{ pointer: "/command", message: "is no program that is installed on this server" }]),
  ...findVariableProblems(env),
];

const findVariableProblems = (env: StdioTransport["env"]): FieldError[] =>
  Object.entries(env).flatMap(([name, value]) => {
    try {
      createCommandEnvironment({
        home: "/",
        pty: false,
        allowsProviders: true,
        added: { [name]: value },
      });
      return [];
    } catch (error) {
      return [{ pointer: `/env/${name}`, message: toPredicate(getErrorMessage(error)) }];
    }
  });

/** Programs in the directory of the server itself cannot be known before it has run. */
const isInstalled = (command: string): boolean => {
  if (path.isAbsolute(command)) return isProgram(command);
  if (command.includes("/")) return true;
  return COMMAND_PATH.split(":").some((directory) => isProgram(path.join(directory, command)));
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(/* turbopackIgnore: true */ file, constants.X_OK);
    return statSync(/* turbopackIgnore: true */ file).isFile();
  } catch {
    return false;
  }
};
