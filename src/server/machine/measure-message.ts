import type { HistoryMessage, PartRow } from "@/server/db/chats/rows";

/**
 * Measures what a message takes of a prompt, in bytes, without reasoning and the bytes of files.
 *
 * @param maxResultBytes what a prompt has of one result.
 */
export const measureMessage = (
  { parts }: Pick<HistoryMessage, "parts">,
  maxResultBytes = Infinity,
): number => parts.reduce((sum, part) => sum + measurePart(part, maxResultBytes), 0);

const measurePart = (part: PartRow, maxResultBytes: number): number => {
  switch (part.type) {
    case "text":
      return Buffer.byteLength(part.text);
    case "tool_call":
      return (
        Buffer.byteLength(JSON.stringify(part.args)) +
        Math.min(Buffer.byteLength(JSON.stringify(part.output ?? null)), maxResultBytes)
      );
    case "report":
      return Buffer.byteLength(JSON.stringify(part.data));
    case "reasoning":
    case "source":
    case "file":
    case "summary":
      return 0;
  }
};
