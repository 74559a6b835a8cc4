import type { PromptArgument } from "@modelcontextprotocol/client";
import { MAX_COMMAND_ARGUMENTS, type McpCommand } from "@/contract/mcp-command";
import type { ListedCommands } from "./list-commands";
import { loadSdk } from "@/server/mcp/load-sdk";

/** A command, and what is asked of the server for it. */
export type OfferedCommand = McpCommand &
  (
    | { type: "prompt"; prompt: string }
    | { type: "resource"; uri: string }
    | { type: "template"; template: string }
  );

export type OfferedCommands = {
  commands: readonly OfferedCommand[];
  /** A sentence for each one that was left out. */
  notices: readonly string[];
};

/** Far more than a person chooses from in a list. */
const MAX_SERVER_COMMANDS = 500;
const MAX_NAME_LENGTH = 64;
/** Longest description, in UTF-16 units: one line of a list. */
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_NOTICES = 20;
/** Longest URI of a resource, in UTF-16 units. */
const MAX_URI_LENGTH = 8_000;
/** Argument names that a person can write as `name=value`. */
const ARGUMENT_NAME = /^[^\s="]{1,64}$/;

type Listed = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
};

/** Converts what a server lists to commands, in its order; what cannot be one is left out. */
export const toOfferedCommands = (
  server: string,
  { prompts, resources, templates }: ListedCommands,
): OfferedCommands => {
  const commands = new Map<string, OfferedCommand>();
  const notices: string[] = [];
  const add = (listed: Listed, rest: CommandRest | string): void => {
    if (commands.size >= MAX_SERVER_COMMANDS) return;
    if (typeof rest === "string") {
      notices.push(`${JSON.stringify(listed.name.slice(0, MAX_NAME_LENGTH))} ${rest}.`);
      return;
    }
    const name = findFreeName(`${server}:${toWord(listed.name)}`, commands);
    commands.set(name, { name, description: describe(listed), ...rest });
  };
  for (const prompt of prompts) add(prompt, toPrompt(prompt));
  for (const resource of resources) add(resource, toResource(resource));
  for (const template of templates) add(template, toTemplate(template));
  const total = prompts.length + resources.length + templates.length;
  if (total > MAX_SERVER_COMMANDS) {
    notices.unshift(
      `The server has ${total} prompts and resources: the first ${MAX_SERVER_COMMANDS} are offered.`,
    );
  }
  return { commands: [...commands.values()], notices: notices.slice(0, MAX_NOTICES) };
};

type CommandRest = Pick<OfferedCommand, "kind" | "arguments"> &
  (
    | { type: "prompt"; prompt: string }
    | { type: "resource"; uri: string }
    | { type: "template"; template: string }
  );

const toPrompt = ({
  name,
  arguments: declared = [],
}: {
  name: string;
  arguments?: PromptArgument[] | undefined;
}): CommandRest | string => {
  const problem = findArgumentProblem(declared.map((argument) => argument.name));
  if (problem !== undefined) return problem;
  return {
    kind: "prompt",
    type: "prompt",
    prompt: name,
    arguments: declared.map((argument) => ({
      name: argument.name,
      description: toLine(argument.description ?? ""),
      required: argument.required === true,
    })),
  };
};

const toResource = ({ uri }: { uri: string }): CommandRest | string =>
  uri.length > MAX_URI_LENGTH
    ? `has a URI of more than ${MAX_URI_LENGTH} characters`
    : { kind: "resource", type: "resource", uri, arguments: [] };

const toTemplate = ({ uriTemplate }: { uriTemplate: string }): CommandRest | string => {
  if (uriTemplate.length > MAX_URI_LENGTH) {
    return `has a URI of more than ${MAX_URI_LENGTH} characters`;
  }
  const names = findVariables(uriTemplate);
  const problem = names ? findArgumentProblem(names) : "has a URI that cannot be read";
  if (problem !== undefined || !names) return problem ?? "";
  return {
    kind: "resource",
    type: "template",
    template: uriTemplate,
    arguments: names.map((name) => ({ name, description: "", required: true })),
  };
};

const findVariables = (template: string): string[] | undefined => {
  try {
    return [...new Set(new (loadSdk().UriTemplate)(template).variableNames)];
  } catch {
    return undefined;
  }
};

const findArgumentProblem = (names: readonly string[]): string | undefined => {
  if (names.length > MAX_COMMAND_ARGUMENTS) {
    return `has more than ${MAX_COMMAND_ARGUMENTS} arguments`;
  }
  if (new Set(names).size < names.length) return "has two arguments of the same name";
  return names.every((name) => ARGUMENT_NAME.test(name) && name !== "__proto__")
    ? undefined
    : "has an argument whose name cannot be written";
};

/** A name without spaces, as what follows a space are arguments. */
const toWord = (name: string): string => {
  const word = name.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, MAX_NAME_LENGTH);
  return word.replace(/^-+|(?<!-)-+$/g, "") || "unnamed";
};

const findFreeName = (name: string, taken: ReadonlyMap<string, unknown>): string => {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
};

const describe = ({ title, description, name }: Listed): string =>
  toLine(description ?? title ?? name);

const toLine = (text: string): string =>
  text.slice(0, MAX_DESCRIPTION_LENGTH).replace(/\s+/g, " ").trim().toWellFormed();
