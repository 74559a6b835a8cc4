import { readdirSync, readFileSync } from "node:fs";
import type { ExecResult } from "@/contract/exec";
import type { Api } from "./api";

/** A message that has the demo model call `exec`. */
export const useExec = (args: object): string => `use exec with ${JSON.stringify(args)}`;

/** @returns the output of the chat's last call. */
export const lastOutput = async (api: Api, chatId: string): Promise<ExecResult | undefined> => {
  const { messages } = await api.history(chatId);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  return calls.at(-1)?.output as ExecResult | undefined;
};

/** Counts the processes of this machine whose command line contains a text. */
export const countProcesses = (text: string): number =>
  readdirSync("/proc").filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").includes(text);
    } catch {
      return false;
    }
  }).length;
