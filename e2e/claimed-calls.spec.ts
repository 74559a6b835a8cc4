import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

test("a call that a program works on says so, and needs the person again when it is given back", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({
    content: 'use check_order with {"order":"A-17"}',
    dynamic_tools: [ORDER_TOOL],
  });
  const { required_action: action } = await api.waitForStatus(id);
  const call = `/chats/${id}/tool-calls/${action?.tool_calls[0]?.tool_call_id}`;
  const { openChat, log } = chatPage(page);
  const card = log.getByRole("button", { name: /^Check order/ });
  await openChat(id);
  await expect(card).toHaveAccessibleName(/Needs you$/);
  await expect(page).toHaveTitle(/● needs you/);

  const claimed = await api.request(`POST ${call}/claim`, { holder: "shop-1" });
  expect(claimed.status).toBe(200);
  await expect(log.getByText("shop-1")).toBeVisible();
  await expect(card).toHaveAccessibleName(/Being worked on$/);
  await expect(page).not.toHaveTitle(/needs you/);

  const { token } = (claimed.body as { claim: { token: string } }).claim;
  expect((await api.request(`POST ${call}/release`, { token })).status).toBe(204);
  await expect(card).toHaveAccessibleName(/Needs you$/);
  await expect(page).toHaveTitle(/● needs you/);
});
