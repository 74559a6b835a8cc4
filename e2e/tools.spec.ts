import type { Page } from "@playwright/test";
import type { ApprovalRulePage } from "@/contract/approval-rule";
import type { Chat } from "@/contract/chat";
import type { Artifact, ToolCallPart } from "@/contract/part";
import type { ToolList } from "@/contract/tool";
import type { Api } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { startMockProvider } from "./mock-provider";
import { createTestServer } from "./server";

const setMode = async (api: Api, name: string, mode: "on" | "ask"): Promise<void> => {
  expect((await api.request(`PUT /tools/${name}`, { mode })).status).toBe(200);
};

const listCalls = async (api: Api, chatId: string): Promise<ToolCallPart[]> =>
  (await api.history(chatId)).messages.flatMap(({ parts }) =>
    parts.filter((part) => part.type === "tool_call"),
  );

/** The groups in which a person approves calls. */
const approvals = (page: Page) =>
  chatPage(page).log.getByRole("group", { name: /^Approvals? needed$/ });

test.describe("modes and approvals", () => {
  test.afterEach(({ api }) => setMode(api, "write_file", "on"));

  test("an administrator has a tool ask first, a person allows it for a chat and takes it back", async ({
    page,
    api,
  }) => {
    await page.goto("/settings/tools");
    const mode = page.getByRole("radiogroup", { name: "Mode of Write file" });
    await mode.getByText("Ask first").click();
    await expect(
      page.getByRole("status").filter({ hasText: "Write file: Asks first." }),
    ).toBeAttached();
    await page.reload();
    await expect(mode.getByRole("radio", { name: "Ask first" })).toBeChecked();

    const { startChat, sendMessage, log, answers, openChat } = chatPage(page);
    const id = await startChat('Write "one" to a.txt');
    await expect(approvals(page)).toContainText("a.txt");
    // The call has one card, which is its question.
    await expect(log.getByText("a.txt", { exact: true })).toHaveCount(1);
    await expect(log.getByRole("button", { name: /Write file/ })).toBeHidden();
    await approvals(page).getByRole("button", { name: "Always…" }).click();
    await expect(approvals(page)).toContainText("every call of Write file");
    await approvals(page).getByRole("button", { name: "Approve always" }).click();
    await expect(answers.last()).toContainText("The tool has answered");

    await sendMessage('Write "two" to b.txt');
    const written = log.getByRole("button", { name: /Write file/ });
    await expect(written).toHaveCount(2);
    await expect(written.last()).toContainText("Done");
    await expect(approvals(page)).toBeHidden();

    await page.goto("/settings/tools");
    await page.getByRole("button", { name: /^Revoke Write file in “/ }).click();
    await expect(page.getByText(/No chat of yours/)).toBeVisible();
    expect((await api.request("GET /approval-rules")).body).toEqual({ data: [] });

    await openChat(id);
    await sendMessage('Write "three" to c.txt');
    await approvals(page).getByRole("button", { name: "Reject with a reason…" }).click();
    await page.keyboard.type("Use another name");
    await approvals(page).getByRole("button", { name: "Reject", exact: true }).click();
    await expect(answers.last()).toContainText("Use another name");
    expect((await listCalls(api, id)).map(({ state }) => state)).toEqual([
      "completed",
      "completed",
      "denied",
    ]);
  });

  test("all calls of a step are approved at once, on a phone and in the dark", async ({
    page,
    api,
  }) => {
    await setMode(api, "write_file", "ask");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    const { id } = await api.createChat({
      content:
        'use write_file with {"path":"a.txt","content":"a"} and write_file with {"path":"b.txt","content":"b"}',
    });
    await chatPage(page).openChat(id);
    await expect(approvals(page)).toContainText("Answer within");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    const all = approvals(page).getByRole("button", { name: "Approve all 2" });
    await all.focus();
    await page.keyboard.press("Enter");
    await expect(chatPage(page).answers.last()).toContainText("All 2 tools have answered");
    expect((await listCalls(api, id)).map(({ state }) => state)).toEqual([
      "completed",
      "completed",
    ]);
  });
});

test.describe("commands in the sandbox", () => {
  test.afterEach(({ api }) => setMode(api, "exec", "on"));

  test("a chart of a data file is drawn by a script after an approval, seen and handed over", async ({
    page,
    api,
    server,
  }) => {
    const { body } = await api.request("GET /tools");
    const exec = (body as ToolList).data.find(({ name }) => name === "exec");
    expect(exec, "the server offers exec").toMatchObject({ offered: true });
    await setMode(api, "exec", "ask");
    const { startChat, sendMessage, log, answers } = chatPage(page);
    const id = await startChat('Write "month,sales\nMay,30\nJune,45\nJuly,15" to data.csv');
    await expect(answers.last()).toContainText("The tool has answered");

    await sendMessage("Draw a chart of data.csv");
    const command = approvals(page).getByRole("group", { name: "Command" });
    await expect(command).toContainText("sh chart.sh data.csv chart.gif");
    await approvals(page).getByRole("button", { name: "Approve", exact: true }).click();
    await expect(answers.last().getByRole("img", { name: /chart\.gif/ })).toBeVisible();
    await expect(log.getByRole("button", { name: /Write file.*chart\.sh/ })).toContainText("Done");
    await expect(log.getByText("drew 3 bars, the longest is 45").first()).toBeVisible();

    expect(await api.waitForStatus(id)).toMatchObject({ status: "waiting" });
    const calls = (await listCalls(api, id)).slice(1);
    expect(calls.map(({ tool_name, state }) => [tool_name, state])).toEqual(
      ["read_file", "write_file", "exec", "load_image", "deliver_file"].map((name) => [
        name,
        "completed",
      ]),
    );
    const [picture] = calls.at(-1)?.artifacts ?? [];
    const file = await page.request.get(`/api/v1/files/${picture?.id}`);
    expect(file.headers()).toMatchObject({ "content-type": "image/gif" });
    expect((await file.body()).subarray(0, 6).toString()).toBe("GIF89a");

    // The same sandbox shows nothing of the server: no keys, no data of others.
    await setMode(api, "exec", "on");
    await sendMessage(
      `Run \`cat /proc/1/environ; env; ls ${server.database.dataDir} 2>&1; echo looked\``,
    );
    await expect(answers.last()).toContainText("The tool has answered");
    const look = JSON.stringify((await listCalls(api, id)).at(-1)?.output);
    expect(look).toContain("looked");
    for (const secret of [server.env.PARLEY_API_KEY ?? "", "PARLEY_", "workspaces"]) {
      expect(look).not.toContain(secret);
    }
  });

  test("commands that match a pattern run in all chats of the person, until it is revoked", async ({
    page,
    api,
  }) => {
    await setMode(api, "exec", "ask");
    const { startChat, sendMessage, answers, log } = chatPage(page);
    await startChat("Run `echo one two`");
    const form = approvals(page);
    await form.getByRole("button", { name: "Always…" }).click();
    const pattern = form.getByRole("textbox", { name: "Commands" });
    await expect(pattern).toHaveValue("echo one *");
    const approve = form.getByRole("button", { name: "Approve always" });
    await pattern.fill("echo two *");
    await expect(approve).toBeDisabled();
    await pattern.fill("echo *");
    await form.getByText("In all my chats").click();
    await approve.click();
    await expect(answers.last()).toContainText("The tool has answered");

    const id = await startChat("Run `echo three`");
    await expect(answers.last()).toContainText("The tool has answered");
    await sendMessage("Run `echo four; echo five`");
    await expect(form.getByRole("group", { name: "Command" })).toContainText(
      "echo four; echo five",
    );
    await form.getByRole("button", { name: "Reject", exact: true }).click();
    await expect(form).toBeHidden();
    await expect(log.getByText("Denied").first()).toBeVisible();
    expect((await listCalls(api, id)).map(({ state }) => state)).toEqual(["completed", "denied"]);

    await page.goto("/settings/tools");
    await page.getByRole("button", { name: "Revoke Exec in all your chats" }).click();
    await expect(page.getByText(/No chat of yours/)).toBeVisible();
    await startChat("Run `echo six`");
    await form.getByRole("button", { name: "Reject", exact: true }).click();
    await expect(form).toBeHidden();
  });

  test("a command in a terminal is typed to, and ended by a key", async ({ page, api }) => {
    const { startChat, log, answers } = chatPage(page);
    const id = await startChat("Open a terminal");
    await expect(answers.last()).toContainText("The tool has answered");
    const calls = await listCalls(api, id);
    expect(calls.map(({ state }) => state)).toEqual(calls.map(() => "completed"));
    expect(calls).toHaveLength(4);
    // The screen shows the answer at the latest when the session has ended.
    expect(JSON.stringify(calls[3]?.output)).toMatch(/\/dev\/(?:pts\/\d+|console).*40 120/s);
    expect(calls[3]?.output).toMatchObject({ status: "exited", exit_code: 0 });
    expect(JSON.stringify(calls)).not.toContain("process group");
    const card = log.getByRole("button", { name: /Wait for session/ });
    if ((await card.getAttribute("aria-expanded")) === "false") await card.click();
    await expect(log.getByText("40 120").first()).toBeVisible();
  });
});

test("the same by REST against a provider: a data file is read, drawn after an approval, seen and handed over", async () => {
  const provider = await startMockProvider();
  const server = await createTestServer({
    settings: {
      PARLEY_MODELS: "openai-compatible/mock",
      OPENAI_COMPATIBLE_API_KEY: "test-key-of-the-provider",
      OPENAI_COMPATIBLE_BASE_URL: provider.url,
    },
  });
  const fetchFile = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
      ...init,
    });
  try {
    await server.start();
    const { api } = server;
    await setMode(api, "exec", "ask");
    const names = [
      "save_artifact",
      "read_file",
      "write_file",
      "exec",
      "exec",
      "load_image",
      "deliver_file",
    ];
    const tools = [...new Set(names)];
    const { id } = await api.createChat({ content: "Hello.", tools });
    expect(await api.waitForStatus(id)).toMatchObject({
      status: "waiting",
      tools,
    });

    const form = new FormData();
    form.append("chat_id", id);
    form.append("file", new Blob(["month,sales\nMay,30\nJuly,15\n"]), "sales.csv");
    const uploaded = await fetchFile("/files", { method: "POST", body: form });
    expect(uploaded.status).toBe(201);
    const data = (await uploaded.json()) as Artifact;
    expect(data).toMatchObject({ name: "sales.csv", media_type: "text/csv" });

    const command = "sh draw.sh sales.csv chart.gif";
    provider.makeCalls([
      { name: "save_artifact", args: { artifact_id: data.id, path: "sales.csv" } },
      { name: "read_file", args: { path: "sales.csv" } },
      { name: "write_file", args: { path: "draw.sh", content: DRAW } },
      { name: "exec", args: { action: "run", command } },
      { name: "exec", args: { command, action: "run", timeout: 30 } },
      { name: "load_image", args: { path: "chart.gif" } },
      { name: "deliver_file", args: { path: "chart.gif" } },
    ]);
    await api.send(id, `Draw a chart of the artifact ${data.id}.`);
    const parked = await api.waitForStatus(id, ["requires_action", "error"]);
    const [approval] = parked.required_action?.approvals ?? [];
    expect(approval).toMatchObject({
      tool_name: "exec",
      args: { command },
      approval_scope: { command },
    });
    const decided = await api.request(`POST /chats/${id}/approvals`, {
      decisions: [{ tool_call_id: approval?.tool_call_id, decision: "approve", scope: "chat" }],
    });
    expect(decided.status).toBe(204);

    // The second command has the same scope, so it does not wait.
    const done: Chat = await api.waitForStatus(id);
    expect(done.status).toBe("waiting");
    const calls = await listCalls(api, id);
    expect(calls.map(({ tool_name, state }) => [tool_name, state])).toEqual(
      names.map((name) => [name, "completed"]),
    );
    expect(calls[1]?.output).toContain("2\tMay,30");
    expect(calls[3]?.output).toMatchObject({ status: "exited", exit_code: 0, output: "45 sold\n" });
    const [picture] = calls.at(-1)?.artifacts ?? [];
    const file = await fetchFile(`/files/${picture?.id}`);
    expect(file.headers.get("content-type")).toBe("image/gif");
    expect(file.headers.get("content-length")).toBe(String(picture?.size));
    expect(Buffer.from(await file.arrayBuffer()).toString("latin1", 0, 6)).toBe("GIF89a");

    // What the person has got already needs no further answer: seven calls of the model, none after the delivery.
    const requests = provider.listRequests();
    expect(requests).toHaveLength(names.length);
    for (const { tools: offered } of requests) {
      expect(offered?.map((tool) => tool.function.name)).toEqual(tools.toSorted());
    }
    expect(JSON.stringify(requests[6]?.messages)).toMatch(/data:image\/[a-z]+;base64/);
    const rules = (await api.request("GET /approval-rules")).body as ApprovalRulePage;
    expect(rules.data).toMatchObject([{ chat_id: id, tool_name: "exec" }]);
  } finally {
    await server.remove();
    await provider.close();
  }
});

/** Adds the numbers of a table up, and writes a GIF of one black pixel. */
const DRAW = String.raw`awk -F, 'NR > 1 { sum += $2 } END { print sum " sold" }' "$1"
printf 'GIF89a\001\000\001\000\200\000\000\000\000\000\377\377\377,\000\000\000\000\001\000\001\000\000\002\002\104\001\000;' > "$2"`;

test("without a sandbox, the list of tools says why commands are not offered", async () => {
  const server = await createTestServer({ settings: { PARLEY_EXEC_SANDBOX: "off" } });
  try {
    await server.start();
    const { body } = await server.api.request("GET /tools");
    expect((body as ToolList).data.find(({ name }) => name === "exec")).toMatchObject({
      offered: false,
      reason: "Commands are turned off: PARLEY_EXEC_SANDBOX is off.",
    });
    const { id } = await server.api.createChat({ content: "Run `echo ran`" });
    expect(await server.api.waitForStatus(id)).toMatchObject({
      status: "waiting",
    });
    for (const { state } of await listCalls(server.api, id)) expect(state).toBe("error");
  } finally {
    await server.remove();
  }
});

test("a task reports while its chat rests, and another is cancelled from the header", async ({
  page,
}) => {
  const { startChat, sendMessage, log, answers } = chatPage(page);
  await startChat("remind me in 2 seconds to stretch");
  const report = (label: string) => log.getByRole("article", { name: `Report: ${label}` });
  await expect(report("stretch")).toContainText("The timer is over: stretch");
  await expect(answers.last()).toContainText("stretch has ended");
  await expect(page.getByRole("button", { name: /^Running tasks/ })).toBeHidden();

  await sendMessage("run `sleep 600` in the background and report its end");
  await page.getByRole("button", { name: "Running tasks: 1" }).click();
  await page.getByRole("button", { name: "Cancel sleep 600" }).click();
  await expect(report("sleep 600")).toContainText("Cancelled");
  await expect(answers.last()).toContainText("sleep 600 has ended");
});
