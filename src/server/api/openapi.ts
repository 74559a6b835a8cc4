import * as z from "zod";
import { AdvisorResult } from "@/contract/advisor";
import { ExecRequest, ExecResult } from "@/contract/exec";
import { Problem } from "@/contract/problem";
import { createSchemaRegistry, type Json, type SchemaRegistry } from "./openapi-schemas";
import type { DownloadOperation, Operation, StreamOperation } from "./operation";
import type { Access } from "./operation-context";
import {
  CONTENT_DISPOSITION,
  ETAG,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  LAST_EVENT_ID,
  LOCATION,
  PREFER,
  RANGE,
} from "./openapi-headers";
import { annotateDocument } from "./openapi-annotations";
import type { Schema } from "./openapi-examples";
import { TAGS } from "./openapi-tags";
import { type TaggedText, toTaggedText } from "./tagged-text";
import { downloads, operations, streams, uploads } from "./operations/all-operations";

type AnyOperation = Operation | DownloadOperation | StreamOperation;

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
  const problem = {
    description: "What is wrong (RFC 9457)",
    content: { "application/problem+json": { schema: schemas.output(Problem) } },
  };
  return annotateDocument({
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: "1",
      summary: "Chats with agents that use your tools.",
      description: "Programs can do over HTTP what people do on the pages.",
      contact: { name: "The administrator of this server" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }, { session: [] }],
    paths,
    components: {
      schemas: schemas.all,
      responses: { Problem: problem },
      securitySchemes: SECURITY_SCHEMES,
    },
  });
};

const SECURITY_SCHEMES = {
  apiKey: { type: "http", scheme: "bearer", description: "An API key" },
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
  responses: {
    200: {
      description: "OpenAPI 3.1",
      content: { "application/json": { schema: { type: "object" } } },
    },
    304: { description: "The document is the one of `If-None-Match`" },
    ...createProblemResponses([400, 401]),
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

const describeOperation = (operation: Operation, schemas: SchemaRegistry): Json => {
  const { method, status } = operation;
  const { parameters, body } = describeInput(operation, schemas);
  const outputs = operation.answers?.schemas ?? { [status]: operation.output };
  const acceptsIdempotencyKey = method === "POST" && operation.ignoresIdempotencyKey !== true;
  return {
    ...createHeading(operation),
    parameters: [
      ...parameters,
      ...(acceptsIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
      ...(operation.wait ? [PREFER] : []),
      ...(operation.ifMatch === undefined ? [] : [IF_MATCH]),
    ],
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(outputs).map(([code, output]) => [
          code,
          describeSuccess(
            operation,
            Number(code),
            isVoid(output) ? undefined : schemas.output(output),
          ),
        ]),
      ),
      ...createProblemResponses(method === "GET" ? READ_ERROR_STATUSES : WRITE_ERROR_STATUSES),
    },
  };
};

const describeInput = (operation: Operation, schemas: SchemaRegistry) => {
  const { method, bodyType } = operation;
  const { path, query, body } = inputFields(operation, schemas);
  if (bodyType === "stream") {
    return { parameters: [...path, ...query, CONTENT_DISPOSITION], body: STREAMED_BODY };
  }
  if (bodyType === "file") {
    // A form may name them instead.
    const optional = query.map((parameter) => ({ ...parameter, required: false }));
    return {
      parameters: [...path, ...optional, CONTENT_DISPOSITION],
      body: describeFileBody(operation, query),
    };
  }
  if (method === "GET" || method === "DELETE") return { parameters: [...path, ...query] };
  return { parameters: path, body };
};

const describeSuccess = (operation: Operation, status: number, schema: unknown): Json => ({
  description: schema === undefined ? "Done" : "The answer",
  headers: {
    ...(operation.location && status !== 200 && { location: LOCATION }),
    ...(operation.version && { etag: ETAG }),
  },
  ...(schema !== undefined && { content: { "application/json": { schema } } }),
});

const describeDownload = (download: DownloadOperation, schemas: SchemaRegistry): Json => {
  const { path, query } = inputFields(download, schemas);
  if (download.isWritten) {
    return {
      ...createHeading(download),
      parameters: [...path, ...query],
      responses: {
        200: { description: "The document", content: ANY_FILE },
        ...createProblemResponses(READ_ERROR_STATUSES),
      },
    };
  }
  return {
    ...createHeading(download),
    parameters: [...path, ...query, RANGE],
    responses: {
      200: { description: "The file", content: ANY_FILE },
      206: { description: "The range of the file", content: ANY_FILE },
      304: { description: "The file is the one of `If-None-Match`" },
      ...createProblemResponses([...READ_ERROR_STATUSES, 416]),
    },
  };
};

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

const createHeading = (operation: AnyOperation): Json => ({
  ...createNames(operation),
  description: [
    describeScope(operation),
    // A second content of the response would make its type a union, which typed clients cannot distinguish.
    ...("follow" in operation && operation.follow
      ? [
          "With `Accept: text/event-stream`, the answer is the stream of `chats.watch`, until the turn ends.",
        ]
      : []),
  ].join(" "),
});

const createNames = ({ name, summary, scope }: AnyOperation): Json => ({
  operationId: name,
  summary,
  "x-required-scope": scope,
  tags: [name.split(".")[0]],
});

const describeScope = ({ scope, partScope }: Access): string => {
  if (scope === "session") return "For signed-in browsers only.";
  if (scope === "key") return "Needs an API key, with any scope.";
  const part = partScope === undefined ? "" : `, or with \`${partScope}\` for a part of it`;
  return `Needs an API key with the scope \`${scope}\`${part}, or a session.`;
};

const isVoid = (schema: z.ZodType): boolean => schema instanceof z.ZodVoid;

const READ_ERROR_STATUSES = [400, 401, 403, 404, 429, 500];
const WRITE_ERROR_STATUSES = [400, 401, 403, 404, 409, 413, 422, 429, 500];

const createProblemResponses = (statuses: number[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: "#/components/responses/Problem" }]),
  );

const BINARY = { type: "string", format: "binary" };

const ANY_FILE = { "*/*": { schema: BINARY } };

/** The file alone, or in a form that may name the other fields, too. */
const describeFileBody = ({ maxBodyBytes }: Operation, fields: readonly Parameter[]): Json => ({
  required: true,
  description: `One file that is not empty, alone or in a form, in a body of at most ${maxBodyBytes} bytes. Its type is found by its content.`,
  content: {
    "*/*": { schema: BINARY },
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: {
          file: BINARY,
          ...Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
        },
        required: ["file"],
        additionalProperties: false,
      },
    },
  },
});

const STREAMED_BODY = {
  required: true,
  description:
    "The file, which is stored while it arrives: a ZIP, or one of its JSON documents. The server has a limit of bytes.",
  content: { "*/*": { schema: BINARY } },
};

type Parameter = { name: string; in: string; required: boolean; schema: unknown };

/** The field of an input that is the body itself. */
const FILE_FIELD = "file";

/** Splits the fields of an input into path, query and body. */
const inputFields = ({ path, input }: AnyOperation, schemas: SchemaRegistry) => {
  const { properties, required, reference } = schemas.inputFields(input);
  const isPathParameter = (name: string) => path.includes(`{${name}}`);
  const fields = Object.entries(properties).filter(([name]) => name !== FILE_FIELD);
  const parameters = fields.map(([name, schema]): Parameter =>
    isPathParameter(name)
      ? { name, in: "path", required: true, schema }
      : { name, in: "query", required: required.includes(name), schema },
  );
  const query = parameters.filter((parameter) => parameter.in === "query");
  const requiredNames = query.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = reference ?? {
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
