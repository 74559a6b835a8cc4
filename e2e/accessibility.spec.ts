import { expectAccessible } from "./axe";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

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

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("a chat with cards, form and queue is accessible", async ({ page, api }) => {
      const { id } = await api.createChat({ content: MIXED_BATCH, dynamic_tools: [ORDER_TOOL] });
      await api.send(id, "and then?");
      const { openChat, log } = chatPage(page);
      await openChat(id);
      const form = log.getByRole("group", { name: "Your answer is needed" });
      await expect(form).toBeVisible();
      await log.getByRole("button", { name: /Write file/ }).click();
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(form.getByRole("textbox", { name: "Days" })).toHaveAttribute(
        "aria-invalid",
        "true",
      );
      await expectAccessible(page);
    });

    test("the page of a new chat is accessible", async ({ page }) => {
      await page.goto("/");
      await expect(page.getByRole("heading", { name: "What shall we work on?" })).toBeVisible();
      await expectAccessible(page);
    });

    test("an answer in markdown with reasoning is accessible", async ({ page }) => {
      const { startChat, answers } = chatPage(page);
      await startChat("think about a boat");
      await expect(answers).toContainText("after a restart.");
      await expectAccessible(page);
    });

    test("a chat with all of markdown is accessible", async ({ page, api }) => {
      const { id } = await api.createChat({ content: MARKDOWN });
      await api.waitForStatus(id, 15_000);
      const { openChat, answers } = chatPage(page);
      await openChat(id);
      await expect(answers.getByRole("table")).toBeVisible();
      await expect(answers.getByRole("math").first()).toBeVisible();
      await expect(answers.getByText("const", { exact: true })).toBeVisible();
      await expectAccessible(page);
    });

    test("the pages of API keys and of the account are accessible", async ({ page }) => {
      await page.goto("/settings/api-keys");
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute(
        "aria-invalid",
        "true",
      );
      await expect(page.getByRole("button", { name: "Revoke from the environment" })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("textbox", { name: "Name" }).fill(`In the ${colorScheme} theme`);
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByRole("group", { name: /is ready$/ })).toBeVisible();
      await expectAccessible(page);

      await page.getByRole("link", { name: "Account" }).click();
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
      await expect(page.getByText("This browser")).toBeVisible();
      await expectAccessible(page);
    });

    test.describe("without an account", () => {
      test.use({ storageState: { cookies: [], origins: [] } });

      test("the setup and login pages are accessible", async ({ page, newServer }) => {
        await page.goto("/login");
        await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
        await expectAccessible(page);
        await page.goto(`${newServer.url}/setup`);
        await page.getByRole("button", { name: "Create account" }).click();
        await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute(
          "aria-invalid",
          "true",
        );
        await expectAccessible(page);
      });
    });
  });
}
