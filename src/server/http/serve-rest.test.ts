import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type ApiRequest, readBody } from "@/server/api/request-body";
import { isRest, serveRest } from "./serve-rest";

/** Starts a server with one handler. @returns its address. */
const start = async (handle: (request: ApiRequest) => Promise<Response>): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    serveRest(handle, incoming, outgoing).catch(() => outgoing.destroy());
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/a?b=c`;
};

/** A body of which the source tells when it is ended early. */
const createEndlessBody = (piece: Uint8Array) => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(piece),
    cancel: () => resolve(),
  });
  return { body, ended };
};

it("gives a handler the request, and sends its response", async () => {
  const url = await start(async (request) => {
    const { method, headers } = request;
    const body = new TextDecoder().decode(await readBody(request));
    const answer = { method, url: request.url, header: headers.get("x-sent"), body };
    return Response.json(answer, {
      status: 201,
      headers: [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
    });
  });

  const response = await fetch(url, { method: "POST", headers: { "x-sent": "yes" }, body: "text" });

  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.json()).toEqual({
    method: "POST",
    header: "yes",
    body: "text",
    url: "http://localhost/api/v1/a?b=c",
  });
});

it.each(["GET", "HEAD"])("sends the length that a handler names, for %s", async (method) => {
  const { body, ended } = createEndlessBody(new Uint8Array());
  const headers = { "content-length": "5" };
  const url = await start(() =>
    Promise.resolve(new Response(method === "GET" ? "hello" : body, { headers })),
  );

  const response = await fetch(url, { method });

  expect(response.headers.get("content-length")).toBe("5");
  expect(response.headers.get("transfer-encoding")).toBeNull();
  expect(await response.text()).toBe(method === "GET" ? "hello" : "");
  if (method === "HEAD") await ended;
});

it("waits for a slow client, and ends the body and the request when it is gone", async () => {
  const { body, ended } = createEndlessBody(new Uint8Array(1_000_000));
  const gone = Promise.withResolvers<void>();
  const url = await start(({ signal }) => {
    signal.addEventListener("abort", () => gone.resolve());
    return Promise.resolve(new Response(body));
  });
  const client = sendRequest(url).end();
  await once(client, "response");

  client.destroy();

  await Promise.all([ended, gone.promise]);
});

it("sends the refusal of a body that is not read to its end", async () => {
  const url = await start(async (request) => {
    const isRefused = await readBody(request, { maxBodyBytes: 10 }).then(
      () => false,
      () => true,
    );
    return Response.json({ isRefused });
  });
  const sent = new Blob(["x".repeat(500_000)]).stream();

  const response = await fetch(url, { method: "POST", body: sent, duplex: "half" } as RequestInit);

  expect(await response.json()).toEqual({ isRefused: true });
});

it("leaves slashes at the end of a path to the framework, which redirects", () => {
  expect(isRest("/api/v1/chats?after=/")).toBe(true);
  expect(isRest("/api/v1/chats/?limit=1")).toBe(false);
  expect(isRest("/api/v1")).toBe(false);
});

it("tells a handler of a body that breaks off, which is no failure of the server", async () => {
  const { promise: refused, resolve } = Promise.withResolvers<unknown>();
  const url = await start(async (request) => {
    resolve(await readBody(request).catch((error: unknown) => error));
    return new Response();
  });
  const sent = sendRequest(url, { method: "POST", headers: { "content-length": 500 } });
  sent.on("error", () => undefined);
  sent.write('{"con', () => sent.destroy());

  expect(await refused).toMatchObject({ code: "invalid" });
});
