import type { z } from "zod";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";

type Issue = z.core.$ZodIssue;

/** More would only repeat themselves. */
const MAX_FIELD_ERRORS = 100;

/** Schema issues as places and words. */
export const fieldErrors = (issues: readonly Issue[]): FieldError[] =>
  issues.flatMap((issue) => errorsOf(issue, [])).slice(0, MAX_FIELD_ERRORS);

const errorsOf = (issue: Issue, parents: readonly PropertyKey[]): FieldError[] => {
  const path = [...parents, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      pointer: toPointer([...path, key]),
      message: "is not a known field",
    }));
  }
  if (issue.code === "invalid_key") return issue.issues.flatMap((inner) => errorsOf(inner, path));
  const errors = issue.code === "invalid_union" ? unionErrors(issue.errors, path) : undefined;
  return errors ?? [{ pointer: toPointer(path), message: says(issue) }];
};

/** Of a union, the branch that fits the value's kind is the one that was meant. */
const unionErrors = (
  branches: readonly (readonly Issue[])[],
  path: readonly PropertyKey[],
): FieldError[] | undefined => {
  const meant = branches.filter(
    (issues) => !issues.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
  );
  const [branch] = meant;
  return meant.length === 1 ? branch?.flatMap((issue) => errorsOf(issue, path)) : undefined;
};

const says = (issue: Issue): string => (isStock(issue.message) ? inOurWords(issue) : issue.message);

/** The library's own wording; anything else was written in the contract. */
const isStock = (message: string): boolean => /^(Invalid|Too|Unrecognized)\b/.test(message);

const inOurWords = (issue: Issue): string => {
  if (isMissing(issue)) return "is required";
  if (issue.code === "invalid_type") return `must be ${article(issue.expected)}`;
  if (issue.code === "invalid_union") {
    return `must be ${kindsOf(issue.errors).join(" or ") || "of one of the allowed forms"}`;
  }
  if (issue.code === "invalid_format") return `must be a valid ${issue.format}`;
  if (issue.code === "invalid_value") {
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  }
  if (issue.code === "too_small") {
    return `must be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
  }
  if (issue.code === "too_big") {
    return `must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
  }
  return issue.message;
};

const isMissing = (issue: Issue): boolean =>
  issue.code === "invalid_union"
    ? issue.errors.length > 0 && issue.errors.flat().every(isMissing)
    : issue.code === "invalid_type" && issue.message.endsWith("received undefined");

/** What the branches of a union take, where the value is of none of these kinds. */
const kindsOf = (branches: readonly (readonly Issue[])[]): string[] =>
  branches.flat().flatMap((issue) => {
    if (issue.code === "invalid_type" && issue.path.length === 0) return article(issue.expected);
    return issue.code === "invalid_union" ? kindsOf(issue.errors) : [];
  });

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

const unitOf = (origin: string): string => {
  if (origin === "string") return " characters long";
  if (origin === "array" || origin === "set") return " items long";
  return "";
};
