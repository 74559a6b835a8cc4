import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSilentServer } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createJsonFetch } from "./json-fetch";

const BODY = JSON.stringify({ text: "Grüße 😀" });
const POST = { method: "POST", body: BODY, headers: { "Content-Type": "application/json" } };

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** Starts a server that reads each request before it answers. @returns its address. */
const serve = async (answer: Answer): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(response, request, Buffer.concat(chunks).toString()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** What is thrown, as the clients tell failures apart. */
const fail = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  return { name: error?.name, message: error?.message };
};

describe.each([
  ["of Node.js", fetch],
  ["for JSON", createJsonFetch()],
])("the fetch %s", (_which, send) => {
  it("sends a body with its length and headers", async () => {
    const url = await serve((response, { headers }, body) => {
      response.end(JSON.stringify({ body, type: headers["content-type"], key: headers["x-key"] }));
      expect(headers["content-length"]).toBe(`${Buffer.byteLength(BODY)}`);
      expect(headers["transfer-encoding"]).toBeUndefined();
    });
    const headers = { ...POST.headers, "X-Key": "1" };
    const response = await send(`${url}/v1?a=b`, { ...POST, headers });
    expect(await response.json()).toEqual({ body: BODY, type: "application/json", key: "1" });
  });

  it("has the status, the headers and the body of the answer", async () => {
    const url = await serve((response) => {
      response.writeHead(429, "Slow Down", [
        "retry-after",
        "7",
        "content-type",
        "text/plain",
        "x-twice",
        "a",
        "x-twice",
        "b",
      ]);
      response.end("later");
    });
    const response = await send(url, POST);
    expect([response.ok, response.status, response.statusText]).toEqual([false, 429, "Slow Down"]);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("x-twice")).toBe("a, b");
    expect(await response.text()).toBe("later");
  });

  it("has no body where there is none", async () => {
    const url = await serve((response) => response.writeHead(204).end());
    const response = await send(url, POST);
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it("passes on what has arrived before the answer ends", async () => {
    const next = Promise.withResolvers<undefined>();
    const url = await serve((response) => {
      response.write("first");
      next.promise.then(
        () => response.end("second"),
        () => undefined,
      );
    });
    const seen: string[] = [];
    const { body } = await send(url, POST);
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      seen.push(text);
      next.resolve(undefined);
    }
    expect(seen).toEqual(["first", "second"]);
  });

  it("does not read ahead of a slow reader", async () => {
    let written = 0;
    const piece = Buffer.alloc(1024 * 1024);
    const blocked = Promise.withResolvers<undefined>();
    const url = await serve((response) => {
      const write = (): void => {
        for (; written < 200; written++) {
          if (!response.write(piece)) return void blocked.resolve(undefined);
        }
      };
      write();
      response.on("drain", write);
    });
    const { body } = await send(url, POST);
    await blocked.promise;
    const reader = body?.getReader();
    await reader?.read();
    expect(written).toBeLessThan(200);
    await reader?.cancel();
  });

  it("follows a redirect with its body", async () => {
    const url = await serve((response, request, body) => {
      if (request.url === "/new") response.end(body);
      else response.writeHead(308, { location: "/new" }).end();
    });
    expect(await (await send(url, POST)).text()).toBe(BODY);
  });

  it("fails when nobody listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const failed = send(`http://127.0.0.1:${port}`, POST);
    expect(await fail(failed)).toEqual({ name: "TypeError", message: "fetch failed" });
    await expect(failed).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });

  it("fails when the connection ends before the answer", async () => {
    const url = await serve((response) => response.destroy());
    const failed = send(url, POST);
    expect(await fail(failed)).toEqual({ name: "TypeError", message: "fetch failed" });
    await expect(failed).rejects.toMatchObject({ cause: { message: "other side closed" } });
  });

  it("fails when the connection ends within the answer", async () => {
    const url = await serve((response) => response.write("half", () => response.destroy()));
    const { body } = await send(url, POST);
    expect(await fail(new Response(body).text())).toEqual({
      name: "TypeError",
      message: "terminated",
    });
  });

  it("is aborted before and within the answer, with its reason", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await serve((response, request) => {
      closed.push(once(response, "close"));
      if (request.url === "/begun") response.write("half");
    });
    await expect(send(url, { ...POST, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/);
    for (const path of ["/silent", "/begun"]) {
      const controller = new AbortController();
      const sent = send(url + path, { ...POST, signal: controller.signal });
      const reading = path === "/begun" ? (await sent).text() : sent;
      await expect.poll(() => closed.length).toBeGreaterThan(0);
      controller.abort();
      expect((await fail(reading)).name).toBe("AbortError");
      await Promise.all(closed.splice(0));
    }
  });
});

it("an answer that has arrived can be aborted before it is read to its end", async () => {
  const closed = Promise.withResolvers<undefined>();
  const url = await serve((response, request) => {
    request.socket.once("close", () => closed.resolve(undefined));
    response.end("whole");
  });
  const uncaught = vi.fn();
  process.once("uncaughtException", uncaught);
  onTestFinished(() => void process.removeListener("uncaughtException", uncaught));
  const controller = new AbortController();
  const { body } = await createJsonFetch()(url, { ...POST, signal: controller.signal });
  await body?.getReader().read();
  controller.abort();
  await closed.promise;
  expect(uncaught).not.toHaveBeenCalled();
});

it("a body is sent in the pieces of which it is made", async () => {
  const url = await serve((response, _request, body) => response.end(body));
  const send = createJsonFetch((body) => [Buffer.from(`<${body}`), Buffer.from(">")]);
  expect(await (await send(url, POST)).text()).toBe(`<${BODY}>`);
});

it("a redirect is followed with the body that was sent", async () => {
  const url = await serve((response, request, body) => {
    if (request.url === "/new") response.end(body);
    else response.writeHead(307, { location: "/new" }).end();
  });
  const send = createJsonFetch((body) => [Buffer.from(`<${body}>`)]);
  expect(await (await send(url, POST)).text()).toBe(`<${BODY}>`);
});

it("the text of an error is cut, also after a redirect", async () => {
  const url = await serve((response, request) => {
    if (request.url === "/new") response.writeHead(400).end(Buffer.alloc(3_000_000));
    else response.writeHead(307, { location: "/new" }).end();
  });
  for (const path of ["/old", "/new"]) {
    const response = await createJsonFetch()(url + path, POST);
    expect(response.status).toBe(400);
    const { byteLength } = await response.arrayBuffer();
    expect(byteLength).toBeGreaterThan(1_000_000);
    expect(byteLength).toBeLessThanOrEqual(1024 * 1024);
  }
});

it("an answer of many events may be longer than one event", async () => {
  const event = `data: ${"x".repeat(900_000)}\n\n`;
  const url = await serve((response) => response.end(event.repeat(50)));
  const { body } = await createJsonFetch()(url, POST);
  let length = 0;
  for await (const { byteLength } of body ?? []) length += byteLength;
  expect(length).toBe(50 * event.length);
});

it("a connection that is not made in ten seconds is given up", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // It accepts connections and says nothing, so the handshake does not end.
  const server = createSilentServer().listen(0, "127.0.0.1");
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connected = once(server, "connection");
  const failed = createJsonFetch()(`https://127.0.0.1:${port}`, POST);
  failed.catch(() => undefined);
  await connected;
  vi.advanceTimersByTime(10_000);
  await expect(failed).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "ETIMEDOUT" },
  });
});

it("passes on a long answer in parts, and other work runs between them", async () => {
  const url = await serve((response) => response.end(Buffer.alloc(1_000_000)));
  const { body } = await createJsonFetch()(url, POST);
  let iterations = 0;
  let immediate = setImmediate(function count() {
    iterations += 1;
    immediate = setImmediate(count);
  });
  const lengths: number[] = [];
  for await (const { byteLength } of body ?? []) lengths.push(byteLength);
  clearImmediate(immediate);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(1_000_000);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(16_384);
  expect(iterations).toBeGreaterThanOrEqual(lengths.length - 1);
});

it("joins what arrives together in small chunks", async () => {
  const url = await serve((response) => {
    for (let count = 0; count < 1_000; count++) response.write("word ");
    response.end();
  });
  const { body } = await createJsonFetch()(url, POST);
  const lengths: number[] = [];
  for await (const { byteLength } of body ?? []) lengths.push(byteLength);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(5_000);
  expect(lengths.length).toBeLessThan(200);
});
