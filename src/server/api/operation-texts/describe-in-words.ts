import { MAX_STREAMS_PER_CREDENTIAL } from "@/contract/limits";
import { formatCount } from "@/server/api/format-count";
import { acceptsIdempotencyKey, type AnyOperation } from "@/server/api/operation";
import type { Access } from "@/server/api/operation-context";
import { OPERATION_TEXTS } from "./all-operation-texts";
import type { OperationText } from "./operation-text";

/** What it does, who may do it, and how the answer comes; then refusals, limits and repetition, where they are its own. */
export const describeInWords = (operation: AnyOperation): string => {
  const { about, refusals = [], ...text } = getOperationText(operation);
  const limits = [...describeLimits(operation), ...(text.limits ? [text.limits] : [])].join(" ");
  return [
    about,
    describeScope(operation),
    ...describeWays(operation),
    refusals.length === 0
      ? "Refuses nothing but what all operations refuse."
      : `Refuses, in this order: ${refusals.map((refusal) => refusal.replace(/\.$/, "")).join("; ")}.`,
    ...(limits === "" ? [] : [`Limits: ${limits}`]),
    ...describeRepetition(operation, text.repetition),
  ].join("\n\n");
};

export const getOperationText = ({ name }: AnyOperation): OperationText => {
  const text = OPERATION_TEXTS[name];
  if (!text) throw new Error(`the operation ${name} has no text`);
  return text;
};

const describeWays = (operation: AnyOperation): string[] => [
  ...("follow" in operation && operation.follow
    ? [
        "With `Accept: text/event-stream`, the answer is the stream of `chats.watch`, until the turn ends. Where a generated client makes one type of both, tell it that it gets `application/json`.",
      ]
    : []),
  ...("wait" in operation && operation.wait
    ? ["With `Prefer: wait=20`, the answer comes when the chat has nothing more to do by itself."]
    : []),
];

const describeLimits = (operation: AnyOperation): string[] => [
  ...("event" in operation
    ? [`A key, or a session, has up to ${MAX_STREAMS_PER_CREDENTIAL} streams in a process.`]
    : []),
  ...("maxBodyBytes" in operation && operation.maxBodyBytes !== undefined
    ? [`The body has at most ${formatCount(operation.maxBodyBytes)} bytes.`]
    : []),
];

const describeRepetition = (operation: AnyOperation, text: string | undefined): string[] => {
  const words =
    text ??
    (acceptsIdempotencyKey(operation) ? "Send it again with the same `Idempotency-Key`." : "");
  return words === "" ? [] : [`Repetition: ${words}`];
};

const describeScope = ({ scope, partScope }: Access): string => {
  if (scope === "session") return "For signed-in browsers only.";
  if (scope === "key") return "Needs an API key, with any scope.";
  const part = partScope === undefined ? "" : `, or with \`${partScope}\` for a part of it`;
  return `Needs an API key with the scope \`${scope}\`${part}, or a session.`;
};
