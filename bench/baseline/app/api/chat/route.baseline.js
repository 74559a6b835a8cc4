// The baseline: the AI SDK streams the model's answer to a browser. Nothing is stored; the client
// sends the whole history with each request.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
} from "ai";
import { z } from "zod";

export const dynamic = "force-dynamic";

const model = createOpenAICompatible({
  name: "bench",
  baseURL: process.env.OPENAI_COMPATIBLE_BASE_URL,
  apiKey: "none",
  includeUsage: true,
})("fake-model");

const inputSchema = z.object({ q: z.string() });
const tools = {
  builtin: tool({
    description: "A tool that the server runs",
    inputSchema,
    execute: ({ q }) => ({ ok: true, q }),
  }),
  client: tool({ description: "A tool that the client runs", inputSchema }),
};

export const POST = async (request) => {
  const { messages } = await request.json();
  const result = streamText({
    model,
    messages: await convertToModelMessages(messages),
    tools,
    stopWhen: isStepCount(8),
    maxRetries: 0,
  });
  return createUIMessageStreamResponse({
    stream: toUIMessageStream({ stream: result.stream, originalMessages: messages }),
  });
};

/** Answers when the server is ready. */
export const GET = () => new Response("ok");
