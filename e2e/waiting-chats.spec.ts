import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";

/** More than the first page of the chat list has. */
const NEWER_CHATS = 60;

test("a chat that waits for the person is found behind 60 newer ones, once, and live", async ({
  page,
  api,
}) => {
  const park = async (text: string) => {
    const content = `use check_order with {"order":"${text}"}`;
    const { id } = await api.createChat({ content, dynamic_tools: [ORDER_TOOL] });
    return api.waitForStatus(id, ["requires_action"]);
  };
  const old = await park("first");
  for (let index = 0; index < NEWER_CHATS; index += 10) {
    const chats = Array.from({ length: 10 }, (_, at) =>
      api.createChat({ content: `Newer chat ${index + at}` }),
    );
    for (const { id } of await Promise.all(chats)) await api.waitForStatus(id);
  }
  await page.goto("/");
  const { chatList, log } = chatPage(page);
  const group = chatList.getByRole("group", { name: "Needs you" });
  const link = ({ id }: { id: string }) => page.locator(`a[href="/chats/${id}"]`);
  await expect(group.locator(link(old))).toBeVisible();

  // Others join and leave while the page is open, and no chat is listed twice.
  const other = await park("second");
  await expect(group.locator(link(other))).toBeVisible();
  // The end of the list loads the older ones.
  await chatList.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await expect(chatList.getByRole("link", { name: "Newer chat" })).toHaveCount(NEWER_CHATS);
  await expect(chatList.locator(link(old))).toHaveCount(1);

  await chatList.locator(link(old)).click();
  await log.getByRole("textbox", { name: "Days" }).fill("3");
  await log.getByRole("button", { name: "Send answer" }).click();
  await expect(group.locator(link(old))).toHaveCount(0);
  await expect(chatList.locator(link(old))).toHaveCount(1);
  await expect(group.locator(link(other))).toBeVisible();
});

test("title and icon count the chats that wait on every page, live", async ({ page, api }) => {
  // Next.js has two of them for a moment, while it adds them to a page.
  const icons = page.locator('head > link[rel="icon"]');
  const haveCount = () =>
    icons.evaluateAll(
      (links: HTMLLinkElement[]) =>
        links.length > 0 && links.every(({ href }) => href.startsWith("data:image/svg")),
    );
  await page.goto("/settings/account");
  await expect(page).toHaveTitle("Account · Settings · Parley");
  const { id } = await api.createChat({
    content: 'use check_order with {"order":"count"}',
    dynamic_tools: [ORDER_TOOL],
  });
  await expect(page).toHaveTitle("(1) Account · Settings · Parley");
  await expect.poll(haveCount).toBe(true);
  const { chatList } = chatPage(page);
  const row = chatList.locator(`a[href="/chats/${id}"]`);
  await expect(row).toContainText(/\d+[hms] \d*[hms]? ?left/);

  // It stays when the page changes, and goes with the answer of another client.
  await page.getByRole("link", { name: "New chat" }).click();
  await expect(page).toHaveTitle("(1) New chat · Parley");
  await expect.poll(haveCount).toBe(true);
  const { required_action: action } = await api.chat(id);
  const [call] = action?.tool_calls ?? [];
  await api.submit(id, [{ tool_call_id: call?.tool_call_id ?? "", output: { days: 3 } }]);
  await expect(page).toHaveTitle("New chat · Parley");
});

test("a click on an untouched form sends nothing", async ({ page, api }) => {
  const { id } = await api.createChat({
    content: "use decide",
    dynamic_tools: [
      {
        name: "decide",
        output_schema: {
          type: "object",
          properties: {
            approved: { type: "boolean" },
            reason: { type: "string" },
            address: {
              type: "object",
              properties: { city: { type: "string" } },
              required: ["city"],
            },
          },
          required: ["approved", "reason", "address"],
        },
      },
    ],
  });
  await api.waitForStatus(id, ["requires_action"]);
  const { openChat, log, answers } = chatPage(page);
  await openChat(id);
  const form = log.getByRole("group", { name: "Your answer is needed" });
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(form.getByRole("listitem")).toHaveText([
    "Approved is required.",
    "Reason is required.",
    "Address › City is required.",
  ]);
  expect(await api.chat(id)).toMatchObject({ status: "requires_action" });

  await form.getByRole("radio", { name: "No" }).check();
  await form.getByRole("checkbox", { name: "Leave empty on purpose" }).first().check();
  await form.getByRole("textbox", { name: "City" }).fill("Vienna");
  // The choices survive a reload like other input.
  await page.reload();
  await expect(form.getByRole("checkbox", { name: "Leave empty on purpose" })).toBeChecked();
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(answers.last()).toContainText("Vienna");
  const { messages } = await api.history(id);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  expect(calls[0]?.output).toEqual({ approved: false, reason: "", address: { city: "Vienna" } });
});

const ASK = `use ask_user_question with ${JSON.stringify({
  questions: [{ question: "Which port?", options: [{ label: "Brest" }, { label: "Dover" }] }],
})}`;

test("a question needs the person, and of many chats that do the first five are shown", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({ content: ASK });
  await api.waitForStatus(id);
  await page.goto("/settings/account");
  await expect(page).toHaveTitle(/^\(1\) /);
  const { chatList } = chatPage(page);
  const group = chatList.getByRole("group", { name: "Needs you" });
  await expect(group.getByRole("link")).toHaveCount(1);
  for (let index = 0; index < 6; index += 1) {
    const content = `use check_order with {"order":"${index}"}`;
    const parked = await api.createChat({ content, dynamic_tools: [ORDER_TOOL] });
    await api.waitForStatus(parked.id, ["requires_action"]);
  }
  await expect(page).toHaveTitle(/^\(7\) /);
  await expect(group.getByRole("link")).toHaveCount(5);
  await group.getByRole("button", { name: "2 more" }).click();
  await expect(group.getByRole("link")).toHaveCount(7);
  await group.getByRole("button", { name: "Show fewer" }).click();
  await expect(group.getByRole("link")).toHaveCount(5);

  await api.send(id, "Dover");
  await expect(page).toHaveTitle(/^\(6\) /);
});

test("a program's chats are not unread, those that were opened are, and all are marked as read at once", async ({
  page,
  api,
}) => {
  const opened = await api.createChat({ content: "write 2 words for the person" });
  await api.waitForStatus(opened.id);
  const { openChat, answers, chatList } = chatPage(page);
  // Until it is marked as read, it is not unread either, as a program has begun it.
  const hasRead = page.waitForResponse(/chats\.markRead/);
  await openChat(opened.id);
  await expect(answers).toHaveCount(1);
  await hasRead;
  const isUnread = async (id: string) => {
    const { body } = await api.request("GET /chats");
    return (body as { data: { id: string; unread: boolean }[] }).data.find((chat) => chat.id === id)
      ?.unread;
  };
  await expect.poll(() => isUnread(opened.id)).toBe(false);
  await page.goto("/settings/account");
  const markAll = page.getByRole("button", { name: "Mark all as read" });
  const unread = chatList.getByRole("link", { name: /Unread/ });

  const program = await api.createChat({ content: "write 2 words for a program" });
  await api.waitForStatus(program.id);
  await expect(chatList.locator(`a[href="/chats/${program.id}"]`)).toBeVisible();
  await expect(markAll).toHaveCount(0);
  await api.send(opened.id, "write 3 words");
  await api.waitForStatus(opened.id);
  await expect(unread).toHaveCount(1);
  await markAll.click();
  await expect(unread).toHaveCount(0);
  await expect(markAll).toHaveCount(0);
  expect(await isUnread(opened.id)).toBe(false);
});

test("agents are folded under the chat that has started them, and are never unread", async ({
  page,
}) => {
  const { startChat, answers, chatList } = chatPage(page);
  const id = await startChat(
    `use spawn_agent with ${JSON.stringify({ title: "Reader", prompt: "write 3 words" })}`,
  );
  await expect(answers.last()).toBeVisible();
  const fold = chatList.getByRole("button", { name: /^1 agent/ });
  await expect(fold).toBeVisible();
  const agent = chatList.getByRole("link", { name: /^(Working ?)?Reader/ });
  await expect(agent).toHaveCount(0);
  await fold.click();
  await expect(agent).toBeVisible();
  await expect(agent).not.toHaveAccessibleName(/Unread/);
  await expect(chatList.locator(`a[href="/chats/${id}"]`)).toBeVisible();
});
