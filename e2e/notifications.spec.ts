import type { BrowserContext, Page } from "@playwright/test";
import { createTestBrowser, startPushService } from "@/test/push-service";
import { launchOptions } from "../tooling/browser.ts";
import { expectAccessible } from "./axe";
import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { allowPush, clickNotification, readRecorder, recordNotifications } from "./push-browser";
import { createTestServer, type TestServer } from "./server";

const PHONE = { width: 390, height: 844 };
const LAN_HOST = "parley.test";

const signIn = async (page: Page, { owner }: TestServer): Promise<void> => {
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Email" }).fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.keyboard.press("Enter");
  await expect(chatPage(page).message).toBeVisible();
};

/** Delivers messages to the service worker of a page, as the browser does for its push service. */
const openDelivery = async (context: BrowserContext, page: Page, origin: string) => {
  const session = await context.newCDPSession(page);
  const registrationIds: string[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationIds.push(...registrations.map((one) => one.registrationId));
  });
  await session.send("ServiceWorker.enable");
  await expect.poll(() => registrationIds.length).toBeGreaterThan(0);
  const [registrationId = ""] = registrationIds;
  return (payload: string) =>
    session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: payload });
};

const startChat = async ({ api }: TestServer): Promise<string> => {
  const content = 'use check_order with {"order":"A-17"}';
  const { id } = await api.createChat({ content, dynamic_tools: [ORDER_TOOL] });
  await api.waitForStatus(id, ["requires_action"]);
  await api.request(`PATCH /chats/${id}`, { title: "Order A-17" });
  return id;
};

test("a chat that needs the person is answered from the phone", async ({ browser }) => {
  const receiver = createTestBrowser();
  let status = 201;
  const service = await startPushService((response) => response.writeHead(status).end());
  const server = await createTestServer({ settings: { PARLEY_WEB_ALLOW: "127.0.0.1" } });
  await server.start();
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: { cookies: [], origins: [] },
    viewport: PHONE,
    hasTouch: true,
  });
  try {
    await allowPush(context, { endpoint: `${service.url}/phone`, keys: receiver.keys });
    const page = await context.newPage();
    await signIn(page, server);
    await page.goto("/settings/notifications");
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    const done = page.getByRole("radiogroup", { name: "When an answer is done or has failed" });
    await expect(done.getByRole("radio", { name: "My chats" })).toBeChecked();
    await done.getByRole("radio", { name: "All chats" }).click();
    await expect(done.getByRole("radio", { name: "All chats" })).toBeEnabled();
    await expectAccessible(page);
    const worker = await recordNotifications(context);
    const deliver = await openDelivery(context, page, server.url);
    /** Takes the next message from the push service, decrypts it, and delivers it to the worker. */
    const passOn = async () => {
      await expect.poll(() => service.requests.length).toBeGreaterThan(0);
      const payload = receiver.decrypt(service.requests.shift()?.body ?? Buffer.alloc(0));
      await deliver(JSON.stringify(payload));
      return payload;
    };

    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(page.getByText("Sent", { exact: true })).toBeVisible();
    expect(await passOn()).toEqual({ kind: "test", chat_id: null, title: "Parley" });
    await expect.poll(async () => (await readRecorder(worker)).shown.length).toBe(1);

    const id = await startChat(server);
    const path = `/chats/${id}`;
    expect(await passOn()).toMatchObject({ kind: "needs_you", chat_id: id });
    const shown = async () => (await readRecorder(worker)).shown.slice(1);
    await expect.poll(shown).toMatchObject([{ body: "Needs you", tag: path, path }]);

    await clickNotification(worker, path);
    expect((await readRecorder(worker)).opened).toEqual([path]);
    await page.goto(path);
    const { log } = chatPage(page);
    await expect(log.getByRole("textbox", { name: "Days" })).toBeInViewport();
    // The chat is in sight, so that nothing is shown of it.
    await deliver(JSON.stringify({ kind: "needs_you", chat_id: id, title: "Order A-17" }));
    await log.getByRole("textbox", { name: "Days" }).fill("3");
    await log.getByRole("button", { name: "Send answer" }).click();
    await server.api.waitForStatus(id);
    expect(await passOn()).toMatchObject({ kind: "done", title: "Order A-17" });

    // A message that no server has written opens no page of another site.
    const foreign = "https://example.org/";
    await deliver(JSON.stringify({ kind: "done", chat_id: foreign, title: "x", path: foreign }));
    await deliver("no JSON");
    await expect.poll(shown).toMatchObject([
      { body: "Needs you", path },
      { title: "x", path: "/settings/notifications" },
      { title: "Parley", path: "/settings/notifications" },
    ]);

    // The service does not know the browser any more.
    status = 410;
    await page.goto("/settings/notifications");
    await startChat(server);
    await expect.poll(() => service.requests.length).toBeGreaterThan(0);
    await page.reload();
    await expect(page.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
  } finally {
    await context.close();
    await server.remove();
    await service.close();
  }
});

test("a notification is closed when its chat is opened, or was answered elsewhere", async ({
  page,
  context,
  server,
}) => {
  const [seen, answered, waiting] = [
    await startChat(server),
    await startChat(server),
    await startChat(server),
  ];
  const closed: string[] = [];
  await page.exposeFunction("recordClosed", (path: string) => void closed.push(path));
  await allowPush(context, {
    endpoint: "https://push.example.org/1",
    keys: createTestBrowser().keys,
  });
  // The headless browser keeps no notifications.
  await context.addInitScript(
    (paths) => {
      const { recordClosed } = window as unknown as { recordClosed: (path: string) => void };
      const shown = paths.map((path) => ({
        data: { path, kind: "needs_you" },
        close: () => recordClosed(path),
      }));
      Object.assign(ServiceWorkerRegistration.prototype, {
        getNotifications: () => Promise.resolve(shown),
      });
    },
    [seen, answered, waiting].map((id) => `/chats/${id}`),
  );
  await page.goto("/settings/notifications");
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await expect(page.getByRole("button", { name: "Turn off" })).toBeVisible();
  expect(closed).toEqual([]);

  const { status } = await server.api.request(`POST /chats/${answered}/interrupt`);
  expect(status).toBeLessThan(300);
  await expect.poll(() => [...new Set(closed)]).toEqual([`/chats/${answered}`]);
  closed.length = 0;
  await chatPage(page).openChat(seen);
  await expect.poll(() => [...new Set(closed)].sort()).toContain(`/chats/${seen}`);
  expect(closed).not.toContain(`/chats/${waiting}`);
});

test("over plain http the page says why it cannot notify", async ({ playwright }) => {
  const server = await createTestServer({ settings: { PARLEY_ALLOWED_HOSTS: LAN_HOST } });
  await server.start();
  const { args, ...options } = launchOptions();
  const browser = await playwright.chromium.launch({
    ...options,
    args: [...args, `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`],
  });
  try {
    const { port } = new URL(server.url);
    const baseURL = `http://${LAN_HOST}:${port}`;
    const page = await browser.newPage({ baseURL });
    await signIn(page, server);
    await page.goto("/settings/notifications");
    await expect(page.getByText("Notifications need https")).toBeVisible();
    await expect(page.getByText(`opened at ${baseURL}.`)).toBeVisible();
    await expect(page.getByRole("button", { name: "Turn on notifications" })).toHaveCount(0);
  } finally {
    await browser.close();
    await server.remove();
  }
});

test("Parley can be installed: a manifest, its icons and a worker without a cache", async ({
  page,
  request,
}) => {
  await page.goto("/");
  const href = await page.locator('head > link[rel="manifest"]').getAttribute("href");
  const manifest = (await (await request.get(href ?? "")).json()) as {
    display: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.display).toBe("standalone");
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect(size, src).toBe(sizes);
  }
  const worker = await request.get("/service-worker.js");
  expect(worker.headers()["content-type"]).toContain("javascript");
  expect(worker.headers()["cache-control"]).toMatch(/max-age=0|no-cache/);
  expect(await worker.text()).not.toMatch(/"fetch"|caches/);
});
