import { type Effort, EFFORT_NAMES } from "@/contract/efforts";
import type { ModelFailure, SentParameters } from "./model-step";

/** Parameters without which a call is repeated when they are refused. */
export type RefusableParameter = "reasoning" | "summary" | "temperature" | "format";

/** What a refusal says of the parameters of a call. */
export type ParameterRefusal =
  | { type: "parameter"; name: RefusableParameter }
  /** The efforts that the model has. */
  | { type: "efforts"; efforts: readonly Effort[] }
  | { type: "maxOutputTokens"; limit: number };

/** The parameters of a call, and how many tokens its answer may have with those that it thinks. */
export type SentLimits = { parameters: SentParameters; limit: number | undefined };

/** Statuses of a request that can never work as it is. */
const REFUSED = [400, 422];

type OmittedParameter = {
  name: RefusableParameter;
  pattern: RegExp;
  isSent: (parameters: SentParameters) => boolean;
};

const isThinking = ({ reasoning, providerOptions }: SentParameters): boolean =>
  (reasoning ?? providerOptions) !== undefined;

/** What servers say of parameters that they do not take. The first that was sent counts: a sentence may name others, too. */
const OMITTED: readonly OmittedParameter[] = [
  {
    name: "format",
    pattern:
      /response_?(?:format|schema|mime|json)|json_?schema|(?:text|output)[._](?:format|config)|structured output/i,
    isSent: ({ responseFormat }) => responseFormat !== undefined,
  },
  {
    name: "temperature",
    pattern: /temperature/i,
    isSent: ({ temperature }) => temperature !== undefined,
  },
  { name: "summary", pattern: /reasoning[._ ]summar/i, isSent: isThinking },
  {
    name: "reasoning",
    // Not blocks of earlier thinking, which no other effort changes.
    pattern:
      /reasoning_?\.?effort|\beffort\b|thinking_?(?:config|budget|level)|(?:reasoning|thinking)\b.{0,80}(?:not (?:supported|enabled|available|allowed|permitted)|unsupported|invalid)|(?:not support|unsupported|unknown|unrecognized|unexpected|invalid|extra).{0,80}\b(?:reasoning|thinking)\b/i,
    isSent: isThinking,
  },
];
const OUTPUT_LIMIT =
  /max_?(?:(?:completion|output|new)_?)?tokens|(?:output|completion) tokens|in the completion/i;
const CONTEXT = /context (?:length|window)[^\d]{0,40}(\d[\d,]*)/i;

/** Reads which parameter a server refuses. @returns undefined if it names none that was sent. */
export const readParameterRefusal = (
  { status_code: status = 0, detail = "" }: ModelFailure,
  { parameters, limit: sent }: SentLimits,
): ParameterRefusal | undefined => {
  if (!REFUSED.includes(status)) return undefined;
  const refusal = OMITTED.find(({ pattern, isSent }) => isSent(parameters) && pattern.test(detail));
  if (refusal?.name === "reasoning") return readEfforts(detail, parameters.reasoning);
  if (refusal) return { type: "parameter", name: refusal.name };
  if (sent === undefined || !OUTPUT_LIMIT.test(detail)) return undefined;
  const limit = readLimit(detail, sent);
  return limit === undefined ? undefined : { type: "maxOutputTokens", limit };
};

/** A sentence may have one of these words by chance; a list has several. */
const readEfforts = (detail: string, sent: string | undefined): ParameterRefusal => {
  const words = new Set(detail.toLowerCase().match(/\b[a-z]+\b/g));
  const efforts = EFFORT_NAMES.filter((name) => words.has(name) && name !== sent);
  return efforts.length > 1
    ? { type: "efforts", efforts }
    : { type: "parameter", name: "reasoning" };
};

/** A server that counts the answer to its context leaves the rest of it to what the model reads. */
const SHARE_OF_CONTEXT = 4;
/** Where a server says that the limit is too high, and not what it may be. */
const UNSAID_LIMIT = 4_096;

/** @returns a lower limit than the one that was sent; undefined if there is none. */
const readLimit = (detail: string, sent: number): number | undefined => {
  const context = CONTEXT.exec(detail)?.[1];
  if (context !== undefined) {
    return toLower(Math.floor(toNumber(context) / SHARE_OF_CONTEXT), sent);
  }
  const numbers = (detail.match(/\d[\d,]*/g) ?? []).map(toNumber);
  const isExclusive = detail.includes("(exclusive)");
  const highest = Math.max(...numbers.filter((number) => number < sent), 0);
  return toLower(highest > 1 ? highest - (isExclusive ? 1 : 0) : UNSAID_LIMIT, sent);
};

const toNumber = (text: string): number => Number(text.replaceAll(",", ""));

const toLower = (limit: number, sent: number): number | undefined =>
  limit > 0 && limit < sent ? limit : undefined;
