import type { RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from "@rjsf/utils";
import { toErrorSchema } from "@rjsf/utils";
import type { JsonValue } from "@/contract/json";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import { validateSubschema } from "./validate-subschema";

/**
 * Validates values for the form library as the server does. It does not compile schemas to code, which
 * the content security policy forbids.
 */
export const schemaValidator: ValidatorType = {
  isValid: (schema, formData, rootSchema) =>
    validateValue(schema, formData, rootSchema).length === 0,
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: validateValue(schema, formData, schema).map(toValidationError) as Result[],
  }),
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const errors = validateValue(schema, formData, schema).map(toValidationError);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
};

const validateValue = (schema: RJSFSchema, formData: unknown, root: RJSFSchema): FieldError[] =>
  validateSubschema(schema, toJson(formData), root);

/** Removes keys with the value undefined, which the form library keeps for cleared fields. */
const toJson = (value: unknown): JsonValue | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as JsonValue);

const toValidationError = ({ pointer, message }: FieldError): RJSFValidationError => {
  const property = parsePointer(pointer)
    .map((key) => `[${JSON.stringify(key)}]`)
    .join("");
  return { message, property, stack: `${property} ${message}`.trim() };
};
