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
import * as z from "zod";

export const dynamic = "force-dynamic";

const model = createOpenAICompatible({
  name: "bench",
  baseURL: process.env.OPENAI_COMPATIBLE_BASE_URL,
  apiKey: "none",
  includeUsage: true,
})("fake-model");

const tools = {
  current_time: tool({
    description: "A tool that the server runs",
    inputSchema: z.object({}),
    execute: () => ({ now: new Date().toISOString() }),
  }),
  client: tool({
    description: "A tool that the client runs",
    inputSchema: z.object({ q: z.string() }),
  }),
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

/** Answers when the server is ready, or with a stream of events that stays silent. */
export const GET = (request) => {
  if (!request.headers.get("accept")?.includes("text/event-stream")) return new Response("ok");
  const hello = new TextEncoder().encode(": connected\n\n");
  const stream = new ReadableStream({ start: (controller) => controller.enqueue(hello) });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
};
