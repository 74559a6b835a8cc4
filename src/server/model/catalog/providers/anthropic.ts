import { createAnthropic } from "@ai-sdk/anthropic";
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
  takesPdfs: true,
  takesImagesInResults: () => true,
};
