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
