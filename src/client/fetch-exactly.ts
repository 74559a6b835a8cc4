import { mayBeRounded, parseShownJson } from "@/lib/exact-json";

/** Fetches lines of JSON whose reader would round numbers: such numbers become texts. */
export const fetchExactly = async (
  url: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> => {
  const response = await fetch(url, init);
  const { ok, body, status, statusText, headers } = response;
  if (!ok || !body) return response;
  const lines = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(createLineTransform(quoteNumbers))
    .pipeThrough(new TextEncoderStream());
  return new Response(lines, { status, statusText, headers });
};

const quoteNumbers = (line: string): string => {
  if (!mayBeRounded(line)) return line;
  try {
    return JSON.stringify(parseShownJson(line));
  } catch {
    // Not JSON: its reader says so.
    return line;
  }
};

/** Changes whole lines of a text that comes in pieces. */
const createLineTransform = (change: (line: string) => string) => {
  let pieces: string[] = [];
  return new TransformStream<string, string>({
    transform: (text, controller) => {
      const lines = text.split("\n");
      const last = lines.pop() ?? "";
      for (const line of lines) {
        controller.enqueue(`${change([...pieces, line].join(""))}\n`);
        pieces = [];
      }
      pieces.push(last);
    },
    flush: (controller) => {
      controller.enqueue(change(pieces.join("")));
    },
  });
};
