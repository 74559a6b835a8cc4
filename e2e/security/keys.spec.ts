import { createApi } from "../api";
import { expect, test } from "../fixtures";
import type { TestServer } from "../server";
import { withServer } from "./with-server";

type NewKey = { id: string; key: string };

const createKey = async ({ api }: TestServer, fields: object): Promise<NewKey> => {
  const { status, body } = await api.request("POST /api-keys", { name: "e2e", ...fields });
  if (status !== 201) throw new Error(`no key: ${JSON.stringify(body)}`);
  return body as NewKey;
};

const call = (server: TestServer, key: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(init.headers as Record<string, string> | undefined),
    },
  });

test("the open streams of a key end after it is revoked", async ({ server }) => {
  const { id, key } = await createKey(server, { scope: "chat" });
  const chat = await createApi(server.url, key).createChat({ content: "Hello" });
  const input = encodeURIComponent(JSON.stringify({ chat_id: chat.id }));
  const streams = await Promise.all(
    [
      `/api/v1/chats/${chat.id}/stream`,
      "/api/v1/watch",
      "/api/trpc/chats.watchAll",
      `/api/trpc/chats.watch?input=${input}`,
    ].map((path) => call(server, key, path)),
  );
  for (const { status } of streams) expect(status).toBe(200);

  expect((await server.api.request(`DELETE /api-keys/${id}`)).status).toBe(204);

  const texts = await Promise.all(streams.map((stream) => stream.text()));
  for (const text of texts.slice(2)) expect(text).toContain('"code":"unauthorized"');
  expect((await call(server, key, "/api/v1/watch")).status).toBe(401);
});

test("a key does what its scope allows, over REST and tRPC", async ({ server }) => {
  const body = JSON.stringify({ content: [{ type: "text", text: "Hello" }] });
  const makeKey = JSON.stringify({ name: "child" });
  const expected = { read: [200, 403, 403], chat: [200, 201, 403], admin: [200, 201, 201] };
  for (const scope of ["read", "chat", "admin"] as const) {
    const { key } = await createKey(server, { scope });
    const rest = [
      await call(server, key, "/api/v1/chats"),
      await call(server, key, "/api/v1/chats", { method: "POST", body }),
      await call(server, key, "/api/v1/api-keys", { method: "POST", body: makeKey }),
    ];
    expect(rest.map(({ status }) => status)).toEqual(expected[scope]);
    const trpc = [
      await call(server, key, "/api/trpc/chats.list"),
      await call(server, key, "/api/trpc/chats.create", { method: "POST", body }),
      await call(server, key, "/api/trpc/apiKeys.create", { method: "POST", body: makeKey }),
    ];
    // A procedure answers 200 where REST answers 201.
    const ofProcedures = expected[scope].map((status) => (status === 201 ? 200 : status));
    expect(trpc.map(({ status }) => status)).toEqual(ofProcedures);
  }
});

test("wrong keys from forged addresses are limited and never lock out a valid key", async () => {
  await withServer(async (server) => {
    const { key } = await createKey(server, { scope: "read" });
    const statuses: number[] = [];
    for (let index = 0; index < 60; index++) {
      const forged = {
        "x-forwarded-for": `198.51.100.${index}`,
        "x-parley-client-address": `198.51.100.${index}`,
      };
      const wrong = await call(server, `wrong-${index}`, "/api/v1/models", { headers: forged });
      statuses.push(wrong.status);
      const valid = await call(server, key, "/api/v1/models", { headers: forged });
      expect(valid.status).toBe(200);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(30).fill(429)]);
  });
});

test("a batch of more calls than the page sends is refused", async ({ server }) => {
  const { key } = await createKey(server, { scope: "read" });
  const path = `/api/trpc/${Array(300).fill("models.list").join(",")}?batch=1&input=%7B%7D`;
  const response = await call(server, key, path);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('"code":"invalid"');
});
