import { expect, test } from "./fixtures";

test("a chat on a model without tool calls uses tools and shows no XML", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("combobox", { name: "Model" }).click();
  await page.getByRole("option", { name: "Demo with XML" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill('write "a < b ]]> c" to notes.md');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log).toContainText("The tool has answered");
  await expect(log).toContainText("notes.md");
  await expect(log).not.toContainText("<tool");
  await expect(log).not.toContainText("CDATA");

  // The results are read back, and the chat goes on with a model of the other protocol.
  await page.getByRole("textbox", { name: "Message" }).fill("read notes.md");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(log).toContainText("a < b ]]> c");

  // A block that cannot be read is an error, after which the model writes another one.
  const twice = 'use current_time with {"now": then write "mended" to mended.md';
  await page.getByRole("textbox", { name: "Message" }).fill(twice);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(log).toContainText('Created "mended.md": 6 bytes.');
  await expect(log).toContainText(/Current time.*Failed.*Write file.*mended\.md.*Done/s);
});
