import * as z from "zod";
import type { Schema } from "./openapi-examples";
import { referToHeaders, referToParameter } from "./openapi-headers";
import { READ_ERROR_STATUSES, referToProblems, WRITE_ERROR_STATUSES } from "./openapi-problems";
import type { Json, SchemaRegistry } from "./openapi-schemas";
import { describeInWords, getOperationText } from "./operation-texts/describe-in-words";
import type { OperationText } from "./operation-texts/operation-text";
import {
  acceptsIdempotencyKey,
  type AnyOperation,
  type DownloadOperation,
  type Operation,
  type StreamOperation,
} from "./operation";

export const describeOperation = (operation: Operation, schemas: SchemaRegistry): Json => {
  const { method, status } = operation;
  const { parameters, body } = describeInput(operation, schemas);
  const outputs = operation.answers?.schemas ?? { [status]: operation.output };
  return {
    ...createHeading(operation),
    parameters: [
      ...parameters,
      ...(acceptsIdempotencyKey(operation) ? [referToParameter("IdempotencyKey")] : []),
      ...(operation.wait ? [referToParameter("Prefer")] : []),
      ...(operation.ifMatch === undefined ? [] : [referToParameter("IfMatch")]),
    ],
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries(outputs).map(([code, output]) => [
          code,
          describeSuccess(operation, {
            status: Number(code),
            schema: isVoid(output) ? undefined : schemas.output(output),
            stream: operation.follow && describeEvents(operation.follow.stream, schemas),
          }),
        ]),
      ),
      ...referToProblems(method === "GET" ? READ_ERROR_STATUSES : WRITE_ERROR_STATUSES),
    },
  };
};

const describeInput = (operation: Operation, schemas: SchemaRegistry) => {
  const { method, bodyType } = operation;
  const { path, query, body } = inputFields(operation, schemas);
  const { examples } = getOperationText(operation);
  if (bodyType === "stream") {
    return {
      parameters: [...path, ...query, referToParameter("ContentDisposition")],
      body: STREAMED_BODY,
    };
  }
  if (bodyType === "file") {
    // A form may name them instead.
    const optional = query.map((parameter) => ({ ...parameter, required: false }));
    return {
      parameters: [...path, ...optional, referToParameter("ContentDisposition")],
      body: describeFileBody(operation, query),
    };
  }
  if (method === "GET" || method === "DELETE") return { parameters: [...path, ...query] };
  return { parameters: path, body: body && withExamples(body, examples) };
};

/** Adds the examples of a body. */
const withExamples = (
  body: { content: Record<string, Json> },
  examples: OperationText["examples"],
): Json => ({
  ...body,
  content: {
    "application/json": {
      ...body.content["application/json"],
      ...(examples && {
        examples: {
          minimal: { summary: "The least that is needed", value: examples.minimal },
          full: { summary: "What is used often", value: examples.full },
        },
      }),
    },
  },
});

type Success = { status: number; schema: unknown; stream: Json | undefined };

const describeSuccess = (operation: Operation, { status, schema, stream }: Success): Json => ({
  description: stream
    ? `The answer, or: ${stream.description as string}`
    : DONE[schema === undefined ? "empty" : "body"],
  headers: referToHeaders(
    ...(operation.location && status !== 200 ? (["Location"] as const) : []),
    ...(operation.version ? (["ETag"] as const) : []),
    ...(operation.wait ? (["PreferenceApplied"] as const) : []),
    ...(acceptsIdempotencyKey(operation) ? (["IdempotencyReplayed"] as const) : []),
  ),
  ...(schema !== undefined && {
    content: { "application/json": { schema }, ...(stream?.content as Json | undefined) },
  }),
});

const DONE = { empty: "Done", body: "The answer" };

/** A response with the events of a stream. */
const describeEvents = (
  { event, isResumable }: StreamOperation,
  schemas: SchemaRegistry,
): { description: string; content: Json } => {
  const schema = schemas.output(event);
  const cursor = isResumable
    ? " An event of what is committed has an `id`, which `after` and `Last-Event-ID` take."
    : "";
  return {
    description: `Server-sent events. The data of each is JSON of this schema; its \`event\` is the \`type\` of the data: ${listEventNames(schema as Schema, schemas.all).join(", ")}.${cursor} Lines that begin with a colon keep the connection open.`,
    content: { "text/event-stream": { schema } },
  };
};

/** @param all the named schemas. */
const listEventNames = ({ $ref, oneOf = [], properties }: Schema, all: Json): string[] => {
  const named = $ref === undefined ? undefined : all[$ref.split("/").at(-1) ?? ""];
  if (named !== undefined) return listEventNames(named as Schema, all);
  return properties
    ? [`\`${String(properties.type?.const)}\``]
    : oneOf.flatMap((branch) => listEventNames(branch, all));
};

export const describeDownload = (download: DownloadOperation, schemas: SchemaRegistry): Json => {
  const { path, query } = inputFields(download, schemas);
  if (download.isWritten) {
    return {
      ...createHeading(download),
      parameters: [...path, ...query],
      responses: {
        200: {
          description: "The document",
          headers: referToHeaders("ContentDisposition"),
          content: ANY_FILE,
        },
        ...referToProblems(READ_ERROR_STATUSES),
      },
    };
  }
  return {
    ...createHeading(download),
    parameters: [...path, ...query, referToParameter("Range"), referToParameter("IfNoneMatch")],
    responses: {
      200: {
        description: "The file",
        headers: referToHeaders("ETag", "AcceptRanges", "ContentDisposition"),
        content: ANY_FILE,
      },
      206: {
        description: "The range of the file",
        headers: referToHeaders("ETag", "AcceptRanges", "ContentRange", "ContentDisposition"),
        content: ANY_FILE,
      },
      304: {
        description: "The file is the one of `If-None-Match`",
        headers: referToHeaders("ETag"),
      },
      ...referToProblems([...READ_ERROR_STATUSES, 416]),
    },
  };
};

export const describeStream = (stream: StreamOperation, schemas: SchemaRegistry): Json => {
  const { path, query } = inputFields(stream, schemas);
  return {
    ...createHeading(stream),
    parameters: [
      ...path,
      ...query,
      ...(stream.isResumable ? [referToParameter("LastEventId")] : []),
    ],
    responses: {
      200: {
        headers: referToHeaders(),
        ...describeEvents(stream, schemas),
      },
      ...referToProblems(READ_ERROR_STATUSES),
    },
  };
};

const createHeading = (operation: AnyOperation): Json => ({
  ...createNames(operation),
  description: describeInWords(operation),
});

const createNames = ({ name, summary, scope, ...access }: AnyOperation): Json => ({
  operationId: name,
  summary,
  "x-required-scope": scope,
  security: listSecurity({ scope, ...access }),
  tags: [name.split(".")[0]],
});

/** Which credential is enough, with the scopes that a key needs. */
const listSecurity = ({ scope, partScope }: Pick<AnyOperation, "scope" | "partScope">): Json[] => {
  if (scope === "session") return [{ session: [] }];
  if (scope === "key") return [{ apiKey: [] }];
  const scopes = [scope, ...(partScope ? [partScope] : [])];
  return [...scopes.map((needed) => ({ apiKey: [needed] })), { session: [] }];
};

export const isVoid = (schema: z.ZodType): boolean => schema instanceof z.ZodVoid;

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
