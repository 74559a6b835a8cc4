import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { McpServerList } from "@/contract/mcp-server";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

let server: ChildProcess | undefined;
test.afterEach(async ({ api }) => {
  server?.kill("SIGKILL");
  // A test that fails leaves its record, whose tools later tests would be offered.
  const { body } = await api.request("GET /config/mcp-servers");
  for (const { id } of (body as McpServerList).data) {
    await api.request(`DELETE /config/mcp-servers/${id}`);
  }
});

/** Starts the reference server on a port of loopback. @returns its address. */
const startServer = async (): Promise<string> => {
  const preload = ["--import", "./src/test/programs/listen-on-loopback.mjs"];
  const program = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
  const child = spawn(process.execPath, [...preload, program, "streamableHttp"], {
    env: { NODE_ENV: "test", PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  server = child;
  for await (const line of createInterface({ input: child.stderr })) {
    if (/^\d+$/.test(line)) {
      child.stderr.resume();
      return `http://127.0.0.1:${line}/mcp`;
    }
  }
  throw new Error("the server has ended");
};

test("an administrator adds an MCP server, and a chat uses its tools", async ({ page, api }) => {
  const url = await startServer();
  const name = `every-${Date.now()}`;
  await page.goto("/settings/mcp");
  await page.getByRole("button", { name: "Add MCP server" }).click();
  const form = page.getByRole("form", { name: "New MCP server" });
  await form.getByLabel("Name").fill(name);
  await form.getByRole("textbox", { name: "Address" }).fill(url);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText(/Allow private addresses for this server/)).toBeVisible();
  await form.getByLabel("Allow private addresses").check();
  await form.getByLabel("Approvals").selectOption("Ask before every call");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();

  const row = page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await expect(row.getByText("Connected", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: `Test ${name}` }).click();
  await expect(row.getByText(/has \d+ tools/)).toBeVisible();

  const { startChat, log, answers } = chatPage(page);
  const id = await startChat(`use ${name}_echo with {"message": "hello"}`);
  const approval = log.getByRole("group", { name: /^Approvals? needed$/ });
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(answers.last()).toContainText("The tool has answered");
  const { messages } = await api.history(id);
  expect(messages.flatMap(({ parts }) => parts)).toContainEqual(
    expect.objectContaining({ kind: "mcp", state: "completed", output: "Echo: hello" }),
  );

  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(`/${name}:arg`);
  await page.getByRole("option", { name: new RegExp(`${name}:args-prompt`) }).click();
  await expect(field).toHaveValue(`/${name}:args-prompt city=`);
  await field.pressSequentially("Bonn");
  await field.press("Enter");
  // The answer quotes the message, and may be there already.
  await expect(log.getByText("What's weather in Bonn?", { exact: true }).first()).toBeVisible();
  await expect(field).toHaveValue("");

  await field.fill(`/${name}:Dynamic-Blob-Resource resourceId=1`);
  await field.press("Enter");
  await expect
    .poll(async () => (await api.history(id)).messages.flatMap(({ parts }) => parts))
    .toContainEqual(expect.objectContaining({ type: "file", media_type: "text/plain" }));

  const asking = await startChat(`use ${name}_trigger-elicitation-request with {}`);
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  const question = page.getByRole("group", { name: "Your answer is needed" });
  await expect(question).toContainText("Please provide inputs for the following fields:");
  const { required_action: waiting } = await api.chat(asking);
  const results = waiting?.tool_calls.map(({ tool_call_id, elicitation }) => ({
    tool_call_id,
    output: { action: "cancel" },
    question: (elicitation?.number ?? 0) + 1,
  }));
  const early = await api.request(`POST /chats/${asking}/tool-results`, { results });
  expect(early).toMatchObject({ status: 409, body: { code: "conflict" } });
  await question.getByRole("textbox", { name: "String", exact: true }).fill("Ada");
  await question.getByRole("button", { name: "Send answer" }).click();
  await expect(answers.last()).toContainText("The tool has answered");
  const asked = await api.history(asking);
  expect(asked.messages.flatMap(({ parts }) => parts)).toContainEqual(
    expect.objectContaining({
      kind: "mcp",
      state: "completed",
      output: expect.stringContaining("- Name: Ada"),
    }),
  );

  await page.goto("/settings/mcp");
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete server" }).click();
  await expect(row).toBeHidden();
});
