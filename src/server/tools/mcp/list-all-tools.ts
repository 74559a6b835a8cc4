import { isDeepStrictEqual } from "node:util";
import type { Client, Tool as ServerTool } from "@modelcontextprotocol/client";
import { MAX_MESSAGE_BYTES } from "./server-transport";

/** Of each request for a page. */
const LIST_TIMEOUT_MS = 30_000;
/** A server that lists without end is given up. */
const MAX_PAGES = 200;
/** Tools of all pages, far more than are offered. */
const MAX_LISTED_TOOLS = 10_000;

/**
 * Lists the tools of a server by our own requests: the SDK would keep them, and then reject results of calls that
 * do not have the data which their schemas promise, and it joins pages of any size.
 *
 * @throws {Error} a sentence for a list that is too long, or the error of the SDK.
 */
export const listAllTools = async (
  client: Pick<Client, "request">,
): Promise<readonly ServerTool[]> => {
  const all: ServerTool[] = [];
  let bytes = 0;
  let previous: { tools: ServerTool[]; nextCursor?: string | undefined } = { tools: [] };
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { nextCursor: cursor } = previous;
    const page = await client.request(
      { method: "tools/list", ...(cursor !== undefined && { params: { cursor } }) },
      { timeout: LIST_TIMEOUT_MS },
    );
    // Some servers do not know cursors, and send the same page for each.
    if (cursor !== undefined && isDeepStrictEqual(page, previous)) return all;
    bytes += Buffer.byteLength(JSON.stringify(page.tools));
    if (bytes > MAX_MESSAGE_BYTES || all.length + page.tools.length > MAX_LISTED_TOOLS) {
      throw new Error(TOO_MUCH);
    }
    for (const tool of page.tools) all.push(tool);
    if (page.nextCursor === undefined) return all;
    previous = page;
  }
  throw new Error(`The server lists its tools in more than ${MAX_PAGES} pages.`);
};

const TOO_MUCH = `The server lists more than ${MAX_LISTED_TOOLS} tools, or more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB of them.`;
