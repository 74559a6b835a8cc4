import type { Goodbye } from "@/contract/stream-event";
import { expect, test } from "./fixtures";
import { createTestServer, type TestServer } from "./server";

/** Opens a stream. @returns a function that reads it to its end, which may begin later. */
const openStream = async (
  { url, apiKey }: TestServer,
  path: string,
  body?: object,
): Promise<() => Promise<string>> => {
  const response = await fetch(`${url}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: "text/event-stream",
      "content-type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return () => response.text();
};

test("every stream ends with a goodbye when the server stops", async () => {
  const server = await createTestServer();
  try {
    await server.start();
    const { id } = await server.api.createChat({ content: "Hello" });
    const input = encodeURIComponent(JSON.stringify({ chat_id: id }));
    const streams = await Promise.all([
      openStream(server, `/v1/chats/${id}/stream`),
      openStream(server, "/v1/watch"),
      openStream(server, "/v1/chats", { content: "slow 40 ms story" }),
      openStream(server, "/trpc/chats.watchAll"),
      openStream(server, `/trpc/chats.watch?input=${input}`),
    ]);
    server.signal("SIGTERM");
    for (const text of await Promise.all(streams.map((read) => read()))) {
      const found = /^data: (\{"type":"goodbye".*)$/m.exec(text)?.[1];
      const goodbye = JSON.parse(found ?? "null") as Goodbye;
      expect(goodbye).toMatchObject({ reason: "restart" });
      expect(goodbye.retry_after_ms).toBeGreaterThan(0);
    }
    const listRoutes = () =>
      [...server.output().matchAll(/^\{.*"msg":"request"\}$/gm)].flatMap(([line]) => {
        const { route, keyId } = JSON.parse(line) as Record<string, string>;
        return route && keyId ? [route] : [];
      });
    await expect.poll(listRoutes).toContain("/api/v1/watch");
    await expect.poll(listRoutes).toContain("/api/trpc/chats.watch");
  } finally {
    await server.remove();
  }
});
