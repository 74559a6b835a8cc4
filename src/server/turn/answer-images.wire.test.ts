import type { LanguageModelV4File } from "@ai-sdk/provider";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import type { SaveArtifact } from "@/server/tools/tool-context";
import { ToolFailure } from "@/server/tools/tool-result";
import { createApiFixture } from "@/test/api-client";
import { createContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { finishPart, pendingForever, type ScriptedStep, textParts } from "@/test/scripted-model";
import { startStubServer } from "@/test/stub-server";
import { createTurnFixture } from "@/test/turn-fixture";
import { createWireModel, type WireProvider } from "@/test/wire-model";

beforeAll(() => testDatabase());

/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** The same with bytes behind its end. */
const OTHER_PNG = `${PNG.replace(/=+$/, "")}AA`;
const PNG_URL = `data:image/png;base64,${PNG}`;

const toEvents = (events: unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const toChunks = (...deltas: object[]): string =>
  toEvents([
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ]);

const toImages = (...urls: string[]) => ({
  images: urls.map((url) => ({ type: "image_url", image_url: { url } })),
});

const toCandidates = (...parts: object[]): string =>
  toEvents(
    parts.map((part, index) => ({
      candidates: [
        {
          content: { role: "model", parts: [part] },
          ...(index === parts.length - 1 && { finishReason: "STOP" }),
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    })),
  );

type Answer = { provider?: WireProvider; body: string; type?: string };

const startTurn = async ({
  provider = "openai-compatible",
  body,
  type = "text/event-stream",
}: Answer) => {
  const server = await startStubServer((response, request) => {
    response.writeHead(200, { "content-type": type });
    response.end(server.requests.indexOf(request) === 0 ? body : toChunks({ content: "Yes." }));
  });
  onTestFinished(server.close);
  const { db, api, client } = await createApiFixture();
  const ctx = createContext(db, client.userId);
  const turn = await createTurnFixture({ steps: [], ctx });
  const model = createWireModel(provider, server.url);
  const artifacts = createArtifactDeps({ db, newId: ctx.newId });
  const run = () => turn.run({ resolveModel: () => Promise.resolve(model), ...artifacts });
  await run();
  const request = (route: string) => api.api.handleRest(client.request(route));
  const readTexts = async (): Promise<string[]> =>
    (await turn.history())
      .filter(({ role }) => role === "assistant")
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])));
  return { db, turn, run, request, readTexts, requests: server.requests };
};

const IMAGE = /^!\[image-\d+\.\w+\]\((\/api\/v1\/files\/[\w-]{36})\)$/;

it("an image that its model has signed comes back to it with its signature", async () => {
  const inlineData = { mimeType: "image/png", data: PNG };
  const { turn, run, requests } = await startTurn({
    provider: "google",
    body: toCandidates(
      { text: "Here:", thoughtSignature: "b25l" },
      { inlineData, thoughtSignature: "dHdv" },
      { inlineData: { ...inlineData, data: OTHER_PNG } },
    ),
  });
  const content = toTextContent("Make it larger.");
  await sendMessage(turn.ctx, { chatId: turn.chatId, content, busyBehavior: "reject" });
  await run();
  const { contents } = JSON.parse(requests[1]?.text ?? "") as { contents: { parts: object[] }[] };
  expect(contents[1]?.parts).toEqual([
    { text: "Here:", thoughtSignature: "b25l" },
    { inlineData, thoughtSignature: "dHdv" },
    { text: expect.stringMatching(IMAGE) as string },
  ]);
});

it.each<{ name: string } & Answer>([
  { name: "images of a delta", body: toChunks({ content: "Here:" }, toImages(PNG_URL)) },
  {
    name: "images beside a text",
    body: toChunks({ content: "Here:", ...toImages(PNG_URL) }),
  },
  {
    name: "the same image in two deltas",
    body: toChunks({ content: "Here:" }, toImages(PNG_URL), toImages(PNG_URL)),
  },
  {
    name: "images of a whole answer",
    type: "application/json",
    body: JSON.stringify({
      choices: [{ message: { content: "Here:", ...toImages(PNG_URL) }, finish_reason: "stop" }],
    }),
  },
  {
    name: "an image as a part of the content",
    body: toChunks({
      content: [{ type: "text", text: "Here:" }, ...toImages(PNG_URL).images],
    }),
  },
  {
    name: "the address as a text",
    body: toChunks({ content: "Here:", images: [{ type: "image_url", image_url: PNG_URL }] }),
  },
  {
    name: "only data in base64",
    body: toChunks({ content: "Here:", images: [{ b64_json: PNG }] }),
  },
  {
    name: "inline data of Google",
    provider: "google",
    body: toCandidates({ text: "Here:" }, { inlineData: { mimeType: "image/png", data: PNG } }),
  },
])("an image that a model sends is a file of the chat: $name", async (answer) => {
  const { db, turn, run, request, readTexts, requests } = await startTurn(answer);
  expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  const [text, image = "", ...others] = await readTexts();
  expect(text).toBe("Here:");
  expect(image).toMatch(IMAGE);
  expect(others).toEqual([]);
  const files = await db.prisma.artifact.findMany({ where: { chatId: turn.chatId } });
  expect(files).toMatchObject([{ name: "image-1.png", mediaType: "image/png" }]);

  // By REST the text has its address, under which the file is.
  expect(await (await request(`GET /chats/${turn.chatId}/messages`)).text()).toContain(image);
  const [, path = ""] = IMAGE.exec(image) ?? [];
  const file = await request(`GET ${path.replace("/api/v1", "")}`);
  expect(file.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(PNG);

  // The model gets the address, and never the data.
  const content = toTextContent("Is it good?");
  await sendMessage(turn.ctx, { chatId: turn.chatId, content, busyBehavior: "reject" });
  await run();
  expect(requests[1]?.text).toContain(path);
  expect(requests[1]?.text).not.toContain(PNG.slice(0, 40));
});

it("an answer may be an image and nothing else", async () => {
  const { turn, readTexts } = await startTurn({ body: toChunks(toImages(PNG_URL)) });
  expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  expect(await readTexts()).toEqual([expect.stringMatching(IMAGE)]);
});

const TOO_LARGE = Buffer.alloc(MAX_ARTIFACT_BYTES + 1).toString("base64");

it.each([
  [
    "an address",
    "https://pictures.example/a (1).png",
    "[Image](<https://pictures.example/a%20(1).png>)",
  ],
  [
    "an address that is no web page",
    "file:///etc/passwd",
    "[An image of this answer is left out: its data cannot be read.]",
  ],
  [
    "wrong base64",
    `data:image/png;base64,${PNG}!`,
    "[An image of this answer is left out: its data cannot be read.]",
  ],
  [
    "no base64",
    "data:image/svg+xml,<svg/>",
    "[An image of this answer is left out: its data cannot be read.]",
  ],
  [
    "nothing",
    "data:image/png;base64,",
    "[An image of this answer is left out: its data cannot be read.]",
  ],
  [
    "another type of file",
    `data:image/png;base64,${Buffer.from("%PDF-1.7 and so on").toString("base64")}`,
    "[An image of this answer is left out: it is no PNG, JPEG, GIF, WebP or AVIF image.]",
  ],
  [
    "an image with scripts",
    `data:image/svg+xml;base64,${Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64")}`,
    "[An image of this answer is left out: it is no PNG, JPEG, GIF, WebP or AVIF image.]",
  ],
  [
    "a file that is too large",
    `data:image/png;base64,${TOO_LARGE}`,
    "[An image of this answer is left out: it is larger than 16 MB.]",
  ],
])("in place of an image that is not kept stands a text: %s", async (_name, url, text) => {
  const { db, turn, readTexts } = await startTurn({
    body: toChunks({ content: "Here:" }, toImages(url)),
  });
  expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  expect(await readTexts()).toEqual(["Here:", text]);
  expect(await db.prisma.artifact.count({ where: { chatId: turn.chatId } })).toBe(0);
});

it("an answer has a limited number of images", async () => {
  const urls = Array.from(
    { length: 13 },
    (_, index) =>
      `data:image/png;base64,${Buffer.concat([Buffer.from(PNG, "base64"), Buffer.from([index])]).toString("base64")}`,
  );
  const { readTexts } = await startTurn({ body: toChunks(...urls.map((url) => toImages(url))) });
  const texts = await readTexts();
  expect(texts).toHaveLength(11);
  expect(texts.filter((text) => IMAGE.test(text))).toHaveLength(10);
  expect(texts.at(-1)).toBe(
    "[Further images of this answer are left out: it may have 10, of 32 MB together.]",
  );
});

const toFile = (data: LanguageModelV4File["data"]): LanguageModelV4File => ({
  type: "file",
  mediaType: "image/png",
  data,
});
const FILE = toFile({ type: "data", data: PNG });

/** Runs a turn on scripted answers, with files that are stored. */
const startScripted = async (steps: ScriptedStep[]) => {
  const turn = await createTurnFixture({ steps });
  const { db, newId } = turn.ctx;
  const { saveArtifact } = createArtifactDeps({ db, newId });
  const countFiles = () => db.prisma.artifact.count({ where: { chatId: turn.chatId } });
  return { turn, db, saveArtifact, countFiles };
};

it("files of a provider's client are kept in any form, those of a thought are not", async () => {
  const bytes = Buffer.concat([Buffer.from(PNG, "base64"), Buffer.from("other")]);
  const { turn, saveArtifact, countFiles } = await startScripted([
    [
      { ...FILE, type: "reasoning-file" },
      FILE,
      toFile({ type: "data", data: bytes }),
      toFile({ type: "url", url: new URL("https://pictures.example/a.png") }),
      finishPart(),
    ],
  ]);
  await turn.run({ saveArtifact });
  expect((await turn.history()).at(-1)?.parts).toEqual([
    { type: "text", text: expect.stringMatching(/^!\[image-1/) as string },
    { type: "text", text: expect.stringMatching(/^!\[image-2/) as string },
    { type: "text", text: "[Image](<https://pictures.example/a.png>)" },
  ]);
  expect(await countFiles()).toBe(2);
});

it("an answer that is stopped keeps the images that have arrived", async () => {
  const { turn, saveArtifact, countFiles } = await startScripted([
    [FILE, ...textParts("half an"), pendingForever()],
  ]);
  const running = turn.run({ saveArtifact });
  await expect.poll(() => turn.ops.some(({ op }) => op === "text-append")).toBe(true);
  await interruptChat(turn.ctx, { chatId: turn.chatId });
  turn.stop("interrupted");
  await running;
  expect((await turn.history()).at(-1)).toMatchObject({
    interrupted: true,
    parts: [{ text: expect.stringMatching(IMAGE) as string }, { text: "half an" }],
  });
  expect(await countFiles()).toBe(1);
});

it("a try that fails stores no image, the next one does", async () => {
  const { turn, saveArtifact, countFiles } = await startScripted([
    [FILE],
    [toFile({ type: "data", data: PNG }), ...textParts("Here."), finishPart()],
  ]);
  await turn.run({ saveArtifact });
  expect((await turn.history()).at(-1)?.parts).toMatchObject([
    { text: expect.stringMatching(IMAGE) as string },
    { text: "Here." },
  ]);
  expect(await countFiles()).toBe(1);
});

it("a server that ends between the file and its answer leaves no second file", async () => {
  const step = [FILE, finishPart()];
  const { turn, db, saveArtifact, countFiles } = await startScripted([step, step]);
  const crash: SaveArtifact = async (call, file) => {
    await saveArtifact(call, file);
    throw new DomainError("unavailable", "The database is away.");
  };
  await expect(turn.run({ saveArtifact: crash })).rejects.toThrow("The database is away.");
  await db.query(
    {
      name: "test-end-lease-of-images",
      text: `UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE id = $1::uuid`,
    },
    [turn.chatId],
  );
  await turn.run({ saveArtifact });
  const [, answer] = await turn.history();
  const file = await db.prisma.artifact.findFirst({ where: { chatId: turn.chatId } });
  expect(answer?.parts).toEqual([
    { type: "text", text: `![image-1.png](/api/v1/files/${file?.id})` },
  ]);
  expect(await countFiles()).toBe(1);
});

it.each([
  ["a full chat", new ToolFailure("The files of a chat may hold 256 MB together.")],
  ["a fault", new Error("disk")],
])("an image that cannot be stored does not fail its answer: %s", async (_name, error) => {
  const { turn } = await startScripted([[FILE, ...textParts("Here."), finishPart()]]);
  await turn.run({ saveArtifact: () => Promise.reject(error) });
  expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  const reason = error instanceof ToolFailure ? error.message : "It could not be stored.";
  expect((await turn.history()).at(-1)?.parts).toMatchObject([
    { text: `[An image of this answer is left out. ${reason}]` },
    { text: "Here." },
  ]);
});
