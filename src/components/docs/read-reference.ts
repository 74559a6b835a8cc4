import { toKebabCase } from "@/lib/to-kebab-case";
import type { Content, OpenapiDocument, Operation, Parameter } from "./openapi-document";
import { readField, readShape, toSentence } from "./read-shape";
import { readRequest, type ResolvedOperation } from "./read-request";
import type {
  Reference,
  ReferenceBody,
  ReferenceOperation,
  ReferenceParameter,
  ReferenceResponse,
} from "./reference";

/** Converts an OpenAPI document to what the pages of the reference show, in its order. */
export const readReference = (document: OpenapiDocument): Reference => {
  const { parameters: named = {} } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation: { ...operation, parameters: resolve(operation.parameters, named) },
    })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name: toKebabCase(name),
    title: toTitle(name),
    description,
    operations: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => readOperation(method.toUpperCase(), path, operation)),
  }));
  return {
    basePath: document.servers[0]?.url ?? "",
    groups: groups.filter((group) => group.operations.length > 0),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({
      ...readShape(schema),
      name,
      example: toJson(schema.examples?.[0]),
    })),
  };
};

const resolve = (
  parameters: Operation["parameters"] = [],
  named: Readonly<Record<string, Parameter>>,
): Parameter[] =>
  parameters.flatMap((parameter) =>
    "$ref" in parameter ? (named[parameter.$ref.split("/").at(-1) ?? ""] ?? []) : parameter,
  );

const TITLES: Readonly<Record<string, string>> = {
  apiKeys: "API keys",
  tokens: "Tokens",
  mcpServers: "MCP servers",
  mcpCommands: "MCP commands",
  openapi: "OpenAPI",
};

/** `approvalRules` → `Approval rules`. */
const toTitle = (tag: string): string => {
  const words = toKebabCase(tag).replaceAll("-", " ");
  return TITLES[tag] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

const readOperation = (
  method: string,
  path: string,
  operation: ResolvedOperation,
): ReferenceOperation => {
  const responses = Object.entries(operation.responses);
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description: operation.description ?? "",
    parameters: operation.parameters.map(readParameter),
    bodies: readBodies(operation.requestBody?.content),
    responses: responses
      .filter(([, { $ref }]) => $ref === undefined)
      .map(([status, { description = "", content }]): ReferenceResponse => ({
        status,
        description,
        body: readBodies(content)[0],
      })),
    errorStatuses: responses.filter(([, { $ref }]) => $ref !== undefined).map(([status]) => status),
    request: readRequest(method, path, operation),
  };
};

const readParameter = (parameter: Parameter): ReferenceParameter => {
  const { name, schema, required = false, description = "" } = parameter;
  return {
    ...readField(name, schema, required),
    description: toSentence(description),
    place: parameter.in,
  };
};

const readBodies = (content: Content = {}): ReferenceBody[] =>
  Object.entries(content).map(([mediaType, { schema, example, examples }]) => ({
    ...readShape(schema),
    mediaType,
    example:
      schema.format === "binary" || mediaType.startsWith("multipart/")
        ? undefined
        : toJson(examples ? examples.full.value : example),
  }));

const toJson = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value, null, 2);
