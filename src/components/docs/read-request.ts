import type { Operation, Parameter, Schema } from "./openapi-document";
import type { ReferenceRequest } from "./reference";

/** An operation with its parameters in place. */
export type ResolvedOperation = Omit<Operation, "parameters"> & {
  parameters: readonly Parameter[];
};

/**
 * Returns the smallest useful request of an operation.
 *
 * @returns undefined for operations of signed-in browsers, which no key may request.
 */
export const readRequest = (
  method: string,
  path: string,
  operation: ResolvedOperation,
): ReferenceRequest | undefined => {
  const scope = operation["x-required-scope"];
  if (scope === "session") return undefined;
  const pathParameters = operation.parameters.filter((parameter) => parameter.in === "path");
  return {
    method,
    path,
    pathValues: pathParameters.map(({ name, schema }) => [name, String(schema.examples?.[0])]),
    needsKey: scope !== undefined,
    isStream: Object.values(operation.responses).some(
      ({ content = {} }) => Object.keys(content).join() === "text/event-stream",
    ),
    payload: readPayload(operation),
  };
};

const readPayload = ({
  requestBody,
  responses,
}: ResolvedOperation): ReferenceRequest["payload"] => {
  const json = requestBody?.content["application/json"];
  if (json)
    return { kind: "json", text: JSON.stringify(json.examples?.minimal.value ?? {}, null, 2) };
  const form = requestBody?.content["multipart/form-data"]?.schema;
  if (form) return { kind: "form", fields: listFormFields(form) };
  const isFile = responses[200]?.content?.["*/*"] !== undefined;
  return { kind: isFile ? "download" : "none" };
};

const listFormFields = ({ properties = {} }: Schema): [string, string][] =>
  Object.entries(properties).map(([name, { format, examples = [] }]) => [
    name,
    format === "binary" ? "@report.csv" : String(examples[0]),
  ]);
