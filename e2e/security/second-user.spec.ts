import { randomUUID } from "node:crypto";
import { createApi } from "../api";
import { expect, test } from "../fixtures";

type Described = {
  requestBody?: {
    content: Record<string, { examples?: { minimal: { value: object } } }>;
  };
};
type Document = { paths: Record<string, Record<string, Described>> };

test("a second user finds nothing of the owner's at any path of the API", async ({
  server,
  users,
}) => {
  const { id } = await server.api.createChat({
    content: "use lookup",
    dynamic_tools: [{ name: "lookup" }],
  });
  await server.api.waitForStatus(id, ["requires_action"]);
  const { messages } = await server.api.history(id);
  const { required_action: action } = await server.api.chat(id);
  const timer = await server.api.createChat({ content: "remind me in 600 seconds to rest" });
  await server.api.waitForStatus(timer.id);
  const { body: tasks } = await server.api.request(`GET /chats/${timer.id}/tasks`);
  const { body: ownersKeys } = await server.api.request("GET /api-keys");
  const { body: file } = await server.api.request(`POST /files?chat_id=${id}`, { of: "owner" });
  const { body: text } = await server.api.request("POST /starting-texts", { text: "Translate:" });
  const { body: models } = await server.api.request("GET /models");
  const keyId = (ownersKeys as { data: { id: string }[] }).data[0]?.id ?? "";

  const eve = createApi(server.url, users.member.apiKey);
  const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document;
  const ids: Record<string, string> = {
    chat_id: id,
    message_id: messages[0]?.id ?? "",
    tool_call_id: action?.tool_calls[0]?.tool_call_id ?? "",
    queued_id: randomUUID(),
    key_id: keyId,
    session_id: randomUUID(),
    file_id: (file as { id: string }).id,
    rule_id: randomUUID(),
    task_id: (tasks as { data: { id: string }[] }).data[0]?.id ?? "",
    text_id: (text as { id: string }).id,
    subscription_id: randomUUID(),
    import_id: randomUUID(),
    // Of the server.
    name: "time",
    server_id: randomUUID(),
    model_id: (models as { data: { id: string }[] }).data[0]?.id ?? "",
  };
  let refused = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.includes("{")) continue;
    const target = path.replace(/^\/api\/v1/, "").replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = ids[name];
      if (!value) throw new Error(`${path} has a parameter ${name} that this test does not know`);
      return value;
    });
    for (const method of Object.keys(methods).filter((name) => name !== "parameters")) {
      const json = methods[method]?.requestBody?.content["application/json"];
      // Without a valid body, a 400 would hide a 404.
      const body = BODIES[`${method} ${path.split("/").at(-1)}`] ?? json?.examples?.minimal.value;
      const query = QUERIES[path.split("/").at(-1) ?? ""] ?? "";
      const { status } = await eve.request(`${method.toUpperCase()} ${target}${query}`, body);
      // Every user has the commands of MCP servers, of which there is none here.
      const isForAdministrators =
        /\{(?:name|model_id|server_id)\}/.test(path) && !path.includes("/mcp-commands/");
      expect(status, `${method} ${path}`).toBe(isForAdministrators ? 403 : 404);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(12);
  for (const route of ["GET /chats", "GET /chats?q=lookup", "GET /chats?archived=true"]) {
    expect((await eve.request(route)).body).toMatchObject({ data: [] });
  }
  expect(JSON.stringify((await eve.request("GET /api-keys")).body)).not.toContain(keyId);
  expect((await server.api.chat(id)).status).toBe("requires_action");
});

/** Valid queries by the last segment of the path. */
const QUERIES: Record<string, string> = { search: "?q=lookup" };

/** Valid bodies by method and the last segment of the path, whose examples have a time that passes. */
const BODIES: Record<string, object> = {
  "post extend": { deadline_at: new Date(Date.now() + 3_600_000).toISOString() },
};
