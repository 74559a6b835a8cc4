import { ADMINISTRATORS, type OperationTexts } from "./operation-text";

export const MODEL_OPERATION_TEXTS = {
  "models.list": {
    about:
      "Those that are enabled. With `all`, administrators see the others, too, and how each is reached; never a key.",
    refusals: ["`403` with `all` for everybody but administrators with the scope `admin`."],
  },
  "models.create": {
    about:
      "What is left out is what is known of the model. It can be used at once; `models.test` says whether it answers. An `api_key` is stored encrypted and in no answer.",
    refusals: [
      ADMINISTRATORS,
      "`400` for an address or a key that its provider cannot have.",
      "`409` for a model that exists.",
    ],
    repetition: "Takes no `Idempotency-Key`, as it may have a secret: a repetition is a `409`.",
    examples: {
      minimal: { provider: "demo", model: "example" },
      full: {
        provider: "openai-compatible",
        model: "qwen3",
        name: "Qwen on our server",
        base_url: "http://127.0.0.1:11434/v1",
        context_limit: 32_000,
        prices: { input: 0, output: 0 },
        tool_protocol: "native",
        enabled: true,
        is_default: false,
      },
    },
  },
  "models.update": {
    about:
      "Counts from the next call of each chat that has the model. A new address needs its key again.",
    refusals: [
      ADMINISTRATORS,
      "`404` for an unknown model.",
      "`400` for an address or a key that its provider cannot have.",
      "`409` for what the environment decides.",
    ],
    repetition: "The same change again changes nothing.",
    examples: {
      minimal: { name: "Example" },
      full: { name: "Example", context_limit: 32_000, enabled: true, wait_minutes: 30 },
    },
  },
  "models.delete": {
    about: "Its chats go on with the default model.",
    refusals: [
      ADMINISTRATORS,
      "`404` for an unknown model.",
      "`409` for the default model, and for one of the environment.",
    ],
    repetition: "A repetition is a `404`.",
  },
  "models.test": {
    about:
      "The answer says what went wrong, as a `200`: that the model is not reached is no refusal. The call is in no chat's usage.",
    refusals: [ADMINISTRATORS, "`404` for an unknown model."],
    repetition: "A repetition calls the model again.",
  },
  "models.discover": {
    about:
      "With what is entered for a new model, or with `model_id` the access of a stored one. The answer says why a server gave no list.",
    refusals: [
      ADMINISTRATORS,
      "`404` for an unknown `model_id`.",
      "`400` for an address or a key that cannot be.",
    ],
    repetition: "A repetition asks the server again.",
    examples: {
      minimal: { provider: "demo" },
      full: { provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1" },
    },
  },
} as const satisfies OperationTexts;

export const TOOL_OPERATION_TEXTS = {
  "tools.list": {
    about:
      "Those of this program, recipes and MCP servers, each with its input schema. `reason` says why one is not offered, such as a server that is not connected.",
  },
  "tools.setMode": {
    about:
      "For all chats, from their next step on: `off` offers the tool to no model, `ask` makes each call wait for an approval.",
    refusals: [ADMINISTRATORS, "`404` for an unknown tool."],
    examples: { minimal: { mode: "ask" }, full: { mode: "off" } },
  },
  "groups.list": {
    about: "Groups have tools and instructions that a chat chooses together, in `groups`.",
  },
  "mcpCommands.list": {
    about:
      "What servers that are connected offer to everybody. A server that is away offers nothing.",
  },
  "mcpCommands.run": {
    about:
      "Asks the server. Files of the answer are stored as files that a message can have; one that is too large is left out, and the text says so.",
    refusals: [
      "`404` for an unknown command.",
      "`400` for arguments that do not fit.",
      "`422` when the server does not give it.",
      "`429` while the server reads many other files.",
    ],
    repetition: "A repetition asks the server again, and stores its files again.",
    examples: { minimal: {}, full: { arguments: { city: "Bonn" } } },
  },
} as const satisfies OperationTexts;

export const CONFIG_OPERATION_TEXTS = {
  "config.getAdvisor": {
    about: "What an administrator has saved, else the default.",
    refusals: [ADMINISTRATORS],
  },
  "config.setAdvisor": {
    about: "Counts from the next step of each turn.",
    refusals: [ADMINISTRATORS, "`400` for an unknown model."],
    examples: {
      minimal: { enabled: false, max_uses_per_run: 3, max_output_tokens: 0, model_id: null },
      full: { enabled: true, max_uses_per_run: 3, max_output_tokens: 4_000, model_id: null },
    },
  },
  "config.getCallerTools": {
    about: "Whether requests may have `dynamic_tools`.",
    refusals: [ADMINISTRATORS],
  },
  "config.setCallerTools": {
    about:
      "Off, `dynamic_tools` is a `403`, and turns are not offered those that chats have; open calls can still be answered.",
    refusals: [ADMINISTRATORS],
    examples: { minimal: { allowed: true }, full: { allowed: true } },
  },
  "config.getGroups": {
    about: "With `version`, which `config.setGroups` takes.",
    refusals: [ADMINISTRATORS],
  },
  "config.setGroups": {
    about:
      "Replaces the whole list, for the next turns of all chats. With `version` only if nobody has changed it since it was read.",
    refusals: [
      ADMINISTRATORS,
      "`400` for an unknown tool, or a dynamic tool with the name of another one.",
      "`409` for an older `version`.",
    ],
    examples: {
      minimal: { groups: [] },
      full: {
        groups: [
          {
            name: "research",
            description: "Looks things up",
            tools: ["current_time"],
            dynamic_tools: [{ name: "look_up", input_schema: { type: "object" } }],
            prompt: "Name your sources.",
          },
        ],
      },
    },
  },
  "config.getAgentTypes": {
    about: "With `version`, which `config.setAgentTypes` takes.",
    refusals: [ADMINISTRATORS],
  },
  "config.setAgentTypes": {
    about:
      "Replaces the whole list, for agents that are started later; the first one is that of a call that names none.",
    refusals: [
      ADMINISTRATORS,
      "`400` for a tool that agents cannot have, or an unknown model.",
      "`409` for an older `version`.",
    ],
    examples: {
      minimal: { agent_types: [{ name: "general" }] },
      full: {
        agent_types: [
          {
            name: "general",
            description: "Does a whole piece of work",
            prompt: "Report what you did.",
            tools: null,
            model_id: null,
            max_steps: 50,
            inherit_dynamic_tools: false,
          },
        ],
      },
    },
  },
} as const satisfies OperationTexts;
