import { Problem } from "@/contract/problem";
import { createSchemas, type Json, type Schemas } from "./openapi-schemas";
import type { Operation, StreamOperation } from "./operation";
import { operations, streams } from "./operations/all-operations";

let written: string | undefined;

/** The OpenAPI 3.1 document of `/api/v1`, as JSON. */
export const openapiDocument = (): string => (written ??= JSON.stringify(createDocument()));

const createDocument = (): Json => {
  // Outputs first: they have the plain names, and an input that differs is the odd one out.
  const outputs = operations.filter(({ status }) => !hasNoBody(status));
  const schemas = createSchemas([
    Problem,
    ...outputs.map(({ output }) => output),
    ...streams.map(({ event }) => event),
  ]);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation, schemas);
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
          description: "A signed-in browser; its writes must come from the site's own pages",
        },
      },
    },
  };
};

const describe = (operation: Operation, schemas: Schemas): Json => {
  const { method, status } = operation;
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
  const fields = inputFields(operation, schemas);
  const success = {
    description: hasNoBody(status) ? "Done" : "The answer",
    ...(operation.location && {
      headers: { location: { description: "Where it is", schema: { type: "string" } } },
    }),
    ...(!hasNoBody(status) && { content: contentOf(operation, schemas) }),
  };
  const keyed = method === "POST" && operation.secret !== true;
  return {
    ...heading(operation),
    parameters: [
      ...fields.path,
      ...(hasBody ? [] : fields.query),
      ...(keyed ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(hasBody && fields.body && { requestBody: fields.body }),
    responses: { [status]: success, ...problems(method === "GET" ? READ_FAILS : WRITE_FAILS) },
  };
};

const contentOf = ({ output, follow }: Operation, schemas: Schemas): Json => ({
  "application/json": { schema: schemas.output(output) },
  ...(follow && { "text/event-stream": { schema: schemas.output(follow.stream.event) } }),
});

const describeStream = (stream: StreamOperation, schemas: Schemas): Json => {
  const { path, query } = inputFields(stream, schemas);
  return {
    ...heading(stream),
    parameters: [...path, ...query, ...(stream.resumable ? [LAST_EVENT_ID] : [])],
    responses: {
      200: {
        description: "Server-sent events; each event's data is JSON of this schema",
        content: { "text/event-stream": { schema: schemas.output(stream.event) } },
      },
      ...problems(READ_FAILS),
    },
  };
};

const heading = ({ name, summary }: { name: string; summary: string }): Json => ({
  operationId: name,
  summary,
  tags: [name.split(".")[0]],
});

const hasNoBody = (status: number): boolean => status === 202 || status === 204;

const READ_FAILS = [400, 401, 404, 429, 500];
const WRITE_FAILS = [400, 401, 403, 404, 409, 413, 422, 429, 500];

const problems = (statuses: number[]): Json =>
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

/** An input's fields, by where a request carries them. */
const inputFields = ({ path, input }: Operation | StreamOperation, schemas: Schemas) => {
  const { properties, required } = schemas.inputFields(input);
  const inPath = (name: string) => path.includes(`{${name}}`);
  const parameters = Object.entries(properties).map(([name, schema]): Parameter =>
    inPath(name)
      ? { name, in: "path", required: true, schema }
      : { name, in: "query", required: required.includes(name), schema },
  );
  const query = parameters.filter((parameter) => parameter.in === "query");
  const needed = query.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema: field }) => [name, field])),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
  return {
    path: parameters.filter((parameter) => parameter.in === "path"),
    query,
    body: query.length > 0 && {
      required: needed.length > 0,
      content: { "application/json": { schema } },
    },
  };
};
