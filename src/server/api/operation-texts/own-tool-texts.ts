import { ADMINISTRATORS, type OperationTexts } from "./operation-text";

const NOT_FOR_TOOLSET =
  "`403` for everybody but administrators, and for a key that is not for the toolset.";
const RECIPE = {
  description: "Says when a host was started",
  parameters: {
    type: "object",
    properties: { host: { type: "string" } },
    required: ["host"],
  },
  example: { host: "web-1" },
  steps: [["echo", "${host}"]],
};

export const RECIPE_OPERATION_TEXTS = {
  "recipes.list": {
    about: "Those of files first, which cannot be changed here.",
    refusals: [ADMINISTRATORS],
  },
  "recipes.create": {
    about:
      "A tool for all chats, from their next step on: its commands run in the sandbox, with `${name}` for its arguments.",
    refusals: [
      ADMINISTRATORS,
      "`400` for parameters that are no schema, or an example that does not fit it.",
      "`409` for a name that is taken, and for one recipe too many.",
    ],
    examples: {
      minimal: { name: "uptime", ...RECIPE },
      full: {
        name: "uptime_of_host",
        ...RECIPE,
        system_prompt: "Use it before you restart a host.",
        env: { LANG: "C.UTF-8" },
        opts: { needs_approval: true, timeout_seconds: 60, network: false },
        enabled: true,
      },
    },
  },
  "recipes.update": {
    about: "Replaces all of it, for the next calls.",
    refusals: [
      ADMINISTRATORS,
      "`404` for an unknown recipe, and one of a file.",
      "`400` as for a new one.",
    ],
    examples: { minimal: RECIPE, full: { ...RECIPE, env: { LANG: "C.UTF-8" }, enabled: false } },
  },
  "recipes.delete": {
    about: "Its calls are in the histories of chats as they were.",
    refusals: [ADMINISTRATORS, "`404` for an unknown recipe, and one of a file."],
    repetition: "A repetition is a `404`.",
  },
  "recipes.run": {
    about: "The answer has what a model would read. Nothing of it is stored in a chat.",
    refusals: [
      ADMINISTRATORS,
      "`404` for an unknown recipe.",
      "`400` for a request that does not fit its parameters.",
    ],
    repetition: "A repetition runs it again.",
    examples: { minimal: { request: { host: "web-1" } }, full: { request: { host: "web-1" } } },
  },
  "recipes.reload": {
    about: "In this process before it answers, in others soon after.",
    refusals: [ADMINISTRATORS],
    repetition: "A repetition loads them again.",
  },
} as const satisfies OperationTexts;

export const MCP_SERVER_OPERATION_TEXTS = {
  "mcpServers.list": {
    about:
      "As this process sees them: another one may be connected to a server that this one does not reach.",
    refusals: [ADMINISTRATORS],
  },
  "mcpServers.create": {
    about:
      "All processes connect to it, and its tools are those of all chats from then on, as `<server>_<tool>`. `secrets` are stored encrypted and in no answer.",
    refusals: [
      ADMINISTRATORS,
      "`400` for a value that is a secret, or variables that it may not have.",
      "`409` for a name that is taken, and for one server too many.",
    ],
    examples: {
      minimal: {
        name: "tickets",
        transport: { type: "http", url: "https://mcp.example.org/mcp" },
      },
      full: {
        name: "tickets",
        transport: { type: "http", url: "https://mcp.example.org/mcp", headers: {} },
        approval: "always",
        timeout_seconds: 60,
        enabled: false,
        secrets: { Authorization: "Bearer example" },
      },
    },
  },
  "mcpServers.update": {
    about: "It is connected to again. What is left out stays as it is.",
    refusals: [
      ADMINISTRATORS,
      "`404` for an unknown server.",
      "`400` as for a new one.",
      "`409` for a name that is taken.",
    ],
    examples: {
      minimal: { enabled: false },
      full: { enabled: false, approval: "never", timeout_seconds: 120 },
    },
  },
  "mcpServers.delete": {
    about: "Its tools are offered no more; its calls stay in the histories.",
    refusals: [ADMINISTRATORS, "`404` for an unknown server."],
    repetition: "A repetition is a `404`.",
  },
  "mcpServers.test": {
    about:
      "The answer says why it could not be reached, as a `200`. The connection that chats use is another one.",
    refusals: [ADMINISTRATORS, "`404` for an unknown server."],
    repetition: "A repetition connects again.",
  },
} as const satisfies OperationTexts;

export const TOOLSET_OPERATION_TEXTS = {
  "toolsets.list": {
    about:
      "Those that the key may declare. A program is connected while it asks for calls of the toolset, or has asked a moment ago.",
    refusals: [ADMINISTRATORS],
  },
  "toolsets.get": {
    about:
      "`revision` is what `If-Match` takes. `warnings` says what of the schemas models do not get.",
    refusals: [NOT_FOR_TOOLSET, "`404` for an unknown toolset."],
  },
  "toolsets.put": {
    about:
      "The tools are those of all chats of the caller, or of those that choose them, as `<toolset>_<tool>`, from their next step on. Programs get the calls by `toolCalls.claimSome` with `toolset`. Calls that are open keep what they were made with.",
    refusals: [
      NOT_FOR_TOOLSET,
      "`409` for names that other tools have, or the name of an MCP server; `version_mismatch` with `If-Match`.",
      "`409` `older_version` while a program of a higher version is connected.",
    ],
    repetition: "The same declaration again changes nothing.",
    examples: {
      minimal: { version: "1", tools: [{ name: "restart" }] },
      full: {
        version: "1.4.2",
        description: "Operates our services",
        offered_to: "chosen",
        when_absent: "offer",
        tools: [
          {
            name: "restart",
            description: "Restarts a service",
            input_schema: { type: "object", properties: { service: { type: "string" } } },
            output_schema: { type: "object" },
            timeout_seconds: 600,
            repeatable: true,
            max_attempts: 3,
            approval: "always",
          },
        ],
      },
    },
  },
  "toolsets.delete": {
    about: "Its open calls are closed as `cancelled`. One that is cut off can be sent again.",
    refusals: [NOT_FOR_TOOLSET, "`404` for an unknown toolset."],
    repetition: "A repetition is a `404`.",
  },
} as const satisfies OperationTexts;
