import { createAnthropic } from "@ai-sdk/anthropic";
import type { JSONObject, JSONValue } from "@ai-sdk/provider";
import { isRecord } from "@/lib/is-record";
import { toThinking } from "@/server/model/anthropic-thinking";
import { addCacheBreakpoints } from "@/server/model/add-cache-breakpoints";
import { isAnthropicAddress } from "@/server/model/catalog/is-own-address";
import { mapOptions } from "@/server/model/catalog/map-options";
import { type Provider, toClientOptions } from "@/server/model/catalog/provider";
import { withUsableNames } from "@/server/model/property-names/with-usable-names";
import { createProviderFetch } from "@/server/model/stream/provider-fetch";
import {
  createAnthropicRepair,
  readWholeMessage,
} from "@/server/model/stream/repairs/anthropic-events";

const SINCE_CLAUDE_4_5 =
  /claude-(?:(?:opus|sonnet|haiku)-4-[5-9]|(?:fable|opus|sonnet|haiku)-[5-9])/;
/** Tokens of an answer, as the newest models of Anthropic have them. */
const CLAUDE_TOKENS = 128_000;
/** Of models of others: long enough for a program in one file, and most take it. What is refused is learned. */
const OTHER_TOKENS = 32_000;
/** Some servers count the answer to the context, of which the model reads the rest. */
const SHARE_OF_CONTEXT = 4;

export const anthropic: Provider = {
  createClient: (access, model) => {
    const client = withUsableNames(
      createAnthropic({
        ...toClientOptions(access),
        fetch: createProviderFetch({
          provider: "anthropic",
          events: {
            textKeys: ["text", "thinking", "partial_json"],
            createRepair: createAnthropicRepair,
          },
          readWhole: readWholeMessage,
        }),
      })(model),
    );
    if (isAnthropicAddress(access.baseUrl)) return client;
    // Other servers refuse `eager_input_streaming` of tools, which the client sends by default.
    return mapOptions(client, ({ providerOptions, ...options }) => ({
      ...options,
      providerOptions: {
        ...providerOptions,
        anthropic: { ...providerOptions?.anthropic, toolStreaming: false },
      },
    }));
  },
  listing: {
    address: "https://api.anthropic.com/v1",
    path: "/models?limit=1000",
    toHeaders: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }),
  },
  // Pings distinguish long reasoning from a connection that hangs.
  options: { anthropic: { includePings: true } },
  adaptPrompt: addCacheBreakpoints,
  toThinking,
  needOutputLimit: ({ model, contextLimit }) =>
    // The client lowers it to what it knows of older ones.
    model.includes("claude-")
      ? CLAUDE_TOKENS
      : Math.min(OTHER_TOKENS, Math.floor((contextLimit ?? Infinity) / SHARE_OF_CONTEXT)),
  // For all others the client would force a call of a tool.
  canEnforceFormat: ({ model }) => SINCE_CLAUDE_4_5.test(model),
  tools: {
    web_search: () => ({
      type: "provider",
      id: "anthropic.web_search_20250305",
      name: "web_search",
      // Its server ends an answer unfinished after ten rounds of its own tools.
      args: { maxUses: 8 },
    }),
    code_execution: () => ({
      type: "provider",
      id: "anthropic.code_execution_20250825",
      name: "code_execution",
      args: {},
    }),
  },
  findPause: ({ finishReason, providerMetadata }) =>
    finishReason.raw === "pause_turn"
      ? { anthropic: toContainer(providerMetadata?.anthropic?.container) }
      : undefined,
  resumesCalls: true,
  takesPdfs: true,
  takesImagesInResults: () => true,
};

/** A run of code that has not ended goes on where it was. */
const toContainer = (container: JSONValue | undefined): JSONObject =>
  isRecord(container) && typeof container.id === "string"
    ? { container: { id: container.id } }
    : {};
