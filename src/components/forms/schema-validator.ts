import type { RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from "@rjsf/utils";
import { toErrorSchema } from "@rjsf/utils";
import type { JsonValue } from "@/contract/json";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import { partProblems } from "./part-problems";

/**
 * Lets the form library check values the way the server does, and without compiling schemas to
 * code, which a strict content security policy forbids.
 */
export const schemaValidator: ValidatorType = {
  isValid: (schema, formData, rootSchema) => problemsOf(schema, formData, rootSchema).length === 0,
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: problemsOf(schema, formData, schema).map(toValidationError) as Result[],
  }),
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const errors = problemsOf(schema, formData, schema).map(toValidationError);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
};

const problemsOf = (schema: RJSFSchema, formData: unknown, root: RJSFSchema): FieldError[] =>
  partProblems(schema, plainJson(formData), root);

/** The library keeps the keys of emptied fields; JSON has no such thing. */
const plainJson = (value: unknown): JsonValue | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as JsonValue);

const toValidationError = ({ pointer, message }: FieldError): RJSFValidationError => {
  const property = parsePointer(pointer)
    .map((key) => `[${JSON.stringify(key)}]`)
    .join("");
  return { message, property, stack: `${property} ${message}`.trim() };
};
