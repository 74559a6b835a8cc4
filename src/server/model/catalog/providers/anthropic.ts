import { createAnthropic } from "@ai-sdk/anthropic";
import { addCacheBreakpoints } from "@/server/model/add-cache-breakpoints";
import { isAnthropicAddress } from "@/server/model/catalog/is-own-address";
import { mapOptions } from "@/server/model/catalog/map-options";
import { createEntry, type Provider, toClientOptions } from "@/server/model/catalog/provider";
import { withUsableNames } from "@/server/model/property-names/with-usable-names";
import { createProviderFetch } from "@/server/model/stream/provider-fetch";
import {
  createAnthropicRepair,
  readWholeMessage,
} from "@/server/model/stream/repairs/anthropic-events";

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
  // Pings distinguish long reasoning from a connection that hangs.
  options: { anthropic: { includePings: true } },
  adaptPrompt: addCacheBreakpoints,
  takesImagesInResults: () => true,
  models: {
    "claude-opus-4-5": createEntry("Claude Opus 4.5", 200_000, {
      input: 5,
      output: 25,
      read: 0.5,
      write: 6.25,
    }),
    "claude-sonnet-4-5": createEntry("Claude Sonnet 4.5", 200_000, {
      input: 3,
      output: 15,
      read: 0.3,
      write: 3.75,
    }),
    "claude-haiku-4-5": createEntry("Claude Haiku 4.5", 200_000, {
      input: 1,
      output: 5,
      read: 0.1,
      write: 1.25,
    }),
  },
};
