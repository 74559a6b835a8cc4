import { AdvisorResult } from "@/contract/advisor";
import { ExecRequest, ExecResult } from "@/contract/exec";
import { Problem } from "@/contract/problem";
import { annotateDocument } from "./openapi-annotations";
import { API_DESCRIPTION } from "./openapi-description";
import type { Schema } from "./openapi-examples";
import { createParameters, HEADERS, referToHeaders, referToParameter } from "./openapi-headers";
import { describeDownload, describeOperation, describeStream, isVoid } from "./openapi-operations";
import { createProblemComponents, referToProblems } from "./openapi-problems";
import { createSchemaRegistry, type Json } from "./openapi-schemas";
import { TAGS } from "./openapi-tags";
import { downloads, operations, streams, uploads } from "./operations/all-operations";
import { type TaggedText, toTaggedText } from "./tagged-text";

let cached: TaggedText | undefined;

/** Returns the OpenAPI 3.1 document of `/api/v1` as JSON, and its tag. */
export const getTaggedOpenapiDocument = (): TaggedText =>
  (cached ??= toTaggedText(JSON.stringify(createDocument())));

/** Returns the OpenAPI 3.1 document of `/api/v1` as JSON. */
export const getOpenapiDocument = (): string => getTaggedOpenapiDocument().text;

const createDocument = (): Json => {
  // Outputs are registered first and keep their names; inputs that differ are renamed.
  const jsonOperations = [...operations, ...uploads];
  const outputs = jsonOperations.filter(({ output }) => !isVoid(output));
  const schemas = createSchemaRegistry([
    Problem,
    ...outputs.map(({ output }) => output),
    ...streams.map(({ event }) => event),
    // What clients find in the arguments and the output of a call.
    ExecRequest,
    ExecResult,
    AdvisorResult,
  ]);
  const paths: Record<string, Json> = {};
  for (const operation of jsonOperations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(
      operation,
      schemas,
    );
  }
  for (const download of downloads) {
    (paths[download.path] ??= {}).get = describeDownload(download, schemas);
  }
  for (const stream of streams) {
    (paths[stream.path] ??= {}).get = describeStream(stream, schemas);
  }
  paths["/openapi.json"] = { get: describeDocument() };
  linkToolShapes(schemas.all);
  return annotateDocument({
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: "1",
      summary: "Chats with agents that use your tools.",
      description: API_DESCRIPTION,
      contact: { name: "The administrator of this server" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }, { session: [] }],
    paths,
    components: {
      schemas: schemas.all,
      parameters: createParameters(),
      headers: HEADERS,
      responses: createProblemComponents(schemas.output(Problem)),
      securitySchemes: SECURITY_SCHEMES,
    },
  });
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key, or a token that one has made. What an operation lists here is the scope that it needs",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "parley.session_token",
    description:
      "A signed-in browser; its writes must come from the site's own pages. On https the name begins with __Host-",
  },
};

const describeDocument = (): Json => ({
  operationId: "openapi",
  summary: "This document",
  description:
    "Needs no key, unless the server keeps its reference to itself: then any key, or a session.",
  tags: ["openapi"],
  security: [],
  parameters: [referToParameter("IfNoneMatch")],
  responses: {
    200: {
      description: "OpenAPI 3.1",
      headers: referToHeaders("ETag"),
      content: { "application/json": { schema: { type: "object" } } },
    },
    304: {
      description: "The document is the one of `If-None-Match`",
      headers: referToHeaders("ETag"),
    },
    ...referToProblems([400, 401]),
  },
});

const ANY_JSON = { description: "Any JSON value" };

/** Says what arguments and outputs of calls can be: of these tools, or any JSON. */
const linkToolShapes = (all: Record<string, unknown>): void => {
  const { properties = {} } = all.ToolCallPart as Schema;
  const refer = (...names: string[]) => ({
    anyOf: [...names.map((name) => ({ $ref: `#/components/schemas/${name}` })), ANY_JSON],
  });
  properties.args = refer("ExecRequest");
  properties.output = refer("ExecResult", "AdvisorResult");
};
