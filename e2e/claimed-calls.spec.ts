import { chatPage, ORDER_TOOL } from "./chat-page";
import type { Api } from "./api";
import { expect, test } from "./fixtures";

/** Claims an open call for a program. @returns what gives it back. */
const claim = async (api: Api, { chatId, callId }: { chatId: string; callId: string }) => {
  const call = `/chats/${chatId}/tool-calls/${callId}`;
  const claimed = await api.request(`POST ${call}/claim`, { holder: "shop-1" });
  expect(claimed.status).toBe(200);
  const { token } = (claimed.body as { claim: { token: string } }).claim;
  return async (): Promise<void> => {
    expect((await api.request(`POST ${call}/release`, { token })).status).toBe(204);
  };
};

test("a call that a program works on says so, and needs the person again when it is given back", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({
    content: 'use check_order with {"order":"A-17"}',
    dynamic_tools: [ORDER_TOOL],
  });
  const { required_action: action } = await api.waitForStatus(id);
  const callId = action?.tool_calls[0]?.tool_call_id ?? "";
  const { openChat, log } = chatPage(page);
  const card = log.getByRole("button", { name: /^Check order/ });
  await openChat(id);
  await expect(card).toHaveAccessibleName(/Needs you$/);
  await expect(page).toHaveTitle(/● needs you/);

  const release = await claim(api, { chatId: id, callId });
  await expect(log.getByText("shop-1")).toBeVisible();
  await expect(card).toHaveAccessibleName(/Being worked on$/);
  await expect(page).not.toHaveTitle(/needs you/);

  await release();
  await expect(card).toHaveAccessibleName(/Needs you$/);
  await expect(page).toHaveTitle(/● needs you/);
});

test("the message box is for messages while programs work on all open calls, and for answers else", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({
    content: "use ask_shop with {}",
    dynamic_tools: [{ name: "ask_shop", description: "Asks the shop.", input_schema: {} }],
  });
  const { required_action: action } = await api.waitForStatus(id);
  const call = { chatId: id, callId: action?.tool_calls[0]?.tool_call_id ?? "" };
  const release = await claim(api, call);
  const { openChat, log, message, send, stop } = chatPage(page);
  const use = page.getByRole("button", { name: "Use this as the answer" });
  await openChat(id);
  await expect(message).toHaveAttribute("placeholder", "Write the next message");
  await message.fill("Tomorrow");
  await expect(message).toHaveAccessibleDescription(/^Messages wait for the answer to end/);
  await expect(send).toBeEnabled();
  await expect(use).toBeHidden();

  await release();
  await use.click();
  await expect(message).toHaveValue("");
  await claim(api, call);
  // What the person has begun to write is not taken away.
  await expect(log.getByRole("textbox")).toHaveValue("Tomorrow");
  await expect(message).toHaveAttribute("placeholder", "Answer above, or write the next message");
  await log.getByRole("textbox").fill("");

  await stop.click();
  await page.getByRole("button", { name: "Cancel the call and stop" }).click();
  await api.waitForStatus(id, ["waiting"]);
});

test("an agent whose call a program works on runs, and its row asks for nobody", async ({
  page,
  api,
}) => {
  const tools = [{ name: "restart", description: "Restarts a server", input_schema: {} }];
  await api.request("PUT /toolsets/ops", { version: "1.0", when_absent: "offer", tools });
  const { startChat, log, chatList } = chatPage(page);
  const prompt = 'use ops_restart with {"host":"web-1"}';
  const id = await startChat(
    `use spawn_agent with ${JSON.stringify({ title: "Restarter", prompt })}`,
  );
  const card = log.getByRole("button", { name: /^Start agent/ });
  await expect(card).toHaveAccessibleName(/Needs you$/);
  const waiting = chatList.getByRole("group", { name: "Needs you" });
  await expect(waiting.getByRole("link", { name: /^Needs you Restarter/ })).toBeVisible();
  await expect(page).toHaveTitle(/● needs you/);

  const [agent] = (await api.chat(id)).child_actions;
  const chatId = agent?.chat_id ?? "";
  const callId = agent?.tool_calls[0]?.tool_call_id ?? "";
  const release = await claim(api, { chatId, callId });
  await expect(card).toHaveAccessibleName(/Running$/);
  await expect(waiting).toBeHidden();
  await expect(page).not.toHaveTitle(/needs you/);
  await chatList.getByRole("button", { name: /^1 agent, 1 working/ }).click();
  const row = chatList.locator(`a[href="/chats/${chatId}"]`);
  await expect(row).toHaveAccessibleName(/^Working Restarter/);
  await expect(row).not.toContainText("left");

  await release();
  await expect(card).toHaveAccessibleName(/Needs you$/);
  await expect(waiting.getByRole("link", { name: /^Needs you Restarter/ })).toContainText("left");
  await api.request("DELETE /toolsets/ops");
});
