import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const TOOLSET = {
  version: "1.0",
  when_absent: "offer",
  tools: [
    {
      name: "restart",
      description: "Restarts a server",
      input_schema: { type: "object", properties: { host: { type: "string" } } },
      approval: "always",
      repeatable: true,
    },
  ],
};

test("a chat of a browser waits for a person, then for a program, and goes on", async ({
  page,
  api,
}) => {
  expect((await api.request("PUT /toolsets/ops", TOOLSET)).status).toBe(200);
  const { log, startChat } = chatPage(page);
  const id = await startChat('use ops_restart with {"host":"web-1"}');
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(log.getByText("No program that runs ops is connected.")).toBeVisible();

  const claimed = await api.request("POST /tool-calls/claim", {
    holder: "runner-7",
    toolset: "ops",
    wait_seconds: 10,
  });
  expect(claimed.body).toMatchObject({
    data: [{ chat_id: id, tool_name: "ops_restart", toolset: "ops", args: { host: "web-1" } }],
  });
  const [call] = (claimed.body as { data: { tool_call_id: string; claim: { token: string } }[] })
    .data;
  await expect(log.getByText("runner-7")).toBeVisible();
  await expect(page).not.toHaveTitle(/needs you/);
  await page.goto("/settings/tools");
  const section = page.getByRole("region", { name: "Toolsets" });
  await expect(section.getByText("Connected", { exact: true })).toBeVisible();
  await expect(section.getByText("Works on 1 call")).toBeVisible();

  const path = `/chats/${id}/tool-calls/${call?.tool_call_id}`;
  const result = { token: call?.claim.token, output: "restarted" };
  expect((await api.request(`POST ${path}/result`, result)).status).toBe(204);
  expect((await api.waitForStatus(id)).status).toBe("waiting");

  await page.getByRole("button", { name: "Remove ops" }).click();
  await page.getByRole("button", { name: "Remove toolset" }).click();
  await expect(section.getByText("No toolsets")).toBeVisible();
  expect((await api.request("GET /toolsets/ops")).status).toBe(404);
});

test("a call outlives the server, and another program goes on when its holder is gone", async ({
  api,
  server,
}) => {
  const tools = [{ ...TOOLSET.tools[0], approval: "never" }];
  await api.request("PUT /toolsets/ops", { ...TOOLSET, tools });
  const { id } = await api.createChat({ content: 'use ops_restart with {"host":"web-1"}' });
  await api.waitForStatus(id, ["requires_action"]);
  const claim = async (holder: string) => {
    const claimed = await api.request("POST /tool-calls/claim", {
      holder,
      toolset: "ops",
      wait_seconds: 5,
    });
    return (claimed.body as { data: { tool_call_id: string; claim: { token: string } }[] }).data[0];
  };
  const held = await claim("runner-7");
  await server.kill();
  await server.start();
  const path = `/chats/${id}/tool-calls/${held?.tool_call_id}`;
  expect(await claim("runner-8")).toBeUndefined();
  await api.request(`POST ${path}/release`, { token: held?.claim.token });
  const taken = await claim("runner-8");
  const result = { token: taken?.claim.token, output: "restarted" };
  expect((await api.request(`POST ${path}/result`, result)).status).toBe(204);
  expect((await api.waitForStatus(id)).status).toBe("waiting");
});
