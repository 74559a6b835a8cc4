import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";

/** The namespace of what is kept of an answer to be returned, in the metadata of a part. */
export const RETURNED = "parley-returned";

/** The namespace of the metadata of a provider's result, in that of its call. */
export const RESULT = "parley-result";

/** The namespace of the id that a call had in the answer before, which has made it and has no result of it. */
export const RESUMED = "parley-resumed";

/** Fields that the client adds to a message, or to a call. */
const CLIENT = "openaiCompatible";

type Options = { providerOptions?: SharedV4ProviderOptions };

/**
 * Returns to an OpenAI-compatible server what it has sent with an answer and needs again: `reasoning_details` of gateways
 * with their message, and ids of calls that carry a signature, which are too long for other providers.
 */
export const returnFields = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const callIds = new Map<string, string>();
  return prompt.map((message) => {
    if (message.role === "assistant") return returnDetails(message, callIds);
    if (message.role !== "tool") return message;
    return {
      ...message,
      content: message.content.map((part) => {
        const id = part.type === "tool-result" ? callIds.get(part.toolCallId) : undefined;
        return id === undefined ? part : withFields(part, { tool_call_id: id });
      }),
    };
  });
};

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

/** @param callIds gets the ids of the server by ours. */
const returnDetails = (
  message: AssistantMessage,
  callIds: Map<string, string>,
): LanguageModelV4Message => {
  const details: JSONValue[] = [];
  const content = message.content.map((part) => {
    const { reasoning_details, call_id } = part.providerOptions?.[RETURNED] ?? {};
    if (Array.isArray(reasoning_details)) details.push(...(reasoning_details as JSONValue[]));
    if (part.type !== "tool-call" || typeof call_id !== "string") return part;
    callIds.set(part.toolCallId, call_id);
    return withFields(part, { id: call_id });
  });
  const changed = { ...message, content };
  return details.length === 0 ? changed : withFields(changed, { reasoning_details: details });
};

const withFields = <Owner extends Options>(owner: Owner, fields: object): Owner => ({
  ...owner,
  providerOptions: {
    ...owner.providerOptions,
    [CLIENT]: { ...owner.providerOptions?.[CLIENT], ...fields },
  },
});
