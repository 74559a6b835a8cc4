import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { HANG_MS } from "./limits";

const run = promisify(execFile);

/** The fields have the stored draft, and can be reached, only after hydration. */
const waitForDraft = async (page: Page): Promise<void> => {
  await waitForHydration(page.getByRole("textbox", { name: "Name" }));
};

const playground = (page: Page) => ({
  open: async () => {
    await page.goto("/playground");
    await waitForDraft(page);
  },
  field: (name: string) => page.getByRole("textbox", { name, exact: true }),
  example: (name: string) => page.getByRole("button", { name }),
  start: page.getByRole("button", { name: "Start a chat with it" }),
  /** What the right side shows. */
  view: (name: "Form" | "Code") =>
    page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true }),
  code: page.getByRole("region", { name: /^(Shell script|TypeScript program)$/ }),
});

for (const width of [390, 1440]) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 844 } });

    test("a tool is written, called by the model and answered in the form", async ({
      page,
      api,
    }) => {
      const { field, start, example, view, code } = playground(page);
      await page.goto("/");
      await page.getByRole("link", { name: "playground" }).click();
      await expect(page).toHaveTitle("Playground · Parley");
      await example("Approve a refund").click();
      await field("Name").fill("grant_leave");
      // It is sent as it is written: the name of a group or a tool chooses nothing.
      await field("First message").fill("Use grant_leave for “Ada” @read_file");
      await expect(page.getByRole("region", { name: "Grant leave" })).toContainText("Approved");
      await expect(start).toBeInViewport({ ratio: 1 });
      await expectAccessibleInThemes(page);
      await view("Code").click();
      await expect(code).toContainText("grant_leave");
      await expect(start).toBeInViewport({ ratio: 1 });
      await expectAccessibleInThemes(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect(overflow).toBe(0);
      await start.click();

      const { log, answers } = chatPage(page);
      const form = log.getByRole("group", { name: "Your answer is needed" });
      await expect(form).toContainText("Ada");
      await form.getByText("Yes", { exact: true }).click();
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(answers.last()).toContainText('"approved":true');
      const id = page.url().split("/").at(-1) ?? "";
      expect(await api.chat(id)).toMatchObject({ tools: null });
    });
  });
}

test("tools are kept as a group, and used in a new chat that names it", async ({ page, api }) => {
  const { open, example, field } = playground(page);
  const drawer = page.getByRole("form", { name: "Keep as a group" });
  const keep = async (): Promise<void> => {
    await page.getByRole("button", { name: "Keep as a group" }).click();
    await drawer.getByRole("textbox", { name: "Group" }).fill("refunds");
    await drawer.getByRole("button", { name: "Keep", exact: true }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByText("write @refunds to use it")).toBeVisible();
  };
  await open();
  // A name of the server's is refused, and the drawer says what to do.
  await field("Name").fill("read_file");
  await page.getByRole("button", { name: "Keep as a group" }).click();
  await drawer.getByRole("textbox", { name: "Group" }).fill("refunds");
  await drawer.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(drawer.getByRole("alert")).toContainText("Give it another name.");
  await expectAccessibleInThemes(page);
  await drawer.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await example("Approve a refund").click();
  await keep();
  await example("Read a thermometer").click();
  await keep();

  const { log, answers, message, sendMessage } = chatPage(page);
  await page.goto("/");
  await message.pressSequentially("@ref");
  await page.getByRole("option", { name: /refunds/ }).click();
  await sendMessage("@refunds Use approve_refund for “Ada”");
  await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1) ?? "";
  const form = log.getByRole("group", { name: "Your answer is needed" });
  await expect(form).toContainText("Ada");

  // What an administrator removes from the group, this chat keeps.
  await page.goto("/settings/groups");
  await expect(
    page.getByText("Brings 2 tools of its own: approve_refund, read_thermometer"),
  ).toBeVisible();
  await page.getByRole("button", { name: "Edit refunds" }).click();
  const settings = page.getByRole("form", { name: "Edit refunds" });
  await settings.getByRole("button", { name: "Remove approve_refund" }).click();
  await expectAccessibleInThemes(page);
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Brings 1 tool of its own: read_thermometer")).toBeVisible();

  await page.goto(`/chats/${id}`);
  await form.getByText("Yes", { exact: true }).click();
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(answers.last()).toContainText('"approved":true');
  expect(await api.chat(id)).toMatchObject({
    groups: ["refunds"],
    dynamic_tools: [
      { name: "approve_refund", group: "refunds" },
      { name: "read_thermometer", group: "refunds" },
    ],
  });
  expect((await api.request("PUT /config/groups", { groups: [] })).status).toBe(200);
});

test("a schema that is not JSON is named with its line, and survives a reload", async ({
  page,
}) => {
  const { open, field, start, view, code } = playground(page);
  await open();
  const broken = '{\n  "type": "object",\n  "properties": {,}\n}';
  await field("Output schema").fill(broken);
  await expect(page.getByText(/^Line 3 is not JSON\./)).toBeVisible();
  await view("Code").click();
  await expect(page.getByText("The code appears here when all fields are correct.")).toBeVisible();
  await expect(code).toHaveCount(0);
  await start.click();
  await expect(field("Output schema")).toBeFocused();
  await page.reload();
  await expect(field("Output schema")).toHaveValue(broken);
  await expect(page.getByText(/^Line 3 is not JSON\./)).toBeVisible();
  await expect(page).toHaveURL(/\/playground$/);

  // What is JSON but no schema is named too.
  await field("Output schema").fill('{\n  "type": "objekt"\n}');
  await expect(page.getByText(/^Line 2: “type” cannot be this in a JSON Schema/)).toBeVisible();
});

test("a pasted megabyte is refused at its field, and the rest is kept", async ({ page }) => {
  const { open, field } = playground(page);
  await open();
  await field("Description").fill("Kept");
  await field("Input schema").fill(JSON.stringify({ title: "x".repeat(1024 * 1024) }));
  await expect(page.getByText("Line 1: the schema is over 65536 bytes.")).toBeVisible();
  await expect(field("Description")).toHaveValue("Kept");
});

test("the shown code does the same against the server", async ({ page, server, api }) => {
  const { open, view, code, example } = playground(page);
  await open();
  await example("Read a thermometer").click();
  const celsius = page.getByRole("textbox", { name: /^Degrees Celsius/ });
  await expect(celsius).toHaveValue("21.5");
  await celsius.fill("19.25");
  await view("Code").click();
  const script = await code.innerText();
  await page.getByText("TypeScript", { exact: true }).click();
  await expect(code).toHaveAccessibleName("TypeScript program");
  const program = await code.innerText();

  const created = await api.request("POST /api-keys", { name: "Playground", scope: "chat" });
  const { key } = created.body as { key: string };
  const folder = await mkdtemp(path.join(tmpdir(), "parley-playground-"));
  const options = {
    env: { ...process.env, PARLEY_API_KEY: key },
    timeout: HANG_MS,
  };
  try {
    await writeFile(path.join(folder, "tool.sh"), script);
    await writeFile(path.join(folder, "tool.ts"), program);
    expect(script).toContain(server.url);
    const shell = await run("bash", [path.join(folder, "tool.sh")], options);
    expect(shell.stdout).toContain('"celsius":19.25');
    const node = await run(process.execPath, [path.join(folder, "tool.ts")], options);
    expect(node.stdout).toContain('"celsius":19.25');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("what is typed while the page loads is not replaced by the draft", async ({ page }) => {
  const { field } = playground(page);
  const scripts = Promise.withResolvers<undefined>();
  await page.route("**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto("/playground", { waitUntil: "commit" });
  const name = page.locator("main form input").first();
  await expect(name).toBeVisible();
  const initial = await name.inputValue();
  // A click reaches nothing, and no text goes where it would be lost.
  await name.click({ force: true });
  await page.keyboard.type("lost");
  await expect(name).toHaveValue(initial);
  scripts.resolve(undefined);
  await waitForDraft(page);
  await field("Name").fill("kept");
  await page.reload();
  await expect(field("Name")).toHaveValue("kept");
});
