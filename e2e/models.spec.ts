import { expect, test } from "./fixtures";
import { startMockProvider } from "./mock-provider";

const KEY = "key-of-the-mock-provider-0123456789";

test("a model connected in the browser answers the next chat", async ({ page }) => {
  const provider = await startMockProvider();
  try {
    await page.goto("/settings");
    await expect(page).toHaveTitle(/Models · Settings · Parley$/);
    await page.getByRole("button", { name: "Add model" }).click();
    await page.getByRole("combobox", { name: "Provider" }).selectOption("OpenAI-compatible");
    await page.getByRole("textbox", { name: "Model" }).fill("mock");
    await page.getByLabel("API key").fill(KEY);
    await page.getByRole("textbox", { name: "Base URL" }).fill("not an address");
    await page.getByRole("button", { name: "Save and test" }).click();
    await expect(page.getByText("Must be an address such as")).toBeVisible();
    await page.getByRole("textbox", { name: "Base URL" }).fill(provider.url);
    await page.getByRole("button", { name: "Save and test" }).click();

    const row = page.getByRole("listitem").filter({ hasText: "OpenAI-compatible mock" });
    await expect(row).toContainText("mock answers.");
    await expect(row).toContainText("Default");
    await expect(row).toContainText("Key stored");

    // Another server with a model of the same id: the form says what to do, and keeps what was entered.
    await page.getByRole("button", { name: "Add model" }).click();
    await page.getByRole("combobox", { name: "Provider" }).selectOption("OpenAI-compatible");
    const model = page.getByRole("textbox", { name: "Model" });
    await model.fill("mock");
    await page.getByRole("textbox", { name: "Base URL" }).fill("http://127.0.0.1:9/v1");
    await page.getByRole("button", { name: "Save and test" }).click();
    await expect(model).toHaveAccessibleDescription(/Another server has a model with this id/);
    await expect(model).toHaveValue("mock");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.reload();
    expect(await page.content()).not.toContain(KEY);

    await page.goto("/");
    await expect(page.getByRole("combobox", { name: "Model" })).toContainText("mock");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("log", { name: "Messages" })).toContainText("Done.");
  } finally {
    await provider.close();
  }

  // The address no longer answers: the test says so, and the model stays as it was.
  await page.goto("/settings/models");
  const row = page.getByRole("listitem").filter({ hasText: "OpenAI-compatible mock" });
  await row.getByRole("button", { name: "Test mock" }).click();
  await expect(row).toContainText("The OpenAI-compatible server is not reachable.");
  await expect(row).toContainText(provider.url);

  const demoMenu = page.getByRole("button", { name: "More for Demo", exact: true });
  const demo = page.getByRole("listitem").filter({ has: demoMenu });
  await demoMenu.click();
  await page.getByRole("menuitem", { name: "Make default" }).click();
  await expect(demo).toContainText("Default");
  await row.getByRole("button", { name: "More for mock" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete model" }).click();
  await expect(row).toHaveCount(0);
});

test("a model is chosen from the list of its server, and answers", async ({ page }) => {
  const provider = await startMockProvider();
  try {
    await page.goto("/settings/models");
    await page.getByRole("button", { name: "Add model" }).click();
    await page.getByRole("combobox", { name: "Provider" }).selectOption("OpenAI-compatible");
    const list = page.getByRole("button", { name: "List models" });
    await list.click();
    await expect(page.getByText("An OpenAI-compatible server needs an address")).toBeVisible();
    await page.getByRole("textbox", { name: "Base URL" }).fill(provider.url.replace("/v1", ""));
    await list.click();
    await expect(page.getByText(/This server has no list of models.* lack \/v1/)).toBeVisible();
    await page.getByRole("textbox", { name: "Base URL" }).fill(provider.url);
    await page.getByLabel("API key").fill(KEY);
    await list.click();
    await page.getByRole("combobox", { name: "Search models" }).fill("4o");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Model" })).toHaveValue("gpt-4o");
    await page.getByRole("button", { name: "Save and test" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "OpenAI-compatible gpt-4o" });
    await expect(row).toContainText("gpt-4o answers.");
    await expect(row).toContainText("Default");

    // A stored key is used without being entered again.
    await row.getByRole("button", { name: "Edit gpt-4o" }).click();
    await list.click();
    await expect(page.getByRole("option", { name: "gpt-4o", exact: true })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.goto("/");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("log", { name: "Messages" })).toContainText("Done.");
  } finally {
    await provider.close();
  }
  await page.goto("/settings/models");
  await page.getByRole("button", { name: "More for Demo", exact: true }).click();
  await page.getByRole("menuitem", { name: "Make default" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "OpenAI-compatible gpt-4o" });
  await expect(row).not.toContainText("Default");
  await row.getByRole("button", { name: "More for gpt-4o" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete model" }).click();
  await expect(row).toHaveCount(0);
});

test("a new model whose test fails does not become the default", async ({ page }) => {
  await page.goto("/settings/models");
  await page.getByRole("button", { name: "Add model" }).click();
  await page.getByRole("combobox", { name: "Provider" }).selectOption("OpenAI-compatible");
  await page.getByRole("textbox", { name: "Model" }).fill("absent");
  await page.getByRole("textbox", { name: "Base URL" }).fill("http://127.0.0.1:9/v1");
  await expect(page.getByRole("checkbox", { name: "Use for new chats" })).toBeChecked();
  await page.getByRole("button", { name: "Save and test" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "OpenAI-compatible absent" });
  await expect(row).toContainText("The OpenAI-compatible server is not reachable.");
  await expect(row).toContainText("It has not become the default model.");
  await page.reload();
  await expect(row).toBeVisible();
  await expect(row).not.toContainText("Default");

  await row.getByRole("button", { name: "More for absent" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete model" }).click();
  await expect(row).toHaveCount(0);
});
