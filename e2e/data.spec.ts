import { readFile } from "node:fs/promises";
import { fromBufferPromise } from "yauzl";
import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { createChatgptArchive } from "./import-archives";
import { HANG_MS } from "./limits";
import { createTestServer } from "./server";
import { createTabTo } from "./tab-to";
import { waitUntil } from "./wait-until";

const CHOOSER_MS = 5_000;

test("a person brings an archive by keyboard on a phone, reads the report, and exports all", async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const tabTo = createTabTo(page);
  await page.goto("/settings/data");
  const choose = page.getByRole("button", { name: "Choose an archive" });
  await waitForHydration(choose);
  await tabTo(choose);
  const buffer = await createChatgptArchive({ count: 3, withoutMessages: 1 });
  // On a busy machine the browser opens its dialog before Playwright can take it over, and nothing closes that one.
  await expect(async () => {
    const chooser = page.waitForEvent("filechooser", { timeout: CHOOSER_MS });
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({ name: "chatgpt.zip", mimeType: "application/zip", buffer });
  }).toPass();
  const row = page.getByRole("listitem").filter({ hasText: "chatgpt.zip" });
  await expect(row).toContainText("From ChatGPT");
  await expect(row).toContainText("Done");
  await expect(row).toContainText("3 chats");
  const report = row.getByRole("button", { name: "1 thing was not imported as in the archive" });
  await tabTo(report);
  await page.keyboard.press("Enter");
  await expect(row.getByText("It has no messages.")).toBeVisible();
  await expectAccessibleInThemes(page);
  // Wider than the screen, it would scroll sideways.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await page.getByRole("button", { name: "Open chat list" }).click();
  await page.getByRole("link", { name: /^Archive conversation 2/ }).click();
  await page.waitForURL(/\/chats\//);
  await expect(chatPage(page).answers.first()).toContainText("Answer 2");
  const { body } = await api.request("GET /chats?archived=any");
  expect((body as { data: unknown[] }).data).toHaveLength(3);
  const found = await waitUntil("the search has the messages", HANG_MS, async () => {
    const { body: results } = await api.request("GET /chats?q=Answer%201");
    const { data } = results as { data: { title: string }[] };
    return data.length > 0 ? data : undefined;
  });
  expect(found.map(({ title }) => title)).toEqual(["Archive conversation 1"]);

  await page.goto("/settings/data");
  const exportAll = page.getByRole("button", { name: "Export all chats" });
  await waitForHydration(exportAll);
  const download = page.waitForEvent("download");
  await exportAll.press("Enter");
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("parley-export.zip");
  const zip = await fromBufferPromise(await readFile(await saved.path()));
  expect(zip.entryCount).toBe(1);

  const removed = page.getByRole("button", { name: "Remove chatgpt.zip" });
  await removed.press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).press("Enter");
  await expect(row).toHaveCount(0);
});

test("an archive that is none is refused with the reason", async ({ page }) => {
  await page.goto("/settings/data");
  const choose = page.getByRole("button", { name: "Choose an archive" });
  await waitForHydration(choose);
  const chooser = page.waitForEvent("filechooser");
  await choose.click();
  const buffer = Buffer.from("no archive");
  await (await chooser).setFiles({ name: "notes.zip", mimeType: "application/zip", buffer });
  await expect(page.getByRole("alert").filter({ hasText: "neither a ZIP" })).toBeVisible();
  await expect(choose).toBeEnabled();
  await expectAccessibleInThemes(page);
});

test("a chat is exported from its menu in each format", async ({ page, api }) => {
  const { id } = await api.createChat({ content: "write 2 words about tides" });
  await api.waitForStatus(id);
  const { openChat, message } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  for (const [format, ending] of [
    ["Markdown", ".md"],
    ["JSON", ".json"],
    ["ZIP", ".zip"],
  ] as const) {
    await page.getByRole("button", { name: "Actions for this chat" }).press("Enter");
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: `Export as ${format}` }).press("Enter");
    expect((await download).suggestedFilename().endsWith(ending)).toBe(true);
  }
});

test("an import goes on where it was after the server was killed, and makes no chat twice", async () => {
  test.setTimeout(240_000);
  const count = 1_500;
  const server = await createTestServer();
  try {
    await server.start();
    const archive = await createChatgptArchive({ count, withoutMessages: 0 });
    const sent = await fetch(`${server.url}/api/v1/imports?name=export.zip`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/zip" },
      body: new Uint8Array(archive),
    });
    expect(sent.status).toBe(201);
    const { id } = (await sent.json()) as { id: string };
    const read = async () => {
      const { body } = await server.api.request(`GET /imports/${id}`);
      return body as { state: string; chats: number; known: number; problems: number };
    };
    let kills = 0;
    for (;;) {
      const { state, chats } = await waitUntil("more chats", HANG_MS, async () => {
        const found = await read();
        return found.state === "completed" || found.chats > kills * 200 ? found : undefined;
      });
      if (state === "completed") break;
      expect(chats).toBeLessThan(count);
      if (kills < 3) {
        await server.kill();
        await server.start();
      }
      kills += 1;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await read()).toMatchObject({ chats: count, known: 0, problems: 0 });
    let total = 0;
    let cursor = "";
    do {
      const { body } = await server.api.request(`GET /chats?limit=200${cursor}`);
      const page = body as { data: unknown[]; next_cursor?: string };
      total += page.data.length;
      cursor = page.next_cursor === undefined ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    expect(total).toBe(count);
  } finally {
    await server.remove();
  }
});
