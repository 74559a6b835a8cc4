import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Content } from "@/contract/content";
import type { Artifact } from "@/contract/part";
import { createFile } from "@/server/chat/create-file";
import { editMessage } from "@/server/chat/edit-message";
import { sendMessage } from "@/server/chat/send-message";
import type { ServerContext } from "@/server/context";
import type { ChatModel } from "@/server/model/model-step";
import { agentNamed, type Call, spawn, work } from "@/test/agent-turns";
import { createTestContext } from "@/test/chat-fixture";
import { createPdf } from "@/test/create-pdf";
import { testDatabase } from "@/test/database";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { findWireProblems, readWireMessages, type WirePart } from "@/test/wire-messages";
import { createWireModel, WIRE_PROVIDERS, type WireProvider } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

let ctx: ServerContext;
let image: Artifact;
let other: Artifact;
let pdf: Artifact;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});
/** A file belongs to one chat. */
const uploadFiles = async (): Promise<void> => {
  image = await createFile(ctx, { name: "red.png", bytes: await draw("png") });
  other = await createFile(ctx, { name: "blue.jpg", bytes: await draw("jpeg") });
  pdf = await createFile(ctx, {
    name: "report.pdf",
    bytes: Buffer.from(createPdf({ pages: ["Sales rose"] })),
  });
};
const draw = (format: "png" | "jpeg"): Promise<Uint8Array> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .toFormat(format)
    .toBuffer();
const toContent = (text: string, ...files: readonly Artifact[]): Content => [
  ...files.map(({ id }) => ({ type: "file" as const, file_id: id })),
  { type: "text", text },
];

const TIME: Call = { id: "time", name: "current_time", args: {} };
/** How the content of a PDF stands in a request. */
const DOCUMENT: Record<WireProvider, string[]> = {
  openai: ["application/pdf"],
  anthropic: ["application/pdf"],
  google: ["application/pdf"],
  "openai-compatible": [],
};

describe.each(WIRE_PROVIDERS)("%s: files in a history", (provider) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  beforeAll(uploadFiles);
  afterAll(() => recorder.close());
  afterEach(async () => {
    recorder.reset();
    await uploadFiles();
  });

  /** A chat whose first message has files, and whose requests are answered in turn by texts or calls. */
  const start = (answers: (string | Call)[], content: Content): Promise<TurnFixture> => {
    const left = [...answers];
    recorder.mock.on({ predicate: () => true }, () => {
      const answer = left.shift();
      if (answer === undefined) throw new Error("the provider has no more answers");
      return typeof answer === "string" ? { content: answer } : toCalls(answer);
    });
    return createTurnFixture({ ctx, steps: [], content });
  };
  const model = (changes: Partial<ChatModel> = {}) => ({
    resolveModel: () => Promise.resolve({ ...createWireModel(provider, recorder.url), ...changes }),
  });
  const say = (chatId: string, text: string, ...files: readonly Artifact[]) =>
    sendMessage(ctx, { chatId, content: toContent(text, ...files), busyBehavior: "queue" });
  /** What the last request has, in its order; all requests must be such that their provider takes them. */
  const outline = (): string[] => {
    const bodies = recorder.bodies();
    for (const body of bodies) expect(findWireProblems(provider, body)).toEqual([]);
    const messages = readWireMessages(provider, bodies.at(-1));
    return messages.flatMap(({ role, parts }) => parts.flatMap((part) => describePart(role, part)));
  };
  const expectAnswered = async (turn: TurnFixture) =>
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  const document = DOCUMENT[provider];

  it("stay in their messages around calls and results", async () => {
    const turn = await start(
      [TIME, "Red.", "Blue.", "Again."],
      toContent("What is this?", image, pdf),
    );
    await turn.run(model());
    const first = ["red.png", "image/png", "report.pdf", ...document, "What is this?"];
    expect(outline()).toEqual([...first, "call time", "result time"]);
    await say(turn.chatId, "And this?", other);
    await turn.run(model());
    const second = ["answer", "blue.jpg", "image/jpeg", "And this?"];
    expect(outline()).toEqual([...first, "call time", "result time", ...second]);
    await say(turn.chatId, "And now?");
    await turn.run(model());
    expect(outline().slice(-2)).toEqual(["answer", "And now?"]);
    expect(outline().filter((part) => part.includes("/"))).toEqual([
      "image/png",
      ...document,
      "image/jpeg",
    ]);
    await expectAnswered(turn);
  });

  it("are described to a model that cannot see, and shown again to one that can", async () => {
    const turn = await start(["Red.", "It says so.", "Red again."], toContent("Look.", image, pdf));
    await turn.run(model());
    await say(turn.chatId, "And to you?");
    await turn.run(model({ abilities: ["tools"] }));
    expect(outline()).toEqual(["red.png", "report.pdf", "Look.", "answer", "And to you?"]);
    const body = JSON.stringify(recorder.bodies().at(-1));
    expect(body).toContain("Sales rose");
    expect(body).toContain("you cannot see images");
    await say(turn.chatId, "And to you again?");
    await turn.run(model());
    expect(outline()).toContain("image/png");
    await expectAnswered(turn);
  });

  it("are those of the edited message, after the results of its first answer", async () => {
    const turn = await start([TIME, "Red.", "Blue."], toContent("Look.", image, pdf));
    await turn.run(model());
    const [asked] = await turn.history();
    const content = toContent("Look here.", pdf, other);
    await editMessage(ctx, { chatId: turn.chatId, messageId: asked?.id ?? "", content });
    await turn.run(model());
    expect(outline()).toEqual(["report.pdf", ...document, "blue.jpg", "image/jpeg", "Look here."]);
    await expectAnswered(turn);
  });

  it("are given to an agent, whose report follows", async () => {
    const files = [pdf.id, image.id];
    const turn = await start(
      [spawn("one", { files }), "It works.", "It is red."],
      toContent("Look.", image, pdf),
    );
    await turn.run(model());
    await work(turn, (await agentNamed(turn, "one")).id, model());
    expect(outline()).toEqual(["report.pdf", ...document, "red.png", "image/png", "Work on one."]);
  });
});

const toCalls = ({ id, name, args }: Call) => ({
  toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
});

const describePart = (role: string, part: WirePart): string[] => {
  if (part.type === "reasoning") return [];
  if (part.type === "file") return [part.mediaType];
  if (part.type !== "text") return [`${part.type} ${part.id}`];
  if (role === "assistant") return ["answer"];
  const json = /^<attached_file>(\{.*\})/.exec(part.text)?.[1];
  return [json ? (JSON.parse(json) as { name: string }).name : part.text];
};
