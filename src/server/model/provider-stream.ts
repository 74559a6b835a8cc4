import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { createFairShare } from "./fair-share";

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/** One for all streams of the process: it is their sum that must not keep others waiting. */
const fairShare = createFairShare();

/** One request to a provider and the stream it answers with. */
export const createProviderStream = (
  client: LanguageModelV4,
  options: LanguageModelV4CallOptions,
) => {
  const abort = new AbortController();
  let reader: Reader | undefined;
  let closed = false;
  let ended = false;

  const drop = (): void => {
    abort.abort();
    // The stream may have failed already; nobody reads it any more.
    reader?.cancel().catch(() => undefined);
  };

  return {
    /**
     * Sends the request and hands each part over until the stream ends or is closed.
     *
     * @param take gets the part and `performance.now()`.
     * @throws what the request or the stream fails with, the error of an `error` part included.
     */
    read: async (take: (part: LanguageModelV4StreamPart, at: number) => void): Promise<void> => {
      const { stream } = await client.doStream({ ...options, abortSignal: abort.signal });
      reader = stream.getReader();
      if (closed) return drop();
      for (;;) {
        const { done, value } = await reader.read();
        if (closed) return;
        if (done) break;
        if (value.type === "error") throw value.error;
        const at = performance.now();
        take(value, at);
        const pause = fairShare.pause(at);
        if (pause !== undefined) await pause;
      }
      ended = true;
    },
    /** Gives the connection up, at once; what it still says is not heard. */
    close: (): void => {
      closed = true;
      if (!ended) drop();
    },
  };
};
