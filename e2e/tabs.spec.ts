import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { launchOptions } from "../tooling/browser.ts";
import { createTestServer } from "./server";
import { openStreamProxy } from "./stream-proxy";

const TABS = 12;
const LAN_HOST = "parley.test";

/** One for all chats and two for single ones: half of the connections that a browser opens to a host. */
const MAX_STREAMS = 3;

test("twelve tabs over plain http share three streams, and each loads and shows its answer", async ({
  playwright,
}) => {
  const server = await createTestServer({ settings: { PARLEY_ALLOWED_HOSTS: LAN_HOST } });
  await server.start();
  const proxy = await openStreamProxy(server.url);
  const { args, ...options } = launchOptions();
  const browser = await playwright.chromium.launch({
    ...options,
    args: [...args, `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`],
  });
  try {
    const context = await browser.newContext({ baseURL: `http://${LAN_HOST}:${proxy.port}` });
    const first = await context.newPage();
    await first.goto("/login");
    expect(await first.evaluate(() => window.isSecureContext)).toBe(false);
    await first.getByRole("textbox", { name: "Email" }).fill(server.owner.email);
    await first.getByLabel("Password", { exact: true }).fill(server.owner.password);
    await first.keyboard.press("Enter");
    await expect(chatPage(first).message).toBeVisible();

    const tabs = [];
    for (let tab = 0; tab < TABS; tab += 1) {
      const { id } = await server.api.createChat({ content: `write 2 words for tab ${tab}` });
      const page = await context.newPage();
      await chatPage(page).openChat(id);
      await expect(chatPage(page).answers).toHaveCount(1);
      tabs.push(page);
    }
    for (const page of tabs) {
      const { sendMessage, answers, stop } = chatPage(page);
      await sendMessage("write 20 words");
      await expect(answers).toHaveCount(2);
      await expect(answers.last()).toContainText("a model reads");
      await expect(stop).toBeHidden();
    }
    const openStreams = () => proxy.streams.filter(({ isOpen }) => isOpen);
    await expect.poll(() => openStreams().length).toBeLessThanOrEqual(MAX_STREAMS);
    expect(openStreams().filter(({ url }) => url.pathname.endsWith("/watch"))).toHaveLength(1);
    await first.reload();
    await expect(chatPage(first).message).toBeVisible();
    await context.close();
    await expect.poll(openStreams).toEqual([]);
  } finally {
    await browser.close();
    proxy.close();
    await server.remove();
  }
});

test("a tab streams while the browser has frozen the one that was opened first", async ({
  page,
  api,
  context,
}) => {
  const { id } = await api.createChat({ content: "write 2 words" });
  await chatPage(page).openChat(id);
  await expect(chatPage(page).answers).toHaveCount(1);
  // A page that is stopped at a statement handles no messages, as a frozen one does.
  const session = await context.newCDPSession(page);
  await session.send("Debugger.enable");
  const paused = new Promise((resolve) => session.once("Debugger.paused", resolve));
  // Answered only after the page has been resumed.
  const stopped = session.send("Runtime.evaluate", { expression: "debugger" });
  await paused;
  const other = await context.newPage();
  const { openChat, message, send, answers } = chatPage(other);
  await openChat(id);
  await message.fill("write 300 words");
  await send.click();
  await expect(answers.last()).toContainText("a model reads");
  await session.send("Debugger.resume");
  await stopped;
  await expect(chatPage(page).answers.last()).toContainText("a model reads");
});

test("a page of an account is loaded anew when another one signs in in another tab", async ({
  page,
  context,
  server,
  users,
}) => {
  await page.goto("/settings/account");
  await expect(page.getByText(server.owner.email).first()).toBeVisible();
  const other = await context.newPage();
  const { email, password } = users.member;
  await other.request.post(`${server.url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: server.url },
  });
  await other.goto("/settings/account");
  await expect(other.getByText(email).first()).toBeVisible();
  await expect(page.getByText(email).first()).toBeVisible();
  await expect(page.getByText(server.owner.email)).toHaveCount(0);
});
