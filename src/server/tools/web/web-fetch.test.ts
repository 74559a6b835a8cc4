import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { WebFetchResult } from "@/contract/web";
import { createPdf } from "@/test/create-pdf";
import { startStubServer } from "@/test/stub-server";
import { callTool, emptyToolDeps, recordedDeps, WEB_SETTINGS } from "@/test/tool-fixture";
import { createTools } from "@/server/app/tool-registry";
import { createWebDeps } from "./web-deps";
import { createWebFetchTool } from "./web-fetch";

type Answer = Parameters<typeof startStubServer>[0];

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()));
});

const serve = async (answer: Answer) => {
  const server = await startStubServer(answer);
  closes.push(server.close);
  return server;
};

/** Serves one body with headers. */
const serveBody = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  serve((response) => response.writeHead(200, headers).end(body));

const fetchUrl = async (url: string, { webAllow = ["127.0.0.1"] } = {}) => {
  const onTruncated = vi.fn();
  const recorded = recordedDeps({ maxOutputBytes: 1024 * 1024, onTruncated });
  const tools = createTools({
    ...emptyToolDeps,
    ...createWebDeps({ ...WEB_SETTINGS, webAllow }),
    saveArtifact: recorded.deps.saveArtifact,
  });
  const outcome = await callTool(
    { name: "web_fetch", args: { url }, tools: Object.values(tools) },
    recorded,
  );
  return { ...recorded, onTruncated, outcome, result: outcome.output as WebFetchResult };
};

const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const HTML = { "content-type": "text/html; charset=utf-8" };

describe("web_fetch returns", () => {
  it("a page as markdown, with its title and where it was found", async () => {
    const { url } = await serve((response, { path }) => {
      if (path === "/old") response.writeHead(301, { location: "/new?a=1" }).end();
      else
        response.writeHead(200, HTML).end("<title>Ports</title><h1>Ports</h1><p>Two <b>ports</b>.");
    });
    const { outcome } = await fetchUrl(`${url}/old`);
    expect(outcome).toMatchObject({ state: "completed", artifacts: null });
    expect(outcome.output).toEqual({
      url: `${url}/old`,
      final_url: `${url}/new?a=1`,
      status: 200,
      content_type: "text/html; charset=utf-8",
      title: "Ports",
      text: "# Ports\n\nTwo **ports**.",
      truncated: false,
    });
  });

  it("JSON and text as they are", async () => {
    const json = '{"b": [1,\n 2], "a": null}';
    const server = await serveBody(json, { "content-type": "application/json" });
    const { result, onTruncated } = await fetchUrl(server.url);
    expect(result).toMatchObject({ text: json, truncated: false });
    expect(onTruncated).not.toHaveBeenCalled();
    const text = "  one\r\n\ttwo <b>\n";
    const plain = await serveBody(text, { "content-type": "text/plain" });
    expect((await fetchUrl(plain.url)).result.text).toBe(text);
  });

  it("an answer with an error status, as what the site said may help", async () => {
    const { url } = await serve((response) =>
      response.writeHead(404, HTML).end("<p>No such port."),
    );
    const { outcome, result } = await fetchUrl(url);
    expect(outcome.state).toBe("completed");
    expect(result).toMatchObject({ status: 404, text: "No such port." });
  });

  it("the text of a PDF file, whatever its declared type", async () => {
    const pdf = createPdf({ title: "Tables", pages: ["High at six", "Low at noon"] });
    for (const type of ["application/pdf", "application/octet-stream", "text/html"]) {
      const { url } = await serveBody(pdf, { "content-type": type });
      expect((await fetchUrl(url)).result).toMatchObject({
        title: "Tables",
        text: "--- Page 1 of 2 ---\nHigh at six\n\n--- Page 2 of 2 ---\nLow at noon",
      });
    }
  });

  it("an image as an artifact, without its bytes in the text", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { url } = await serveBody(png, { "content-type": "image/png" });
    const { outcome, result, saved } = await fetchUrl(`${url}/charts/the%20chart.png?x=1`);
    expect(saved).toMatchObject([
      { name: "the_20chart.png", mediaType: "image/png", bytes: new Uint8Array(png) },
    ]);
    expect(outcome.artifacts).toMatchObject([{ media_type: "image/png", size: png.length }]);
    expect(result.text).toBe("");
  });

  it("the start of a long text, and the whole as an artifact", async () => {
    const text = "Grüße\n".repeat(20_000);
    const { url } = await serveBody(text, { "content-type": "text/plain; charset=utf-8" });
    const { result, saved, onTruncated } = await fetchUrl(url);
    expect(onTruncated).toHaveBeenCalledTimes(1);
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(32 * 1024);
    expect(text.startsWith(result.text)).toBe(true);
    expect(result.truncated).toBe(true);
    expect(Buffer.from(saved[0]?.bytes ?? []).toString()).toBe(text);
  });

  const latin1 = Buffer.from("Größe", "latin1");
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Größe", "utf16le")]);
  it.each<[what: string, body: Uint8Array, type: string | undefined]>([
    ["the header", latin1, "text/plain; charset=ISO-8859-1"],
    ["the header, quoted", latin1, 'text/plain; charset="latin1"'],
    ["a byte order mark, against the header", utf16, "text/plain; charset=utf-8"],
    [
      "what the bytes are, for a charset that does not exist",
      latin1,
      "text/plain; charset=nonsense",
    ],
    ["what the bytes are, without a charset", Buffer.from("Größe"), "text/plain"],
    ["what the bytes are, without a type", Buffer.from("Größe"), undefined],
  ])("text decoded by %s", async (_what, body, type) => {
    const { url } = await serveBody(body, type === undefined ? {} : { "content-type": type });
    expect((await fetchUrl(url)).result.text).toBe("Größe");
  });

  it("a page decoded by its own declaration", async () => {
    const page = Buffer.from('<meta charset="iso-8859-1"><p>Größe', "latin1");
    const { url } = await serveBody(page, { "content-type": "text/html" });
    expect((await fetchUrl(url)).result.text).toBe("Größe");
  });

  it("a page that has no type", async () => {
    const { url } = await serveBody("<!doctype html><p>One</p>");
    expect((await fetchUrl(url)).result.text).toBe("One");
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", (bytes: Buffer) => brotliCompressSync(bytes, FAST_BROTLI)],
    ["zstd", zstdCompressSync],
  ])("a body that is packed with %s", async (encoding, compress) => {
    const headers = { "content-type": "text/plain", "content-encoding": encoding };
    const { url } = await serveBody(compress(Buffer.from("unpacked")), headers);
    expect((await fetchUrl(url)).result.text).toBe("unpacked");
  });

  it.each([
    ["gzip", gzipSync],
    ["br", (bytes: Buffer) => brotliCompressSync(bytes, FAST_BROTLI)],
    ["zstd", zstdCompressSync],
  ])(
    "the first 5 MB of a body that unpacks to 400 MB, packed with %s",
    async (encoding, compress) => {
      const bomb = compress(Buffer.alloc(400 * 1024 * 1024, "a"));
      const headers = { "content-type": "text/plain", "content-encoding": encoding };
      const { url } = await serveBody(bomb, headers);
      const { result, saved } = await fetchUrl(url);
      expect(result.truncated).toBe(true);
      expect(saved[0]?.bytes.length).toBe(5 * 1024 * 1024);
    },
  );

  it("the first 5 MB of a body without end", async () => {
    const chunk = Buffer.alloc(64 * 1024, "b");
    const { url } = await serve((response) => {
      const send = () => {
        while (response.write(chunk));
      };
      response.writeHead(200, { "content-type": "text/plain" }).on("drain", send);
      send();
    });
    const { result, saved } = await fetchUrl(url);
    expect(result.truncated).toBe(true);
    expect(saved[0]?.bytes.length).toBe(5 * 1024 * 1024);
  });
});

describe("web_fetch fails", () => {
  const getError = async (url: string, options?: { webAllow: string[] }): Promise<string> => {
    const { outcome } = await fetchUrl(url, options);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    return outcome.output as string;
  };

  it.each([
    ["a private address", "http://10.0.0.1/", "no public address"],
    ["the metadata address", "http://169.254.169.254/latest/", "no public address"],
    ["another scheme", "file:///etc/passwd", "Only http"],
    ["a URL with a password", "https://a:b@example.org/", "password"],
    ["no URL", "the tide tables", "not a complete URL"],
  ])("for %s", async (_what, url, reason) => {
    expect(await getError(url, { webAllow: [] })).toContain(reason);
  });

  it("for a type that it cannot read, and names the type", async () => {
    const zip = Buffer.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);
    const { url } = await serveBody(zip, { "content-type": "text/plain" });
    expect(await getError(url)).toContain("application/zip");
  });

  it("for an image and a PDF file over the limit", async () => {
    const rest = Buffer.alloc(6 * 1024 * 1024);
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    for (const start of [png, Buffer.from("%PDF-1.7\n")]) {
      const { url } = await serveBody(Buffer.concat([start, rest]));
      expect(await getError(url)).toContain("5242880 bytes");
    }
  });

  it("for a body that cannot be unpacked", async () => {
    const { url } = await serveBody("this is no gzip", {
      "content-type": "text/plain",
      "content-encoding": "gzip",
    });
    expect(await getError(url)).toContain("broke off");
  });

  it("for a connection that ends in the middle of the body", async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half", () => response.destroy());
    });
    expect(await getError(url)).toContain("broke off");
  });

  it("for a page behind a check of browsers", async () => {
    const { url } = await serveBody("<title>Just a moment…</title>", {
      ...HTML,
      "cf-mitigated": "challenge",
    });
    expect(await getError(url)).toContain("browser");
  });

  it("for a document that the parser may not read to its end", async () => {
    const { url } = await serveBody(createPdf({ pages: ["x"], padding: 300 * 1024 * 1024 }));
    expect(await getError(url)).toContain("could not be read");
  });

  it.each<[what: string, answer: Answer]>([
    ["does not come", () => undefined],
    [
      "comes in drops without end",
      (response) => {
        const timer = setInterval(() => response.write("drop "), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
    [
      "is redirected slowly",
      (response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 300),
    ],
  ])("at one deadline for all requests, for an answer that %s", async (_what, answer) => {
    const { url } = await serve(answer);
    const web = createWebDeps({ ...WEB_SETTINGS, webAllow: ["127.0.0.1"] });
    const tool = createWebFetchTool({ ...emptyToolDeps, ...web }, 500);
    const outcome = await callTool({ name: "web_fetch", args: { url }, tools: [tool] });
    expect(outcome).toMatchObject({
      state: "error",
      output: "The content did not arrive within 0.5 seconds.",
    });
  });

  it("when the turn is stopped, even while a body goes on", async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("x");
    });
    const recorded = recordedDeps();
    const tools = createTools({
      ...emptyToolDeps,
      ...createWebDeps({ ...WEB_SETTINGS, webAllow: ["127.0.0.1"] }),
    });
    const call = { name: "web_fetch", args: { url }, tools: Object.values(tools) };
    const outcome = callTool(call, recorded);
    recorded.abort(new Error("stopped"));
    expect(await outcome).toMatchObject({ state: "cancelled" });
  });
});
