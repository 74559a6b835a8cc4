import type { OpenapiDocument } from "@/components/docs/openapi-document";
import { readReference } from "@/components/docs/read-reference";
import type { Reference } from "@/components/docs/reference";
import { getOpenapiDocument } from "@/server/api/openapi";

let cached: Reference | undefined;

/** Returns the API reference, made of the document that the server serves. */
export const getReference = (): Reference =>
  (cached ??= readReference(JSON.parse(getOpenapiDocument()) as OpenapiDocument));
