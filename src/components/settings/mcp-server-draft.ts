import type { McpServer, McpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import { formatCommandLines, parseCommandLines } from "@/lib/command-lines";

/** The texts of the form's fields; their names are those of the input, so that errors find them. */
export type McpServerDraft = {
  name: string;
  "transport/type": "stdio" | "http";
  "transport/command": string;
  "transport/env": string;
  "transport/network": "yes" | "no";
  "transport/url": string;
  "transport/headers": string;
  "transport/allow_private": "yes" | "no";
  approval: McpServerInput["approval"];
  timeout_seconds: string;
};

const EMPTY: McpServerDraft = {
  name: "",
  "transport/type": "http",
  "transport/url": "",
  "transport/headers": "",
  "transport/allow_private": "no",
  "transport/command": "",
  "transport/env": "",
  "transport/network": "no",
  approval: "annotations",
  timeout_seconds: "60",
};

/** @param server undefined for a new one. */
export const toMcpServerDraft = (server: McpServer | undefined): McpServerDraft => {
  if (!server) return EMPTY;
  const { name, transport, approval, timeout_seconds } = server;
  const draft = { ...EMPTY, name, approval, timeout_seconds: String(timeout_seconds) };
  return transport.type === "http"
    ? {
        ...draft,
        "transport/type": "http",
        "transport/url": transport.url,
        "transport/headers": formatValues(transport.headers, ": "),
        "transport/allow_private": transport.allow_private ? "yes" : "no",
      }
    : {
        ...draft,
        "transport/type": "stdio",
        "transport/command": formatCommandLines([[transport.command, ...transport.args]]),
        "transport/env": formatValues(transport.env, "="),
        "transport/network": transport.network ? "yes" : "no",
      };
};

const formatValues = (values: Record<string, string>, separator: string): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}${separator}${value}`)
    .join("\n");

/** Returns why each field cannot be sent. */
export const validateMcpServerDraft = (draft: McpServerDraft) => {
  const isHttp = draft["transport/type"] === "http";
  return {
    name: /^[a-z0-9][a-z0-9-]{0,31}$/.test(draft.name.trim())
      ? undefined
      : "Enter a name of lower-case letters, digits and -, such as github.",
    "transport/url":
      !isHttp || URL.canParse(draft["transport/url"].trim())
        ? undefined
        : "Enter an address such as https://mcp.example.org/mcp.",
    "transport/headers":
      !isHttp || parseValues(draft["transport/headers"], ":")
        ? undefined
        : "Enter one header per line, such as X-Team: docs.",
    "transport/command": isHttp ? undefined : validateCommand(draft["transport/command"]),
    "transport/env":
      isHttp || parseValues(draft["transport/env"], "=")
        ? undefined
        : "Enter one variable per line, such as LOG_LEVEL=info.",
    timeout_seconds: /^[1-9]\d{0,3}$/.test(draft.timeout_seconds.trim())
      ? undefined
      : "Enter a number of seconds, such as 60.",
  };
};

const validateCommand = (text: string): string | undefined => {
  const parsed = parseCommandLines(text);
  if (!Array.isArray(parsed)) return `The command ${parsed.message}.`;
  return parsed.length === 1 ? undefined : "Enter one command.";
};

const parseValues = (text: string, separator: string): Record<string, string> | undefined => {
  const entries: [string, string][] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const at = line.indexOf(separator);
    if (at < 1) return undefined;
    entries.push([line.slice(0, at).trim(), line.slice(at + separator.length).trim()]);
  }
  return Object.fromEntries(entries);
};

/** @param isEnabled whether the server is on. */
export const toMcpServerInput = (draft: McpServerDraft, isEnabled: boolean): McpServerInput => ({
  name: draft.name.trim(),
  transport: toTransport(draft),
  approval: draft.approval,
  timeout_seconds: Number(draft.timeout_seconds),
  enabled: isEnabled,
});

const toTransport = (draft: McpServerDraft): McpServerInput["transport"] => {
  if (draft["transport/type"] === "http") {
    return {
      type: "http",
      url: draft["transport/url"].trim(),
      headers: parseValues(draft["transport/headers"], ":") ?? {},
      allow_private: draft["transport/allow_private"] === "yes",
    };
  }
  const parsed = parseCommandLines(draft["transport/command"]);
  const [command = "", ...args] = (Array.isArray(parsed) ? parsed[0] : undefined) ?? [];
  return {
    type: "stdio",
    command,
    args,
    env: parseValues(draft["transport/env"], "=") ?? {},
    network: draft["transport/network"] === "yes",
  };
};

/** The same problem with errors at the fields that the form has: those of parts are at the whole. */
export const toFormProblem = (problem: Problem | undefined): Problem | undefined => {
  if (!problem?.errors) return problem;
  return {
    ...problem,
    errors: problem.errors.map(({ pointer, message }) => {
      const [, field = "", part = "", ...rest] = pointer.split("/");
      if (field !== "transport") return { pointer, message };
      const name = part === "args" ? "command" : part;
      const shown = rest.length > 0 && part !== "args" ? `${rest.join("/")} ${message}` : message;
      return { pointer: `/transport/${name}`, message: shown };
    }),
  };
};
