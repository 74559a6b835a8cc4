import { highlightCode } from "./code-highlighter";
import type { HighlightRequest, HighlightResponse } from "./code-lines";

// A thread of its own: it compiles a grammar in a tenth of a second and more, in which the page would not react.

const respond = async (request: HighlightRequest): Promise<HighlightResponse> => {
  try {
    return { lines: await highlightCode(request) };
  } catch (error) {
    return { lines: undefined, error: String(error) };
  }
};

addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  respond(data)
    .then((response) => postMessage(response))
    .catch(reportError);
});
