import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { createFile } from "@/server/chat/create-file";
import type { ServerContext } from "@/server/context";
import { createTestContext } from "@/test/chat-fixture";
import { createLockedPdf } from "@/test/create-locked-pdf";
import { testDatabase } from "@/test/database";
import { createTurnFixture } from "@/test/turn-fixture";
import { findWireProblems, readWireMessages } from "@/test/wire-messages";
import { createWireModel, WIRE_PROVIDERS } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

let ctx: ServerContext;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});

const draw = (width: number, height: number, background = "red") =>
  sharp({ create: { width, height, channels: 3, background } });
const drawAnimation = async () =>
  sharp([await draw(9, 9).png().toBuffer(), await draw(9, 9, "blue").png().toBuffer()], {
    join: { animated: true },
  })
    .gif()
    .toBuffer();
const SVG = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
/** A text as long as a file may be. */
const createLongText = (): Buffer =>
  Buffer.concat([
    Buffer.from("begin "),
    Buffer.alloc(MAX_ARTIFACT_BYTES - 10, "x"),
    Buffer.from(" end"),
  ]);

type FileCase = {
  name: string;
  create: () => Promise<Uint8Array> | Uint8Array;
  /** The types of the files that the model is shown. */
  shown: string[];
  /** What it reads. */
  text: RegExp;
};

/** Files as strangers send them, by what they are. */
const CASES: Record<string, FileCase> = {
  "a PNG of 100 megapixels": {
    name: "wall.png",
    create: () => draw(10_000, 10_000).png().toBuffer(),
    shown: [],
    text: /wall\.png.*it is damaged or has too many pixels/,
  },
  "a PDF with a password": {
    name: "locked.pdf",
    create: () => createLockedPdf("Top secret", "open sesame"),
    shown: [],
    text: /locked\.pdf.*text of the PDF could not be read: .*[Pp]assword/s,
  },
  "an animated GIF": {
    name: "dance.gif",
    create: drawAnimation,
    shown: ["image/png"],
    text: /dance\.gif.*image\/gif/,
  },
  "an SVG": {
    name: "drawing.svg",
    create: () => Buffer.from(SVG),
    shown: [],
    text: /<script>alert/,
  },
  "a text of 16 MB": {
    name: "log.txt",
    create: createLongText,
    shown: [],
    text: /begin x+\n… 16\d{6} bytes left out …\nx+ end/,
  },
  "an image that says that it is a PDF": {
    name: "report.pdf",
    create: () => draw(4, 4).png().toBuffer(),
    shown: ["image/png"],
    text: /report\.pdf.*"media_type":"image\/png"/,
  },
  "a program that says that it is an image": {
    name: "photo.jpg",
    create: () => Buffer.from("7f454c4602010100000000000000000002003e00", "hex"),
    shown: [],
    text: /photo\.jpg.*"path":"uploads\/[\da-f]{8}\/photo\.jpg"/,
  },
  "a name that leaves its folder": {
    name: "../../../etc/pass\u0000wd.txt",
    create: () => Buffer.from("root"),
    shown: [],
    text: /"name":"passwd\.txt"/,
  },
  "a name that is written from right to left": {
    name: "invoice\u202egpj.exe",
    create: () => Buffer.from("4d5a90000300000004000000ffff0000", "hex"),
    shown: [],
    text: /"name":"invoicegpj\.exe".*"path":"uploads\/[\da-f]{8}\/invoicegpj\.exe"/,
  },
};

const created = new Map<string, Promise<Uint8Array>>();
/** Creates a file once for all providers. */
const createOnce = ({ name, create }: FileCase): Promise<Uint8Array> => {
  const known = created.get(name) ?? Promise.resolve(create());
  created.set(name, known);
  return known;
};

describe.each(WIRE_PROVIDERS)("%s is sent nothing that it refuses of", (provider) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  afterAll(() => recorder.close());
  afterEach(() => recorder.reset());

  it.each(Object.entries(CASES))("%s", async (_what, file) => {
    const { name, shown, text } = file;
    recorder.mock.on({ predicate: () => true }, { content: "I see." });
    const { id } = await createFile(ctx, { name, bytes: await createOnce(file) });
    const turn = await createTurnFixture({
      ctx,
      steps: [],
      content: [{ type: "file", file_id: id }],
    });
    const model = { ...createWireModel(provider, recorder.url), contextLimit: 40_000 };
    await turn.run({ resolveModel: () => Promise.resolve(model) });
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    const body = recorder.bodies().at(-1);
    expect(findWireProblems(provider, body)).toEqual([]);
    const parts = readWireMessages(provider, body).flatMap((message) => message.parts);
    expect(parts.flatMap((part) => (part.type === "file" ? part.mediaType : []))).toEqual(shown);
    const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
    expect(texts.join("\n")).toMatch(text);
    expect(JSON.stringify(body).length).toBeLessThan(200_000);
  });
});
