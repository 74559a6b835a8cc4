import { Problem } from "@/contract/problem";
import { createSchemaRegistry, type Json, type SchemaRegistry } from "./openapi-schemas";
import type { Operation, StreamOperation } from "./operation";
import type { OperationScope } from "./operation-context";
import { operations, streams } from "./operations/all-operations";

let cachedDocument: string | undefined;

/** Returns the OpenAPI 3.1 document of `/api/v1` as JSON. */
export const getOpenapiDocument = (): string =>
  (cachedDocument ??= JSON.stringify(createDocument()));

const createDocument = (): Json => {
  // Outputs are registered first and keep their names; inputs that differ are renamed.
  const outputs = operations.filter(({ status }) => !hasNoBody(status));
  const schemas = createSchemaRegistry([
    Problem,
    ...outputs.map(({ output }) => output),
    ...streams.map(({ event }) => event),
  ]);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(
      operation,
      schemas,
    );
  }
  for (const stream of streams) {
    (paths[stream.path] ??= {}).get = describeStream(stream, schemas);
  }
  paths["/openapi.json"] = {
    get: {
      operationId: "openapi",
      summary: "This document",
      security: [],
      responses: {
        200: { description: "OpenAPI 3.1", content: { "application/json": { schema: {} } } },
      },
    },
  };
  const problem = {
    description: "What is wrong (RFC 9457)",
    content: { "application/problem+json": { schema: schemas.output(Problem) } },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Parley", version: "1", description: "Chats with agents that use your tools." },
    servers: [{ url: "/api/v1" }],
    security: [{ apiKey: [] }, { session: [] }],
    paths,
    components: {
      schemas: schemas.all,
      responses: { Problem: problem },
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "parley.session_token",
          description:
            "A signed-in browser; its writes must come from the site's own pages. On https the name begins with __Host-",
        },
      },
    },
  };
};

const describeOperation = (operation: Operation, schemas: SchemaRegistry): Json => {
  const { method, status } = operation;
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
  const fields = inputFields(operation, schemas);
  const success = {
    description: hasNoBody(status) ? "Done" : "The answer",
    ...(operation.location && {
      headers: { location: { description: "Where it is", schema: { type: "string" } } },
    }),
    ...(!hasNoBody(status) && { content: describeContent(operation, schemas) }),
  };
  const acceptsIdempotencyKey = method === "POST" && operation.hasSecret !== true;
  return {
    ...createHeading(operation),
    parameters: [
      ...fields.path,
      ...(hasBody ? [] : fields.query),
      ...(acceptsIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(hasBody && fields.body && { requestBody: fields.body }),
    responses: {
      [status]: success,
      ...createProblemResponses(method === "GET" ? READ_ERROR_STATUSES : WRITE_ERROR_STATUSES),
    },
  };
};

const describeContent = ({ output, follow }: Operation, schemas: SchemaRegistry): Json => ({
  "application/json": { schema: schemas.output(output) },
  ...(follow && { "text/event-stream": { schema: schemas.output(follow.stream.event) } }),
});

const describeStream = (stream: StreamOperation, schemas: SchemaRegistry): Json => {
  const { path, query } = inputFields(stream, schemas);
  return {
    ...createHeading(stream),
    parameters: [...path, ...query, ...(stream.isResumable ? [LAST_EVENT_ID] : [])],
    responses: {
      200: {
        description: "Server-sent events; each event's data is JSON of this schema",
        content: { "text/event-stream": { schema: schemas.output(stream.event) } },
      },
      ...createProblemResponses(READ_ERROR_STATUSES),
    },
  };
};

const createHeading = ({ name, summary, scope }: Operation | StreamOperation): Json => ({
  operationId: name,
  summary,
  description: describeScope(scope),
  "x-required-scope": scope,
  tags: [name.split(".")[0]],
});

const describeScope = (scope: OperationScope): string =>
  scope === "session"
    ? "For signed-in browsers only."
    : `Needs an API key with the scope \`${scope}\`, or a session.`;

const hasNoBody = (status: number): boolean => status === 202 || status === 204;

const READ_ERROR_STATUSES = [400, 401, 403, 404, 429, 500];
const WRITE_ERROR_STATUSES = [400, 401, 403, 404, 409, 413, 422, 429, 500];

const createProblemResponses = (statuses: number[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: "#/components/responses/Problem" }]),
  );

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "Repeating the request with the same key and body gives the first answer again",
  schema: { type: "string", maxLength: 255 },
};

const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  description: "As `after`, sent by browsers that connect again",
  schema: { type: "integer" },
};

type Parameter = { name: string; in: string; required: boolean; schema: unknown };

/** Splits the fields of an input into path, query and body. */
const inputFields = ({ path, input }: Operation | StreamOperation, schemas: SchemaRegistry) => {
  const { properties, required } = schemas.inputFields(input);
  const isPathParameter = (name: string) => path.includes(`{${name}}`);
  const parameters = Object.entries(properties).map(([name, schema]): Parameter =>
    isPathParameter(name)
      ? { name, in: "path", required: true, schema }
      : { name, in: "query", required: required.includes(name), schema },
  );
  const query = parameters.filter((parameter) => parameter.in === "query");
  const requiredNames = query.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema: field }) => [name, field])),
    ...(requiredNames.length > 0 && { required: requiredNames }),
    additionalProperties: false,
  };
  return {
    path: parameters.filter((parameter) => parameter.in === "path"),
    query,
    body: query.length > 0 && {
      required: requiredNames.length > 0,
      content: { "application/json": { schema } },
    },
  };
};
