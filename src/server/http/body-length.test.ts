import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { BODY_LENGTH_HEADER } from "@/lib/body-length";
import { restoreLength } from "./body-length";

it.each(["GET", "HEAD"])("sends the length that a route handler names, for %s", async (method) => {
  const server = createServer((_request, response) => {
    restoreLength(response);
    response.setHeader("x-other", ["1"]);
    response.setHeader(BODY_LENGTH_HEADER, ["5"]);
    response.flushHeaders();
    if (method === "GET") response.write("he");
    response.end(method === "GET" ? "llo" : undefined);
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const response = await fetch(url, { method });

  expect(response.headers.get("content-length")).toBe("5");
  expect(response.headers.get("transfer-encoding")).toBeNull();
  expect(response.headers.get(BODY_LENGTH_HEADER)).toBeNull();
  expect(response.headers.get("x-other")).toBe("1");
  expect(await response.text()).toBe(method === "GET" ? "hello" : "");
});
