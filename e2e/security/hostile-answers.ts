import { HOSTILE_MARKDOWN } from "@/test/hostile-markdown";
import { startStubServer } from "@/test/stub-server";
import type { Api } from "../api";

const LENGTH = 160_000;

/** Answers that took a page and the server seconds to minutes, each with a heading at its end. */
export const HOSTILE_ANSWERS = [
  HOSTILE_MARKDOWN["strong words"]?.(LENGTH) ?? "",
  HOSTILE_MARKDOWN["emphasis in each other"]?.(LENGTH) ?? "",
  HOSTILE_MARKDOWN["underlined headings"]?.(LENGTH) ?? "",
  `${"- ".repeat(400)}a`,
  `${"> ".repeat(3_000)}a`,
].map((text, index) => `${text}\n\n# The end of ${index}`);

/** Creates a chat with such an answer by a model that gives it. @returns its id. */
export const createHostileChat = async (
  api: Api,
  answer: string,
  content = "Write.",
): Promise<string> => {
  const provider = await startStubServer((response) => {
    const events = [answer, ""].map((content, index) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: index === 1 ? "stop" : null }],
    }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const { body } = await api.request("POST /models", {
    provider: "openai-compatible",
    model: "writer",
    base_url: `${provider.url}/v1`,
  });
  const { id: modelId } = body as { id: string };
  try {
    const { id } = await api.createChat({ content, model_id: modelId });
    await api.waitForStatus(id);
    return id;
  } finally {
    await api.request(`DELETE /models/${modelId}`);
    await provider.close();
  }
};
