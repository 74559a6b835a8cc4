import { APICallError, type LanguageModelV4 } from "@ai-sdk/provider";
import { wrapStream } from "./map-options";

type Body = Record<string, unknown>;

/** What servers say that take the newer name only; a limit that is too high is something else. */
const REFUSAL =
  /max_completion_tokens|max_tokens.{0,60}(?:not supported|unsupported|not permitted|unrecognized|unknown)|(?:unsupported|unrecognized|unknown|extra).{0,60}max_tokens/i;

/**
 * Names the limit of an answer as a server wants it: `max_tokens`, which nearly all take, and `max_completion_tokens` after a
 * refusal of that, in one more request and in all further ones.
 */
export const createTokenLimit = () => {
  let isRefused = false;
  return {
    renameLimit: (body: Body): Body => {
      const { max_tokens, ...others } = body;
      return isRefused && max_tokens !== undefined
        ? { ...others, max_completion_tokens: max_tokens }
        : body;
    },
    toClient: (model: LanguageModelV4): LanguageModelV4 =>
      wrapStream(model, async (options) => {
        try {
          return await model.doStream(options);
        } catch (error) {
          const hasLimit = options.maxOutputTokens !== undefined;
          if (isRefused || !hasLimit || !isRefusalOfName(error)) throw error;
          isRefused = true;
          return model.doStream(options);
        }
      }),
  };
};

const isRefusalOfName = (error: unknown): boolean =>
  APICallError.isInstance(error) &&
  [400, 422].includes(error.statusCode ?? 0) &&
  REFUSAL.test(`${error.message} ${error.responseBody ?? ""}`);
