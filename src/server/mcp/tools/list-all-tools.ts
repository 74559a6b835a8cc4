import type { Client, Tool as ServerTool } from "@modelcontextprotocol/client";
import { listAllPages } from "./list-all-pages";

/** Time limit of each request for a page. */
const LIST_TIMEOUT_MS = 30_000;

/**
 * Lists the tools of a server by our own requests: the SDK would keep them, and then reject results of calls that
 * do not have the data which their schemas promise, and it joins pages of any size.
 *
 * @throws {Error} a sentence for a list that is too long, or the error of the SDK.
 */
export const listAllTools = (client: Pick<Client, "request">): Promise<readonly ServerTool[]> =>
  listAllPages("tools", async (cursor) => {
    const { tools, nextCursor } = await client.request(
      { method: "tools/list", ...(cursor !== undefined && { params: { cursor } }) },
      { timeout: LIST_TIMEOUT_MS },
    );
    return { entries: tools, nextCursor };
  });
