import type { AgentTypesConfig } from "@/contract/agent-type";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

test("an administrator declares a recipe, and a person approves its commands", async ({
  page,
  api,
}) => {
  const name = `shout_${Date.now()}`;
  await page.goto("/settings/recipes");
  await page.getByRole("button", { name: "Add recipe" }).click();
  const form = page.getByRole("form", { name: "New recipe" });
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Description").fill("Shouts a text");
  await form.getByRole("textbox", { name: "Commands" }).fill("printf %s ${loud}");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText(/Has no value for \$\{loud\}/)).toBeVisible();
  await form.getByRole("textbox", { name: "Commands" }).fill("printf '%s!' ${text}");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();

  await page.getByRole("button", { name: `Run once: ${name}` }).click();
  await expect(page.getByRole("group", { name: "What the model would read" })).toHaveText("Hello!");

  const { startChat, log, answers } = chatPage(page);
  const id = await startChat(`use ${name} with {"text": "it's \${text}"}`);
  const approval = log.getByRole("group", { name: /^Approvals? needed$/ });
  await expect(approval.getByRole("group", { name: "Commands" })).toHaveText(
    `printf %s! "it's \${text}"`,
  );
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(answers.last()).toContainText("The tool has answered");
  const { messages } = await api.history(id);
  expect(messages.flatMap(({ parts }) => parts)).toContainEqual(
    expect.objectContaining({ kind: "recipe", state: "completed", output: "it's ${text}!" }),
  );
  expect((await api.request(`DELETE /config/recipes/${name}`)).status).toBe(204);
});

test("an administrator declares an agent type, and deletes it", async ({ page, api }) => {
  const names = async () => {
    const { body } = await api.request("GET /config/agent-types");
    return (body as AgentTypesConfig).agent_types.map(({ name }) => name);
  };
  const shipped = await names();
  await page.goto("/settings/agent-types");
  await page.getByRole("button", { name: "Add agent type" }).click();
  const form = page.getByRole("form", { name: "New agent type" });
  await form.getByLabel("Name").fill("judge");
  await form.getByRole("switch", { name: "All tools" }).click();
  await form.getByRole("checkbox", { name: "read_file" }).check();
  await form.getByLabel("Steps per turn").fill("20");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Up to 20 steps")).toBeVisible();
  expect(await names()).toEqual([...shipped, "judge"]);
  await page.getByRole("button", { name: "Delete judge" }).click();
  await page.getByRole("button", { name: "Delete agent type" }).click();
  await expect(page.getByText("Up to 20 steps")).toBeHidden();
  expect(await names()).toEqual(shipped);
});

test("an administrator declares a group, and a person chooses it by an @", async ({
  page,
  api,
}) => {
  await page.goto("/settings/groups");
  await page.getByRole("button", { name: "Add group" }).click();
  const form = page.getByRole("form", { name: "New group" });
  await form.getByLabel("Name").fill("review");
  await form.getByRole("checkbox", { name: "read_file" }).check();
  await form.getByRole("textbox", { name: "Instructions" }).fill("Name each fault by its line.");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();

  const { message, answers, sendMessage } = chatPage(page);
  await page.goto("/");
  await message.pressSequentially("@rev");
  await expect(page.getByRole("option", { name: /review/ })).toBeVisible();
  await message.press("Enter");
  const chips = page.getByRole("list", { name: "Tools of this chat" });
  await expect(chips).toHaveText("review");
  await expect(message).toHaveValue("@review ");
  await sendMessage("@review What can you do?");
  await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect(answers.last()).toContainText("names a tool: read_file advise");
  await page.reload();
  await expect(chips).toHaveText("review");
  await chips.getByRole("button", { name: "Remove review" }).click();
  await expect(chips).toBeHidden();
  // The page shows a choice before it is saved.
  await expect.poll(() => api.chat(id)).toMatchObject({ groups: [], tools: null });

  // Sent before the page knows what can be mentioned.
  await page.reload();
  const isListOfGroups = (url: URL): boolean => url.pathname.includes("groups.list");
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(isListOfGroups, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => isListOfGroups(new URL(request.url())));
  await sendMessage("Help, @review?");
  await asked;
  letThrough();
  await expect(chips).toHaveText("review");
  await expect(answers.last()).toContainText("names a tool: read_file advise");
  await page.unroute(isListOfGroups);

  expect((await api.request(`PATCH /chats/${id}`, { groups: [], tools: null })).status).toBe(200);
  await expect(chips).toBeHidden();
  // What a text mentions already chooses nothing: a server may have written it.
  const { userMessages, log, stop } = chatPage(page);
  await api.send(id, "Ask @review");
  await expect(userMessages.last()).toContainText("Ask @review");
  await expect(answers).toHaveCount(3);
  // While an answer grows, the messages above it move, and a click may miss them.
  await expect(stop).toBeHidden();
  await userMessages.last().hover();
  await userMessages.last().getByRole("button", { name: "Edit message" }).click();
  const editor = log.getByRole("form", { name: "Edit message" });
  await editor.getByRole("textbox", { name: "Message" }).fill("Ask @review about @read_file");
  await editor.getByRole("button", { name: "Send", exact: true }).click();
  await expect(chips).toHaveText("read_file");
  expect((await api.request("PUT /config/groups", { groups: [] })).status).toBe(200);
  await sendMessage("Once more, @review?");
  await expect(page.getByText('The server has no group "review".')).toBeVisible();
  await expect(message).toHaveValue("Once more, @review?");
  await message.press("Enter");
  await expect(message).toHaveValue("");
  await expect(answers).toHaveCount(4);
});
