import type { SlashCommand } from "@/lib/commands";
import type { Mentionable } from "@/lib/mentions";

const offered = { isOffered: true } as const;

export const REVIEW: Mentionable = {
  ...offered,
  kind: "group",
  name: "review",
  description: "Reads a change and names its faults",
};
export const READ_FILE: Mentionable = {
  ...offered,
  kind: "tool",
  name: "read_file",
  description: "Reads a file of the workspace",
};
export const REMEMBER: Mentionable = {
  ...offered,
  kind: "tool",
  name: "remember_everything_that_was_said_before_in_this_chat_and_others",
  description: "Writes down what a person has said, so that other chats can find it again later on",
};
export const OFF: Mentionable = {
  kind: "tool",
  name: "exec",
  description: "Runs a command",
  isOffered: false,
  problem: "The tool “exec” is not offered. An administrator has turned this tool off.",
};
export const GONE: Mentionable = {
  kind: "group",
  name: "release",
  description: "",
  isOffered: false,
  problem: "The server has no group “release” any more.",
};
export const KNOWN = [REVIEW, READ_FILE, REMEMBER, OFF];

const ASK: SlashCommand = {
  kind: "prompt",
  name: "weather:ask",
  description: "Asks for the weather of a city",
  arguments: [
    { name: "city", required: true },
    { name: "state", required: false },
  ],
};
const GUIDE: SlashCommand = {
  kind: "resource",
  name: "weather:guide.md",
  description: "How the weather is measured",
  arguments: [],
};
export const COMMANDS = [ASK, GUIDE];

/** Lets user-event read a field again, as it keeps a copy of what it has typed, and the browser has changed it since. */
export const readAgain = (field: HTMLTextAreaElement): void => {
  field.setSelectionRange(0, 0);
  const { value } = field;
  field.value = value;
  field.setSelectionRange(value.length, value.length);
};
