import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startStubServer } from "@/test/stub-server";
import type { Api } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const PICTURE = readFileSync(join(import.meta.dirname, "../stories/files/tides.png"));

/** Starts a server that refuses a tool by name, and answers with two images: as data, and by its address. */
const startProvider = () =>
  startStubServer((response, { text }) => {
    if (text.includes('"broken_tool"')) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end('{"error":{"message":"Failed to compile the grammar of tool `broken_tool`"}}');
      return;
    }
    const urls = [
      `data:image/png;base64,${PICTURE.toString("base64")}`,
      "https://pictures.invalid/a.png",
    ];
    const images = urls.map((url) => ({ type: "image_url", image_url: { url } }));
    const events = [{ content: "Here are the tides:" }, { images }, {}].map((delta, index) => ({
      choices: [{ index: 0, delta, finish_reason: index === 2 ? "stop" : null }],
    }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });

/** Runs a body with a model of such a server. */
const withModel = async (api: Api, body: (modelId: string) => Promise<void>): Promise<void> => {
  const provider = await startProvider();
  const created = await api.request("POST /models", {
    provider: "openai-compatible",
    model: "painter",
    base_url: `${provider.url}/v1`,
  });
  const { id } = created.body as { id: string };
  try {
    await body(id);
  } finally {
    await api.request(`DELETE /models/${id}`);
    await provider.close();
  }
};

test("an image that a model sends is shown, also after a reload, and one elsewhere is a link", async ({
  page,
  api,
}) => {
  const { answers, openChat, sendMessage, message } = chatPage(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await withModel(api, async (modelId) => {
    const { id } = await api.createChat({ content: "Draw the tides.", model_id: modelId });
    await api.waitForStatus(id);
    await openChat(id);
    const image = page.getByRole("img", { name: "image-1.png" });
    const readWidth = () => image.last().evaluate((shown: HTMLImageElement) => shown.naturalWidth);
    await expect(answers).toContainText("Here are the tides:");
    await expect.poll(readWidth).toBe(320);

    // One that arrives while the page is open.
    await sendMessage("Once more.");
    await expect(answers).toHaveCount(2);
    await expect(image).toHaveCount(2);
    await page.reload();
    await expect(message).toBeVisible();
    await expect(image).toHaveCount(2);
    await expect.poll(readWidth).toBe(320);
    await expect(page.getByRole("link", { name: "Image", exact: true }).last()).toHaveAttribute(
      "href",
      "https://pictures.invalid/a.png",
    );
    expect(asked.filter((url) => url.includes("pictures.invalid"))).toEqual([]);

    const { messages } = await api.history(id);
    const texts = messages.at(-1)?.parts.flatMap((part) => (part.type === "text" ? part.text : []));
    expect(texts?.[1]).toMatch(/^!\[image-1\.png\]\(\/api\/v1\/files\/[\w-]{36}\)$/);
  });
});

test("a tool that a server refuses is named in the warnings of the chat", async ({ page, api }) => {
  await withModel(api, async (modelId) => {
    const { id } = await api.createChat({
      content: "Draw the tides.",
      model_id: modelId,
      dynamic_tools: [{ name: "broken_tool" }, { name: "fine_tool" }],
    });
    await api.waitForStatus(id);
    await chatPage(page).openChat(id);
    await page.getByRole("button", { name: "Warnings: 1" }).click();
    await expect(page.getByText('The tool "broken_tool" is not offered')).toBeVisible();
  });
});
