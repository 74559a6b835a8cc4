import { expect, test } from "./fixtures";

const GZIP = { "accept-encoding": "gzip" };

test("answers to pages are compressed, event streams and REST are not", async ({ server, api }) => {
  const content = "word ".repeat(4_000);
  const { id } = await api.createChat({ content });
  const headers = { ...GZIP, authorization: `Bearer ${server.apiKey}` };
  const input = encodeURIComponent(JSON.stringify({ 0: { chat_id: id } }));
  const read = (path: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers: { ...headers, ...more } });

  for (const accept of ["application/json", "application/jsonl"]) {
    const batch = await read(`/api/trpc/chats.open?batch=1&input=${input}`, {
      "trpc-accept": accept,
    });
    expect(batch.headers.get("content-encoding"), accept).toBe("gzip");
    expect(batch.headers.get("vary")).toContain("Accept-Encoding");
    expect(await batch.text()).toContain(content);
  }

  const plain = await read(`/api/trpc/chats.open?batch=1&input=${input}`, {
    "accept-encoding": "identity",
  });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toContain(content);

  const subscription = encodeURIComponent(JSON.stringify({ chat_id: id }));
  for (const path of [
    `/api/trpc/chats.watch?input=${subscription}`,
    `/api/v1/chats/${id}/stream`,
    `/api/v1/chats/${id}/messages`,
  ]) {
    const response = await read(path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get("content-encoding"), path).toBeNull();
    await response.body?.cancel();
  }
});
