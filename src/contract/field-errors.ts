import type * as z from "zod";
import { toPointer } from "./json-pointer";
import type { FieldError } from "./problem";

type Issue = z.core.$ZodIssue;

/** Limits the size of a problem document. */
const MAX_FIELD_ERRORS = 100;

/** Converts zod issues to JSON pointers with messages. */
export const toFieldErrors = (issues: readonly Issue[]): FieldError[] =>
  withoutFollowing(issues)
    .flatMap((issue) => flattenIssue(issue, []))
    .slice(0, MAX_FIELD_ERRORS);

/** A value of a wrong type is also checked for its length, if it has one, which says nothing then. */
const withoutFollowing = (issues: readonly Issue[]): Issue[] => {
  const mistyped = new Set(
    issues.flatMap(({ code, path }) => (code === "invalid_type" ? [toPointer(path)] : [])),
  );
  return issues.filter(
    ({ code, path }) => code === "invalid_type" || !mistyped.has(toPointer(path)),
  );
};

const flattenIssue = (issue: Issue, parents: readonly PropertyKey[]): FieldError[] => {
  const path = [...parents, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      pointer: toPointer([...path, key]),
      message: "is not a known field",
    }));
  }
  if (issue.code === "invalid_key")
    return issue.issues.flatMap((inner) => flattenIssue(inner, path));
  const isUnion = issue.code === "invalid_union" && isDefaultMessage(issue.message);
  const errors = isUnion ? flattenUnion(issue.errors, path) : undefined;
  return errors ?? [{ pointer: toPointer(path), message: toMessage(issue) }];
};

/** Reports the issues of the only union branch that accepts the value's type, if there is one. */
const flattenUnion = (
  branches: readonly (readonly Issue[])[],
  path: readonly PropertyKey[],
): FieldError[] | undefined => {
  const candidates = branches.filter(
    (issues) => !issues.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
  );
  const [branch] = candidates;
  return candidates.length === 1
    ? branch?.flatMap((issue) => flattenIssue(issue, path))
    : undefined;
};

const toMessage = (issue: Issue): string =>
  isDefaultMessage(issue.message) ? describeIssue(issue) : issue.message;

/** True for zod's default messages; messages of the schemas are kept. */
const isDefaultMessage = (message: string): boolean =>
  /^(Invalid|Too|Unrecognized)\b/.test(message);

const describeIssue = (issue: Issue): string => {
  if (isMissing(issue)) return "is required";
  if (issue.code === "invalid_type") return `must be ${addArticle(issue.expected)}`;
  if (issue.code === "invalid_union") {
    if ("options" in issue && Array.isArray(issue.options)) return listValues(issue.options);
    return `must be ${findAcceptedTypes(issue.errors).join(" or ") || "of one of the allowed forms"}`;
  }
  if (issue.code === "invalid_format") return `must be a valid ${issue.format}`;
  if (issue.code === "invalid_value") {
    return listValues(issue.values);
  }
  if (issue.code === "too_small") {
    return `must be at least ${toLimit(issue.minimum, issue.origin)}`;
  }
  if (issue.code === "too_big") {
    return `must be at most ${toLimit(issue.maximum, issue.origin)}`;
  }
  return issue.message;
};

const listValues = (values: readonly unknown[]): string =>
  `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;

const isMissing = (issue: Issue): boolean =>
  issue.code === "invalid_union"
    ? issue.errors.length > 0 && issue.errors.flat().every(isMissing)
    : issue.code === "invalid_type" && issue.message.endsWith("received undefined");

/** Finds the types that the branches of a union accept. */
const findAcceptedTypes = (branches: readonly (readonly Issue[])[]): string[] =>
  branches.flat().flatMap((issue) => {
    if (issue.code === "invalid_type" && issue.path.length === 0) return addArticle(issue.expected);
    return issue.code === "invalid_union" ? findAcceptedTypes(issue.errors) : [];
  });

const addArticle = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

const UNITS: Record<string, string> = { string: "character", array: "item", set: "item" };

const toLimit = (limit: number | bigint, origin: string): string => {
  const unit = UNITS[origin];
  return unit === undefined ? String(limit) : `${limit} ${unit}${limit === 1 ? "" : "s"} long`;
};
