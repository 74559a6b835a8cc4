/** A prompt or resource of an MCP server, or something that is done to the chat, by its name after a slash. */
export type SlashCommand = {
  kind: "prompt" | "resource" | "chat";
  /** `server:name`; of the chat's own a word. */
  name: string;
  description: string;
  arguments: readonly { name: string; required: boolean }[];
};

/** A command at the beginning of a text, and what follows it. */
export type WrittenCommand = {
  command: SlashCommand;
  arguments: Record<string, string>;
  /** What a person adds, which is no argument. */
  rest: string;
};

/** What can be done to a chat. */
export const CHAT_COMMANDS: readonly SlashCommand[] = [
  {
    kind: "chat",
    name: "compact",
    description: "Sums up what came before, for the model to read in its place",
    arguments: [{ name: "keep", required: false }],
  },
  {
    kind: "chat",
    name: "clear",
    description: "Lets the model read from here on, without a summary",
    arguments: [],
  },
];

/** A word after a slash, alone or followed by white space; a path such as `/etc/hosts` is none. */
const WORD = /^\s*\/([a-z][\w-]*|[a-z0-9][a-z0-9-]*:[\w.-]*)(?=\s|$)/i;
const OPEN_WORD = /^\s*\/([\w.:-]*)$/;
const ARGUMENT = /^\s*([^\s="]+)=(?:"((?:[^"\\]|\\[^])*)"(?=\s|$)|(\S*))/;

/** Finds the word after a slash that a text begins with, whether it is a command or not. */
export const findCommandWord = (text: string): string | undefined => WORD.exec(text)?.[1];

/** Reads the command that a text begins with, if there is one. */
export const readCommand = (
  text: string,
  known: readonly SlashCommand[],
): WrittenCommand | undefined => {
  const [beginning = "", name] = WORD.exec(text) ?? [];
  const command = known.find((one) => one.name === name);
  return command && { command, ...readArguments(text.slice(beginning.length), command) };
};

/** Reads `name=value` and `name="a longer value"`. The whole text is the value where there is only one argument. */
const readArguments = (
  text: string,
  { arguments: declared }: SlashCommand,
): Pick<WrittenCommand, "arguments" | "rest"> => {
  const missing = new Set(declared.map(({ name }) => name));
  const values: [name: string, value: string][] = [];
  let rest = text;
  for (
    let next = readArgument(rest);
    next && missing.delete(next.name);
    next = readArgument(rest)
  ) {
    values.push([next.name, next.value]);
    rest = rest.slice(next.length);
  }
  const [only, ...others] = declared;
  const added = rest.trim();
  return only && others.length === 0 && values.length === 0 && added !== ""
    ? { arguments: { [only.name]: added }, rest: "" }
    : { arguments: Object.fromEntries(values), rest: added };
};

const readArgument = (
  text: string,
): { name: string; value: string; length: number } | undefined => {
  const [written, name = "", quoted, plain = ""] = ARGUMENT.exec(text) ?? [];
  return written === undefined
    ? undefined
    : { name, value: quoted?.replace(/\\([^])/g, "$1") ?? plain, length: written.length };
};

/** A command that is being written: where its slash is, and what follows. */
type OpenCommand = { start: number; query: string };

/** Finds the command at whose end the caret is. */
export const findOpenCommand = (text: string, caret: number): OpenCommand | undefined => {
  if (/^[\w.:-]/.test(text.slice(caret))) return undefined;
  const [, query] = OPEN_WORD.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
};

/** Finds what a query may mean: names that begin with it, then those that contain it; nothing once a name is complete. */
export const matchCommands = (
  query: string,
  known: readonly SlashCommand[],
): readonly SlashCommand[] => {
  const wanted = query.toLowerCase();
  const found = known.filter(({ name }) => name.toLowerCase().includes(wanted));
  const isFirst = ({ name }: SlashCommand): boolean => name.toLowerCase().startsWith(wanted);
  if (found.length === 1 && found[0]?.name === query) return [];
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
};

/** Replaces a command that is being written by a whole one, up to the first value that it needs. */
export const completeCommand = (
  text: string,
  { start, query }: OpenCommand,
  { name, arguments: declared }: SlashCommand,
): { text: string; caret: number } => {
  const needed = declared.find(({ required }) => required);
  // Without its name, all that follows is the value of an only argument.
  const value = needed && declared.length > 1 ? `${needed.name}=` : "";
  const before = `${text.slice(0, start)}/${name} ${value}`;
  return {
    text: before + text.slice(start + 1 + query.length),
    caret: before.length,
  };
};
