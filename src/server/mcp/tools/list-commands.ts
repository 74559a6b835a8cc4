import type { Client, Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import { listAllPages } from "./list-all-pages";

/** The prompts and resources that a server lists. */
export type ListedCommands = {
  prompts: readonly Prompt[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplateType[];
};

/** Of all pages together: a person waits who has typed a slash. */
const TIMEOUT_MS = 10_000;

/**
 * Lists the prompts and resources of a server by our own requests, as for tools.
 *
 * @throws {Error} a sentence for a list that is too long, or the error of the SDK.
 */
export const listCommands = async (
  client: Pick<Client, "request" | "getServerCapabilities">,
): Promise<ListedCommands> => {
  const { prompts: hasPrompts, resources: hasResources } = client.getServerCapabilities() ?? {};
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), timeout: TIMEOUT_MS };
  const none = Promise.resolve([]);
  const [prompts, resources, templates] = await Promise.all([
    hasPrompts
      ? listAllPages("prompts", async (cursor) => {
          const page = await client.request({ method: "prompts/list", ...at(cursor) }, options);
          return { entries: page.prompts, nextCursor: page.nextCursor };
        })
      : none,
    hasResources
      ? listAllPages("resources", async (cursor) => {
          const page = await client.request({ method: "resources/list", ...at(cursor) }, options);
          return { entries: page.resources, nextCursor: page.nextCursor };
        })
      : none,
    hasResources
      ? listAllPages("templates of resources", async (cursor) => {
          const page = await client
            .request({ method: "resources/templates/list", ...at(cursor) }, options)
            .catch(toEmptyPage);
          return { entries: page.resourceTemplates, nextCursor: page.nextCursor };
        })
      : none,
  ]);
  return { prompts, resources, templates };
};

const at = (cursor: string | undefined) => (cursor === undefined ? {} : { params: { cursor } });

type TemplatePage = { resourceTemplates: ResourceTemplateType[]; nextCursor?: string | undefined };

/** Many servers have resources and do not know the request for templates. */
const toEmptyPage = (reason: unknown): TemplatePage => {
  if (reason instanceof Error && "code" in reason && reason.code === METHOD_NOT_FOUND) {
    return { resourceTemplates: [] };
  }
  throw reason;
};

/** Of JSON-RPC. */
const METHOD_NOT_FOUND = -32_601;
