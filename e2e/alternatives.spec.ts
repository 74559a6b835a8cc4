import type { Page } from "@playwright/test";
import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { countProcesses, useExec } from "./exec-calls";
import { createTestServer } from "./server";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

const group = (page: Page, name: string) => page.getByRole("group", { name });

test("a person edits twice, regenerates, goes back by keyboard, and goes on from there", async ({
  page,
  api,
}) => {
  const { startChat, sendMessage, log, answers, userMessages, message } = chatPage(page);
  const id = await startChat("write 2 words");
  await api.waitForStatus(id, ["waiting"]);
  await sendMessage("write 3 words");
  await expect(answers).toHaveCount(2);
  await api.waitForStatus(id, ["waiting"]);
  for (const text of ["write 4 words", "write 5 words"]) {
    await userMessages.first().getByRole("button", { name: "Edit message" }).click();
    await log.getByRole("textbox").fill(text);
    await log.getByRole("textbox").press("Enter");
    await expect(userMessages).toHaveCount(1);
    await expect(userMessages).toContainText(text);
    await api.waitForStatus(id, ["waiting"]);
  }
  await expect(group(page, "Version 3 of 3 of your message")).toBeVisible();
  await answers.last().getByRole("button", { name: "Regenerate answer" }).click();
  await expect(group(page, "Version 2 of 2 of the answer")).toBeVisible();
  await api.waitForStatus(id, ["waiting"]);
  await page.mouse.move(0, 0);
  await expectAccessibleInThemes(page);

  // The first version has two turns, and its answers have no versions.
  const previous = group(page, "of your message").getByRole("button", { name: "Previous version" });
  await expect(previous).toBeEnabled();
  await previous.focus();
  await page.keyboard.press("Enter");
  await expect(group(page, "Version 2 of 3 of your message")).toBeVisible();
  await expect(userMessages).toContainText("write 4 words");
  await expect(previous).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(userMessages).toHaveCount(2);
  await expect(userMessages.first()).toContainText("write 2 words");
  await expect(group(page, "of the answer")).toHaveCount(0);
  const next = group(page, "of your message").getByRole("button", { name: "Next version" });
  await expect(next).toBeFocused();

  await page.reload();
  await expect(userMessages).toHaveCount(2);
  await expect(group(page, "Version 1 of 3 of your message")).toBeVisible();
  await waitForHydration(message);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessibleInThemes(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await sendMessage("write 6 words");
  await expect(answers).toHaveCount(3);
  await api.waitForStatus(id, ["waiting"]);
  const { messages } = await api.history(id);
  expect(messages.map(({ role }) => role).join(" ")).toBe(
    "user assistant user assistant user assistant",
  );
});

test("a choice on one page is shown on another, also of more messages than it has loaded", async ({
  page,
  api,
  context,
}) => {
  const history = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => [
      { role: "user", content: `${word} ${index}` },
      { role: "assistant", content: `About ${word} ${index}.` },
    ]).flat();
  const { body } = await api.request("POST /chats", { messages: history(60, "long") });
  const { id } = body as { id: string };
  const first = (await api.history(id)).messages[0]?.id ?? "";
  const { openChat, log, userMessages } = chatPage(page);
  await openChat(id);
  await expect(log).toContainText("About long 59.");
  expect(
    (await api.request(`PATCH /chats/${id}/messages/${first}`, { content: "write 2 words" }))
      .status,
  ).toBe(200);
  await api.waitForStatus(id, ["waiting"]);
  const other = await context.newPage();
  await other.goto(`/chats/${id}`);
  await expect(group(other, "Version 2 of 2 of your message")).toBeVisible();
  await expect(group(page, "Version 2 of 2 of your message")).toBeVisible();
  await group(other, "of your message").getByRole("button", { name: "Previous version" }).click();
  await expect(other.getByRole("log")).toContainText("About long 59.");
  await expect(log).toContainText("About long 59.");
  await other.reload();
  await expect(other.getByRole("log")).toContainText("About long 59.");
  // This page has only the newest messages of the version that is replaced now.
  expect((await api.request(`POST /chats/${id}/messages/${first}/choose`, {})).status).toBe(204);
  const replaced = (await api.history(id)).messages[0] as unknown as {
    alternatives: { ids: string[] };
  };
  const short = replaced.alternatives.ids[1] ?? "";
  expect((await api.request(`POST /chats/${id}/messages/${short}/choose`, {})).status).toBe(204);
  await expect(other.getByRole("article", { name: "You" })).toHaveCount(1);
  await expect(other.getByRole("article", { name: "You" })).toContainText("write 2 words");
  await expect(userMessages).toHaveCount(1);
});

test("an answer is regenerated with other thinking, and the former comes back when there is no new one", async ({
  page,
  api,
}) => {
  const { startChat, answers, userMessages } = chatPage(page);
  const id = await startChat("write 3 words");
  await api.waitForStatus(id, ["waiting"]);
  await answers.last().getByRole("button", { name: "Regenerate with…" }).click();
  await page.getByRole("menuitem", { name: "High" }).click();
  await expect(group(page, "Version 2 of 2 of the answer")).toBeVisible();
  await api.waitForStatus(id, ["waiting"]);
  expect((await api.history(id)).messages[0]).toMatchObject({ reasoning_effort: "high" });

  // The message makes the demo model fail.
  await userMessages.last().getByRole("button", { name: "Edit message" }).click();
  const editor = page.getByRole("log").getByRole("textbox");
  await editor.fill("fail auth");
  await editor.press("Enter");
  await expect(page.getByRole("log").getByRole("alert")).toBeVisible();
  await expect(group(page, "Version 2 of 2 of your message")).toBeVisible();
  await group(page, "of your message").getByRole("button", { name: "Previous version" }).click();
  await expect(userMessages).toContainText("write 3 words");
  await expect(group(page, "Version 2 of 2 of the answer")).toBeVisible();
  await expect(page.getByRole("log").getByRole("alert")).toHaveCount(0);
  expect((await api.chat(id)).status).toBe("waiting");
});

test("a background command of a replaced call ends, and a server that dies leaves one whole path", async () => {
  const server = await createTestServer();
  const { api } = server;
  try {
    await server.start();
    const seconds = 600_000 + process.pid;
    const command = `sleep ${seconds}`;
    const { id } = await api.createChat({
      content: useExec({ action: "run", command, background: true, timeout: 0 }),
    });
    await api.waitForStatus(id);
    await expect.poll(() => countProcesses(command)).toBeGreaterThan(0);
    const first = (await api.history(id)).messages[0]?.id ?? "";
    const edited = await api.request(`PATCH /chats/${id}/messages/${first}`, {
      content: "write 2 words",
    });
    expect(edited.status).toBe(200);
    await expect.poll(() => countProcesses(command)).toBe(0);
    await api.waitForStatus(id, ["waiting"]);
    expect((await api.history(id)).messages).toHaveLength(2);

    const choice = api.request(`POST /chats/${id}/messages/${first}/choose`, {}).catch(() => null);
    await server.kill();
    await choice;
    await server.start();
    const { messages } = await api.history(id);
    const isChosen = messages[0]?.id === first;
    expect(messages.map(({ role }) => role)).toEqual(
      isChosen ? ["user", "assistant", "assistant"] : ["user", "assistant"],
    );
    expect((await api.request(`POST /chats/${id}/messages/${first}/choose`, {})).status).toBe(204);
    expect((await api.history(id)).messages).toHaveLength(3);
    const { body } = await api.request(`GET /chats/${id}/tasks`);
    expect(body).toMatchObject({ data: [{ kind: "command", state: "cancelled" }] });
    await api.send(id, "write 3 words");
    await api.waitForStatus(id, ["waiting"]);
  } finally {
    await server.remove();
  }
});
