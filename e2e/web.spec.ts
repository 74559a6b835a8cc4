import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./fixtures";
import { createTestServer } from "./server";

const PAGE =
  "<!doctype html><title>Tide tables</title><h1>Tides</h1><p>High at <b>six</b>.</p><script>alert(1)</script>";

test("a page is read by the production build, and the server's own port is not", async () => {
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const server = await createTestServer({ settings: { PARLEY_WEB_ALLOW: "127.0.0.1" } });
  try {
    await server.start();
    const fetchUrl = async (url: string) => {
      const content = `use web_fetch with ${JSON.stringify({ url })}`;
      const { id } = await server.api.createChat({ content });
      await server.api.waitForStatus(id);
      const { messages } = await server.api.history(id);
      return messages.flatMap(({ parts }) => parts).find(({ type }) => type === "tool_call");
    };
    const url = `http://127.0.0.1:${port}/tides`;
    expect(await fetchUrl(url)).toMatchObject({
      state: "completed",
      output: {
        final_url: url,
        status: 200,
        title: "Tide tables",
        text: "# Tides\n\nHigh at **six**.",
      },
    });
    expect(await fetchUrl(`${server.url}/metrics`)).toMatchObject({
      state: "error",
      output: expect.stringContaining("this server itself"),
    });
    expect(await fetchUrl("http://169.254.169.254/latest/meta-data/")).toMatchObject({
      state: "error",
      output: expect.stringContaining("no public address"),
    });
  } finally {
    await server.remove();
    await new Promise((resolve) => site.close(resolve));
  }
});
