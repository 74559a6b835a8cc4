import { getErrorMessage } from "@/lib/error-message";
import { maskStart } from "@/server/mask-secrets";

/** Longest reason that people and models read, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** The reason of a failure as text for people and models, without secrets. */
export const describeFailure = (error: unknown): string => {
  const text = maskStart(findMessage(error), MAX_LENGTH).toWellFormed().trim();
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;
};

/** The SDK wraps what the network has reported. */
const findMessage = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.name === "FetchFailure"
    ? cause.message
    : getErrorMessage(error);
};
