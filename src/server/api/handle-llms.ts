import { toKebabCase } from "@/lib/to-kebab-case";
import type { AuthServices } from "@/server/auth/auth-services";
import { type ApiLog, toFailureResponse } from "./failure-response";
import { getOpenapiDocument } from "./openapi";
import { getRequestId } from "./request-body";
import { PRIVATE_HEADERS } from "./response-headers";
import { sendTaggedText, type TaggedText, toTaggedText } from "./tagged-text";

type LlmsDeps = { auth: AuthServices; publicDocs: boolean; log: ApiLog };

/** Handles `/llms.txt`, by which a model finds its way in the API. */
export const handleLlms = async (
  request: Request,
  { auth, publicDocs, log }: LlmsDeps,
): Promise<Response> => {
  const requestId = getRequestId(request.headers);
  const answer = async () => {
    if (!publicDocs) await auth.authenticator.authorize(request);
    return sendTaggedText(getLlmsText(), {
      headers: request.headers,
      type: "text/plain; charset=utf-8",
    });
  };
  const { status, headers, body } = await answer().catch((error: unknown) =>
    toFailureResponse(error, { request, requestId, log }),
  );
  return new Response(body, {
    status,
    headers: { ...PRIVATE_HEADERS, ...headers, "x-request-id": requestId },
  });
};

type Described = { operationId: string; summary: string; tags: string[] };
type Document = {
  info: { title: string; summary: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
};

let cached: TaggedText | undefined;

const getLlmsText = (): TaggedText =>
  (cached ??= toTaggedText(createLlmsText(JSON.parse(getOpenapiDocument()) as Document)));

/** In the form of https://llmstxt.org. */
const createLlmsText = ({ info, servers, tags, paths }: Document): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const [{ url } = { url: "" }] = servers;
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter((operation) => operation.tags.includes(name));
    const lines = own.map(
      ({ operationId, method, path, summary }) =>
        `- [${method.toUpperCase()} ${path}](/docs/${toKebabCase(name)}#${operationId}): ${summary}`,
    );
    return [`## ${name}`, description, lines.join("\n")].join("\n\n");
  });
  return [
    `# ${info.title}`,
    `> ${info.summary}`,
    info.description,
    `- [The OpenAPI document](${url}/openapi.json): all operations below, with their schemas and examples. Paths are below \`${url}\`.\n- [The reference](/docs): the same as pages.`,
    ...groups,
  ]
    .join("\n\n")
    .concat("\n");
};
