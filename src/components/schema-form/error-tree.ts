import type { ErrorSchema } from "@rjsf/utils";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";

type ErrorTree = { [key: string]: ErrorTree | string[] };

/** Converts errors to the tree that the form library passes to its fields. */
export const toErrorTree = (errors: readonly FieldError[]): ErrorSchema => {
  const tree: ErrorTree = {};
  for (const { pointer, message } of errors) {
    const branch = parsePointer(pointer).reduce(getBranch, tree);
    const messages = branch.__errors;
    branch.__errors = Array.isArray(messages) ? [...messages, message] : [message];
  }
  return tree as ErrorSchema;
};

const getBranch = (branch: ErrorTree, key: string): ErrorTree => {
  const next = Object.hasOwn(branch, key) ? branch[key] : undefined;
  if (next !== undefined && !Array.isArray(next)) return next;
  return (branch[key] = {});
};
