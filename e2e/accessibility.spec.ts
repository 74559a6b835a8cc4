import { expectAccessibleInThemes } from "./axe";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

/** The demo model quotes it. */
const MARKDOWN = `# One
## Two
### Three

Some **bold**, *italic*, ~~deleted~~ words, \`code\` and a [link](https://example.com).

- [x] a task that is done
- [ ] a task that is not

1. first
   - nested

| Fruit | Weight of all that is in the storeroom |
| --- | ---: |
| blood oranges | 12 kg |

\`\`\`ts
const depth: number = 4; // a comment
\`\`\`

$$
e^{i\\pi} + 1 = 0
$$

---

> a quote

مرحبا بالعالم`;

test("a chat with cards, form and queue is accessible", async ({ page, api }) => {
  const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
  await api.send(id, "and then?");
  const { openChat, log } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "Your answer is needed" });
  await expect(form).toBeVisible();
  await log.getByRole("button", { name: /Write file/ }).click();
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(form.getByRole("textbox", { name: "Days" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleInThemes(page);
});

test("the page of a new chat is accessible", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "What shall we work on?" })).toBeVisible();
  await expectAccessibleInThemes(page);
});

test("an answer in markdown with reasoning is accessible", async ({ page }) => {
  const { startChat, answers } = chatPage(page);
  await startChat("think about a boat");
  await expect(answers).toContainText("after a restart.");
  await expectAccessibleInThemes(page);
});

test("a chat with all of markdown is accessible", async ({ page, api }) => {
  const { id } = await api.createChat({ content: MARKDOWN });
  await api.waitForStatus(id);
  const { openChat, answers } = chatPage(page);
  await openChat(id);
  await expect(answers.getByRole("table")).toBeVisible();
  await expect(answers.getByRole("math").first()).toBeVisible();
  await expect(answers.getByText("const", { exact: true })).toBeVisible();
  await expectAccessibleInThemes(page);
});

test("the pages of API keys and of the account are accessible", async ({ page }) => {
  await page.goto("/settings/api-keys");
  await expect(page.getByRole("button", { name: "Revoke of the test" })).toBeVisible();
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleInThemes(page);
  await page.getByRole("radio", { name: "Something else" }).check();
  await page.getByRole("textbox", { name: "Only these tools", exact: true }).fill("no name!");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Choose at least one.")).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.getByRole("radio", { name: "A program that answers tools" }).check();
  await page.getByRole("textbox", { name: "Only these tools", exact: true }).fill("restart_*");
  await page.getByRole("textbox", { name: "Name" }).fill("For a program");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("group", { name: /is ready$/ })).toBeVisible();
  await expectAccessibleInThemes(page);

  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("This browser")).toBeVisible();
  await expectAccessibleInThemes(page);
});

/** Each page that has no chat: its path, and the heading that shows that it is there. */
const PAGES = [
  ["/settings/models", "Models"],
  ["/settings/advisor", "Advisor"],
  ["/settings/tools", "Tools"],
  ["/settings/recipes", "Recipes"],
  ["/settings/groups", "Groups"],
  ["/settings/mcp", "MCP servers"],
  ["/settings/agent-types", "Agent types"],
  ["/settings/notifications", "Notifications"],
  ["/settings/data", "Data"],
  ["/settings/appearance", "Appearance"],
  ["/playground", "Playground"],
  ["/docs", "API reference / Overview"],
  ["/docs/chats", "API reference / Chats"],
] as const;

for (const width of [1440, 390]) {
  test(`all pages without a chat are accessible, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const [path, name] of PAGES) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
      await expectAccessibleInThemes(page);
    }
  });
}

test("forms in a drawer, the palette, the shortcuts and the search of a chat are accessible", async ({
  page,
  api,
}) => {
  for (const [path, button] of [
    ["/settings/models", "Add model"],
    ["/settings/mcp", "Add MCP server"],
    ["/settings/recipes", "Add recipe"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeVisible();
    await expectAccessibleInThemes(page);
  }
  const { id } = await api.createChat({ content: "Find these words" });
  await api.waitForStatus(id);
  await chatPage(page).openChat(id);
  await waitForHydration(chatPage(page).message);
  await page.keyboard.press("ControlOrMeta+Shift+F");
  await page.getByRole("textbox", { name: "Text to find" }).fill("words");
  await expect(page.getByRole("search").getByRole("status")).toContainText("1 of");
  await expectAccessibleInThemes(page);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.keyboard.press("Escape");
  await page.getByRole("log").focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: /shortcuts/i })).toBeVisible();
  await expectAccessibleInThemes(page);
});

test.describe("without an account", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("the login page is accessible", async ({ page }) => {
    await page.goto("/login");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    await expectAccessibleInThemes(page);
  });
});
