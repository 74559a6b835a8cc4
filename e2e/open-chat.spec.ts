import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { openStreamProxy } from "./stream-proxy";

for (const [how, expectedCalls] of [
  ["by its address takes no call", []],
  ["from the list takes one call", ["chats.open"]],
] as const) {
  test(`opening a chat ${how}, and its stream begins after the page`, async ({
    page,
    api,
    server,
  }) => {
    const { id } = await api.createChat({ content: "write 3 words" });
    const { version, title } = await api.waitForStatus(id);
    const urls: URL[] = [];
    page.on("request", (request) => urls.push(new URL(request.url())));
    const { answers, chatList } = chatPage(page);
    const proxy = await openStreamProxy(server.url);
    const home = `http://127.0.0.1:${proxy.port}`;
    if (expectedCalls.length === 0) await page.goto(`${home}/chats/${id}`);
    else {
      await page.goto(home);
      await chatList.getByRole("link", { name: title }).first().click();
    }
    await expect(answers).toHaveCount(1);
    const listStreams = () =>
      proxy.streams.filter(({ url }) => url.pathname === `/api/v1/chats/${id}/stream`);
    await expect.poll(() => listStreams().length).toBe(1);
    expect(listStreams()[0]?.url.searchParams.get("after")).toBe(String(version));
    proxy.close();
    const calls = urls.flatMap(({ pathname }) =>
      pathname.startsWith("/api/trpc/") ? pathname.slice("/api/trpc/".length).split(",") : [],
    );
    expect(calls.filter((name) => /^(chats\.(get|open)|messages\.)/.test(name))).toEqual(
      expectedCalls,
    );
  });
}

test("a message that is sent comes into view, wherever the reader is", async ({ page, api }) => {
  const { id } = await api.createChat({ content: "write 900 words" });
  await api.waitForStatus(id);
  const { openChat, sendMessage, userMessages, log } = chatPage(page);
  await openChat(id);
  const first = userMessages.filter({ hasText: "write 900 words" });
  await log.hover();
  await page.mouse.wheel(0, -100_000);
  await expect(first).toBeInViewport();
  await sendMessage("write 5 words");
  await expect(userMessages.filter({ hasText: "write 5 words" })).toBeInViewport();
  await expect(first).not.toBeInViewport();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the page of a chat shows its end", async ({ page, api }) => {
    const { id } = await api.createChat({ content: "write 900 words" });
    await api.waitForStatus(id);
    await api.send(id, "hello");
    await api.waitForStatus(id);
    const { openChat, answers, log } = chatPage(page);
    await openChat(id);
    await expect(answers).toHaveCount(2);
    await expect(answers.last().getByText("real model")).toBeInViewport();
    expect(await log.evaluate((list) => list.scrollHeight > 2 * list.clientHeight)).toBe(true);
  });
});

test("the page takes over what the server has rendered, without an error", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({
    content: MIXED_BATCH,
    dynamic_tools: [ORDER_TOOL],
  });
  await api.waitForStatus(id);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const { openChat, log } = chatPage(page);
  await openChat(id);
  await log.getByRole("textbox", { name: "Days" }).fill("2");
  await expect(page.getByText(/Answer within/)).toBeVisible();
  expect(errors).toEqual([]);
});

test("the search finds a chat by a word of its messages", async ({ page, api }) => {
  // Longer than a title.
  const content = `write 3 words ${"and one ".repeat(40)} quagga`;
  const { id } = await api.createChat({ content });
  await api.createChat({ content: "write 3 words" });
  await api.waitForStatus(id);
  const { openChat, chatList } = chatPage(page);
  await openChat(id);
  await page.getByRole("textbox", { name: "Search chats" }).fill("QUAGG");
  await expect(chatList.getByRole("link")).toHaveCount(1);
  await expect(chatList.getByRole("link")).toHaveAttribute("href", `/chats/${id}?message=1`);
});
