import * as z from "zod";
import type { WireProvider } from "./wire-model";
import { findParameterProblems } from "./wire-parameters";

// Requests in the form of each provider's API, read into one form, and what that provider refuses.

export type WirePart =
  | { type: "text"; text: string }
  | { type: "file"; mediaType: string; bytes: number }
  | { type: "reasoning" }
  | { type: "call"; id: string }
  | { type: "result"; id: string }
  /** Of a tool that the provider runs. */
  | { type: "own_call"; id: string }
  | { type: "own_result"; id: string };

export type WireMessage = { role: "user" | "assistant"; parts: WirePart[] };

/** Reads the messages of a request, without those of the system. */
export const readWireMessages = (provider: WireProvider, body: unknown): WireMessage[] =>
  READERS[provider](body);

/** Finds what a provider would refuse in the order of its messages, and of its parameters. */
export const findWireProblems = (provider: WireProvider, body: unknown): string[] => {
  const messages = readWireMessages(provider, body);
  const parts = messages.flatMap(({ role, parts }) => parts.map((part) => ({ role, ...part })));
  return [
    ...findPairProblems(parts),
    ...findOwnProblems(parts, provider),
    ...findEndProblems(messages, provider),
    ...findFileProblems(parts, provider),
    ...findParameterProblems(provider, body),
    ...messages.flatMap((message, index) => {
      const previous = messages[index - 1];
      return previous ? ORDER_RULES[provider](message, previous) : [];
    }),
  ];
};

type RolePart = WirePart & { role: WireMessage["role"] };

/** The results of all calls of an answer stand directly after it, each once. */
const findPairProblems = (parts: RolePart[]): string[] => {
  const problems: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === "call") {
      if (seen.has(part.id)) problems.push(`two calls have the id ${part.id}`);
      if (open.length > 0 && parts[index - 1]?.type === "result") {
        problems.push(`call ${part.id} comes before the results of [${open.join()}]`);
      }
      seen.add(part.id);
      open.push(part.id);
    } else if (part.type === "result") {
      if (!open.includes(part.id)) problems.push(`result ${part.id} does not follow its call`);
      open = open.filter((id) => id !== part.id);
    } else if (part.role === "user" && open.length > 0) {
      problems.push(`a user message comes before the results of [${open.join()}]`);
    } else if (part.type === "text" && part.text.trim() === "") problems.push("a text is blank");
  }
  return open.length > 0 ? [...problems, `calls have no results: [${open.join()}]`] : problems;
};

/** A call of a provider's tool has its result in the same answer; only Anthropic goes on with one that has none, in the last answer. */
const findOwnProblems = (parts: RolePart[], provider: WireProvider): string[] => {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const part of parts) {
    if (part.type === "own_call") open.add(part.id);
    else if (part.type === "own_result") {
      if (!open.delete(part.id)) problems.push(`own result ${part.id} has no call`);
    } else if (part.role === "user" && part.type !== "result" && open.size > 0) {
      problems.push(`own calls have no results: [${[...open].join()}]`);
      open.clear();
    }
  }
  return open.size > 0 && provider !== "anthropic"
    ? [...problems, `own calls have no results: [${[...open].join()}]`]
    : problems;
};

const hasOwnCall = ({ parts }: WireMessage): boolean =>
  parts.some(({ type }) => type === "own_call");

const findEndProblems = (messages: WireMessage[], provider: WireProvider): string[] => {
  const [first, last] = [messages[0], messages.at(-1)];
  // A paused answer goes on.
  const canEnd = last?.role === "user" || (provider === "anthropic" && last && hasOwnCall(last));
  return [
    ...(first?.role === "user" && first.parts[0]?.type === "text"
      ? []
      : ["no user message is first"]),
    ...(canEnd ? [] : ["an answer is last"]),
  ];
};

const IMAGE = /^image\/(?:png|jpeg|webp)$/;
const IMAGE_OR_PDF = /^(?:image\/(?:png|jpeg|webp)|application\/pdf)$/;

/** The types of files that each provider takes in messages of a user. Few servers with OpenAI's API take documents. */
const FILE_TYPES: Record<WireProvider, RegExp> = {
  openai: IMAGE_OR_PDF,
  anthropic: IMAGE_OR_PDF,
  google: IMAGE_OR_PDF,
  "openai-compatible": IMAGE,
};
/** The smallest limit of a request: that of Anthropic, with the rest of the request. */
const MAX_REQUEST_FILE_BYTES = 24_000_000;

const findFileProblems = (parts: RolePart[], provider: WireProvider): string[] => {
  const files = parts.filter((part) => part.type === "file");
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    ...files.flatMap((file) => [
      ...(FILE_TYPES[provider].test(file.mediaType) ? [] : [`a file is ${file.mediaType}`]),
      ...(file.bytes > 0 ? [] : ["a file is empty"]),
      ...(file.role === "user" ? [] : ["a file is in an answer"]),
    ]),
    ...(bytes > MAX_REQUEST_FILE_BYTES ? [`the files have ${bytes} bytes`] : []),
  ];
};

type OrderRule = (message: WireMessage, previous: WireMessage) => string[];

const hasResults = ({ parts }: WireMessage): boolean => parts.some(({ type }) => type === "result");
const callIds = ({ parts }: WireMessage): string[] =>
  parts.flatMap((part) => (part.type === "call" ? part.id : []));
const resultIds = ({ parts }: WireMessage): string[] =>
  parts.flatMap((part) => (part.type === "result" ? part.id : []));

const ORDER_RULES: Record<WireProvider, OrderRule> = {
  openai: (message, previous) =>
    previous.parts[0]?.type === "reasoning" && message.role === "user"
      ? ["reasoning is not followed by what it led to"]
      : [],
  anthropic: (message, previous) => {
    const firstOther = message.parts.findIndex(({ type }) => type !== "result");
    const isMixed =
      firstOther >= 0 && message.parts.slice(firstOther).some(({ type }) => type === "result");
    return [
      ...(message.role === previous.role ? [`two ${message.role} messages in a row`] : []),
      ...(isMixed ? ["a result stands after other content"] : []),
    ];
  },
  google: (message, previous) => [
    ...(message.role === "assistant" && previous.role === "assistant" ? ["two answers"] : []),
    ...(resultIds(message).join() === callIds(previous).join()
      ? []
      : [`results [${resultIds(message).join()}] for calls [${callIds(previous).join()}]`]),
    ...(hasResults(message) && resultIds(message).length < message.parts.length
      ? ["other content among results"]
      : []),
  ],
  // Chat templates of local models want roles to alternate; some refuse a user message after results.
  "openai-compatible": (message, previous) =>
    message.role === previous.role && !(hasResults(message) && hasResults(previous))
      ? [`${message.role} after ${hasResults(previous) ? "results" : previous.role}`]
      : [],
};

const Content = z.union([
  z.string(),
  z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      id: z.string().optional(),
      tool_use_id: z.string().optional(),
      source: z.looseObject({ media_type: z.string().default(""), data: z.string() }).optional(),
    }),
  ),
]);

type ContentPart = Exclude<z.infer<typeof Content>, string>[number];

const toFilePart = (mediaType: string, base64: string): WirePart => ({
  type: "file",
  mediaType,
  bytes: Buffer.byteLength(base64, "base64"),
});

const DATA_URL = /"data:([^;"]+);base64,([^"]*)"/;

/** Reads a text, or a file, which the APIs of OpenAI have as a URL in one of several fields. */
const toContentPart = ({ text, ...part }: ContentPart): WirePart => {
  const [, mediaType, base64 = ""] = DATA_URL.exec(JSON.stringify(part)) ?? [];
  return mediaType === undefined
    ? { type: "text", text: text ?? "" }
    : toFilePart(mediaType, base64);
};

const toContentParts = (content: z.infer<typeof Content> | null | undefined): WirePart[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : (content ?? []).map(toContentPart);

const isShown = (role: string | undefined): role is "user" | "assistant" =>
  role === "user" || role === "assistant";

const OpenAiBody = z.object({
  input: z.array(
    z.looseObject({
      type: z.string().optional(),
      role: z.string().optional(),
      call_id: z.string().default(""),
      id: z.string().default(""),
      content: Content.nullish(),
    }),
  ),
});

const readOpenAi = (body: unknown): WireMessage[] =>
  OpenAiBody.parse(body).input.flatMap((item): WireMessage[] => {
    const { type, role, call_id: id, content } = item;
    if (type === "function_call") return [{ role: "assistant", parts: [{ type: "call", id }] }];
    if (type === "function_call_output") return [{ role: "user", parts: [{ type: "result", id }] }];
    if (type === "web_search_call") return [{ role: "assistant", parts: toOwnParts(item.id) }];
    if (type === "reasoning") return [{ role: "assistant", parts: [{ type: "reasoning" }] }];
    return isShown(role) ? [{ role, parts: toContentParts(content) }] : [];
  });

const toOwnParts = (id: string): WirePart[] => [
  { type: "own_call", id },
  { type: "own_result", id },
];

const AnthropicBody = z.object({
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: Content })),
});

const readAnthropic = (body: unknown): WireMessage[] =>
  AnthropicBody.parse(body).messages.map(({ role, content }) => ({
    role,
    parts: typeof content === "string" ? toContentParts(content) : content.map(toAnthropicPart),
  }));

const toAnthropicPart = (part: ContentPart): WirePart => {
  if (part.type === "tool_use") return { type: "call", id: part.id ?? "" };
  if (part.type === "tool_result") return { type: "result", id: part.tool_use_id ?? "" };
  if (part.type === "server_tool_use") return { type: "own_call", id: part.id ?? "" };
  if (part.type.endsWith("_tool_result")) return { type: "own_result", id: part.tool_use_id ?? "" };
  if (part.source) return toFilePart(part.source.media_type, part.source.data);
  return part.type === "text" ? { type: "text", text: part.text ?? "" } : { type: "reasoning" };
};

const GoogleCall = z.object({ id: z.string() }).optional();
const GoogleBody = z.object({
  contents: z.array(
    z.object({
      role: z.enum(["user", "model"]),
      parts: z.array(
        z.object({
          text: z.string().default(""),
          inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
          functionCall: GoogleCall,
          functionResponse: GoogleCall,
          toolCall: GoogleCall,
          toolResponse: GoogleCall,
          executableCode: z.object({ code: z.string() }).optional(),
          codeExecutionResult: z.object({ outcome: z.string() }).optional(),
        }),
      ),
    }),
  ),
});

const readGoogle = (body: unknown): WireMessage[] =>
  GoogleBody.parse(body).contents.map(({ role, parts }) => ({
    role: role === "model" ? "assistant" : "user",
    parts: parts.map((part): WirePart => {
      const { text, inlineData, functionCall, functionResponse } = part;
      if (inlineData) return toFilePart(inlineData.mimeType, inlineData.data);
      if (functionCall) return { type: "call", id: functionCall.id };
      if (functionResponse) return { type: "result", id: functionResponse.id };
      return toOwnGooglePart(part) ?? { type: "text", text };
    }),
  }));

type GooglePart = z.infer<typeof GoogleBody>["contents"][number]["parts"][number];

const toOwnGooglePart = (part: GooglePart): WirePart | undefined => {
  const { toolCall, toolResponse, executableCode, codeExecutionResult } = part;
  const call = executableCode ? { id: "code" } : toolCall;
  if (call) return { type: "own_call", id: call.id };
  const result = codeExecutionResult ? { id: "code" } : toolResponse;
  return result && { type: "own_result", id: result.id };
};

const CompatibleBody = z.object({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: Content.nullish(),
      tool_calls: z.array(z.looseObject({ id: z.string() })).default([]),
      tool_call_id: z.string().default(""),
    }),
  ),
});

const readCompatible = (body: unknown): WireMessage[] =>
  CompatibleBody.parse(body).messages.flatMap((message): WireMessage[] => {
    const { role, content, tool_calls: calls, tool_call_id: resultId } = message;
    if (role === "tool") return [{ role: "user", parts: [{ type: "result", id: resultId }] }];
    const callParts = calls.map(({ id }) => ({ type: "call" as const, id }));
    return isShown(role) ? [{ role, parts: [...toContentParts(content), ...callParts] }] : [];
  });

const READERS: Record<WireProvider, (body: unknown) => WireMessage[]> = {
  openai: readOpenAi,
  anthropic: readAnthropic,
  google: readGoogle,
  "openai-compatible": readCompatible,
};
