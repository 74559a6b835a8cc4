import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { generateFromStream } from "@/server/model/generate-from-stream";

/** Wraps a model whose calls get other options. */
export const mapOptions = (
  model: LanguageModelV4,
  map: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 => wrapStream(model, (options) => model.doStream(map(options)));

/** Creates a model that answers by a function, which calls the given one. */
export const wrapStream = (
  { provider, modelId, supportedUrls }: LanguageModelV4,
  doStream: LanguageModelV4["doStream"],
): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider,
  modelId,
  supportedUrls,
  doStream,
  doGenerate: generateFromStream(doStream),
});
