import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createPdf } from "@/test/create-pdf";
import { readHtml, readPdf } from "./read-document";
import { withDecoder } from "./with-decoder";

const { signal } = new AbortController();
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (html: string | Uint8Array, charset?: string) =>
  readHtml(
    {
      bytes: typeof html === "string" ? encode(html) : html,
      url: "https://tides.example/guide/depth",
      charset,
    },
    signal,
  );

const SENTENCE =
  "The tide is highest twice a day, about six hours after it was lowest, and sailors know it well. ";

describe("readHtml", () => {
  it("returns the article of a page as markdown, without what surrounds it", async () => {
    const page = await read(`<!doctype html><html><head><title> Depth tables </title>
      <script>document.title = "changed"</script></head><body>
      <nav><a href="/">Home</a> <a href="/login">Sign in</a></nav>
      <article><h1>Depth tables</h1><h2>At sea</h2>
      ${`<p>${SENTENCE.repeat(4)}</p>`.repeat(5)}
      <p>See <a href="../charts?page=2#top">the charts</a> and <a href="javascript:alert(1)">this</a>.</p>
      <table><thead><tr><th>Hour</th><th>Depth</th></tr></thead><tbody><tr><td>6</td><td>4 m</td></tr></tbody></table>
      <pre><code class="language-ts">const depth = 4;</code></pre>
      <ul><li>high</li><li>low</li></ul></article>
      <footer>Imprint and cookies</footer></body></html>`);
    expect(page).toEqual({ title: "Depth tables", text: expect.any(String) as string });
    const { text } = page as { text: string };
    expect(text).toContain("## At sea");
    expect(text).toContain("[the charts](https://tides.example/charts?page=2#top)");
    expect(text).toMatch(/\| Hour +\| Depth +\|\n\| -+ +\| -+ +\|\n\| 6 +\| 4 m +\|/);
    expect(text).toContain("```ts\nconst depth = 4;\n```");
    expect(text).toMatch(/^- +high$/m);
    expect(text).not.toMatch(/Sign in|cookies|javascript:|changed/);
  });

  it("returns all of a page that is no article", async () => {
    const page = await read(
      `<title>Ports</title><style>a{}</style><nav>Menu</nav><div><a href="/a">Alpha</a><br><a href="/b">Beta</a></div>
       <img src="/logo.png" alt="Logo"><img src="data:image/png;base64,AAAA" alt="Inline"><script>boom()</script>`,
    );
    const { text } = page as { text: string };
    expect(text).toContain("[Alpha](https://tides.example/a)");
    expect(text).toContain("[Beta](https://tides.example/b)");
    expect(text).toContain("![Logo](https://tides.example/logo.png)");
    expect(text).not.toMatch(/boom|data:|Menu/);
  });

  const latin1 = (text: string) => Buffer.from(text, "latin1");
  const german = "<p>Über die Höhe</p>";
  it.each<[what: string, html: Uint8Array, charset?: string]>([
    ["the transport", latin1(german), "iso-8859-1"],
    ["the page", latin1(`<meta charset="iso-8859-1">${german}`)],
    [
      "an older kind of declaration",
      latin1(`<meta http-equiv="content-type" content="text/html; charset=windows-1252">${german}`),
    ],
    ["the transport, against the page", encode(`<meta charset="iso-8859-1">${german}`), "utf-8"],
    ["a byte order mark, against the transport", encode(`\uFEFF${german}`), "iso-8859-1"],
    [
      "a byte order mark of UTF-16",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(german, "utf16le")]),
    ],
    ["no declaration, but the text is UTF-8", encode(german)],
  ])("decodes by %s", async (_what, html, charset) => {
    expect(await read(html, charset)).toMatchObject({ text: "Über die Höhe" });
  });

  it.each([
    ["no text", ""],
    ["no body", "<html></html>"],
    ["broken tags", "<p><b>one<p></b></i>two<table><tr><td>"],
    ["a frame set", "<frameset><frame src='/a'></frameset>"],
  ])("survives a page with %s", async (_what, html) => {
    expect(await read(html)).toMatchObject({ text: expect.any(String) as string });
  });

  it("does not load what a page names, and does not wait for it", async () => {
    const page = await read(
      `<link rel=stylesheet href="http://192.0.2.1/a.css"><script src="http://192.0.2.1/a.js"></script><img src="http://192.0.2.1/a.png" alt="A"><iframe src="http://192.0.2.1/"></iframe><p>Text</p>`,
    );
    expect(page).toMatchObject({ text: expect.stringContaining("Text") as string });
  });

  it("fails for a page that is nested without end, and the server goes on", async () => {
    expect(await read("<div>".repeat(300_000))).toMatchObject({
      failure: expect.any(String) as string,
    });
    expect(await read("<p>next</p>")).toMatchObject({ text: "next" });
  });

  it("returns a page whose thread has ended before this one had time to look", async () => {
    const reading = read("<p>text</p>");
    let isRead = false;
    const stop = () => {
      isRead = true;
    };
    reading.then(stop, stop);
    const never = new Int32Array(new SharedArrayBuffer(4));
    while (!isRead) {
      // Longer than reading takes and than the time between two looks at the memory.
      Atomics.wait(never, 0, 0, 2_000);
      await nextTick();
    }
    expect(await reading).toEqual({ title: "", text: "text" });
  });

  it("ends its thread when the turn is stopped", async () => {
    const controller = new AbortController();
    const reading = readHtml(
      { bytes: encode("<p>text</p>"), url: "https://a.example/", charset: undefined },
      controller.signal,
    );
    controller.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });
});

describe("readPdf of Chinese text", () => {
  const chinese = "中文的表格";

  it("returns it whole when the file has the character map of its font", async () => {
    const pdf = createPdf({ pages: ["Tides"], chinese: { text: chinese, map: "embedded" } });
    const { text } = (await readPdf(pdf, signal)) as { text: string };
    expect(text.replaceAll(/\s/g, "")).toBe(`Tides${chinese}`);
  });

  it("says what is missing when the font needs a character map that the file does not have", async () => {
    const predefined = { text: chinese, map: "predefined" } as const;
    expect(await readPdf(createPdf({ pages: [""], chinese: predefined }), signal)).toEqual({
      failure: expect.stringMatching(/^its text is in a font that needs a character map/) as string,
    });
    const mixed = await readPdf(createPdf({ pages: ["Tides"], chinese: predefined }), signal);
    expect(mixed).toEqual({
      title: "",
      text: expect.stringMatching(
        /^Tides\n\n--- A part of the text is left out: its text is in a font .* ---$/s,
      ) as string,
    });
  });
});

describe("readPdf", () => {
  it("returns the text of all pages in order, and the title", async () => {
    const pdf = createPdf({ title: "Tide tables", pages: ["High at six", "Low at noon"] });
    expect(await readPdf(pdf, signal)).toEqual({
      title: "Tide tables",
      text: "--- Page 1 of 2 ---\nHigh at six\n\n--- Page 2 of 2 ---\nLow at noon",
    });
  });

  it("returns no text for a page without any", async () => {
    for (const pages of [[""], ["", ""]]) {
      expect(await readPdf(createPdf({ pages }), signal)).toEqual({ title: "", text: "" });
    }
  });

  it.each([
    ["no PDF", encode("hello")],
    ["a PDF that was cut", createPdf({ pages: ["High at six"] }).subarray(0, 60)],
    ["nothing", new Uint8Array()],
  ])("fails for %s", async (_what, bytes) => {
    expect(await readPdf(bytes, signal)).toMatchObject({ failure: expect.any(String) as string });
  });

  it("says when it leaves out the end of a long document", async () => {
    const line = "The tide is high. ".repeat(6);
    const page = Array.from({ length: 600 }, () => line).join(") Tj 0 -1 Td (");
    const pages = Array.from({ length: 80 }, () => page);
    const { text } = (await readPdf(createPdf({ pages }), signal)) as { text: string };
    expect(text.length).toBeLessThan(4_200_000);
    // Of the end alone: in the whole text this pattern would be tried from each sentence to the end of its page.
    expect(text.slice(-200)).toMatch(
      /high\.[^-]*\n\n--- The rest of the document is left out ---$/,
    );
  });

  it("ends a PDF that unpacks to more memory than it may use", async () => {
    const pdf = createPdf({ pages: ["x"], padding: 300 * 1024 * 1024 });
    expect(pdf.length).toBeLessThan(1024 * 1024);
    expect(await readPdf(pdf, signal)).toEqual({
      failure: "it needs more memory than a document may use",
    });
  });
});

describe("documents that are read at once", () => {
  const pdf = createPdf({ pages: ["High at six"] });

  it("wait for what else is decoded in this process, such as an image", async () => {
    const { promise: image, resolve: finish } = Promise.withResolvers<number>();
    const decoding = withDecoder(() => image);
    const reading = Promise.all([readPdf(pdf, signal), read("<p>text</p>")]);
    expect([withDecoder.activeCount, withDecoder.pendingCount]).toEqual([1, 2]);
    const running: number[] = [];
    const next = withDecoder(() => Promise.resolve(running.push(withDecoder.activeCount)));
    finish(1);
    expect(await decoding).toBe(1);
    expect(await reading).toMatchObject([{ text: "High at six" }, { text: "text" }]);
    await next;
    expect(running).toEqual([1]);
  });

  it("are refused when too many wait", async () => {
    const { promise: image, resolve: finish } = Promise.withResolvers<number>();
    const decoding = withDecoder(() => image);
    await nextTick();
    const controller = new AbortController();
    const reading = Array.from({ length: 20 }, () => readPdf(pdf, controller.signal));
    expect(withDecoder.pendingCount).toBe(16);
    const busy = {
      failure: "this server is reading other documents, try again later",
      isBusy: true,
    };
    expect(await Promise.all(reading.slice(16))).toEqual([busy, busy, busy, busy]);
    controller.abort(new Error("stopped"));
    finish(1);
    await decoding;
    const waited = await Promise.allSettled(reading.slice(0, 16));
    expect(waited.filter(({ status }) => status === "rejected")).toHaveLength(16);
  });
});
