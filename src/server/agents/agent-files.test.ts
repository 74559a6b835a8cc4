import sharp from "sharp";
import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_MESSAGE_FILES } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { createFile } from "@/server/chat/create-file";
import type { ServerContext } from "@/server/context";
import { ownedBy } from "@/server/db/chats/viewer";
import {
  agentNamed,
  type Call,
  callNamed,
  calls,
  getAgents,
  runAgent,
  say,
  spawn,
} from "@/test/agent-turns";
import { createTestContext } from "@/test/chat-fixture";
import { readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { textStep, type ScriptedStep } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";

let ctx: ServerContext;
let png: Uint8Array;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
  const red = sharp({ create: { width: 6, height: 4, channels: 3, background: "red" } });
  png = await red.png().toBuffer();
});

const upload = (name: string, text: string, by = ctx): Promise<Artifact> =>
  createFile(by, { name, bytes: Buffer.from(text) });
/** Stores a file as a tool of a chat does. */
const make = (chatId: string, name = "chart.png", bytes = png): Promise<Artifact> =>
  createArtifactDeps({ db: ctx.db, newId }).saveArtifact(
    { chatId, userId: ctx.actor.userId, toolCallId: "call_0" },
    { name, mediaType: "image/png", bytes },
  );

/** A chat with a file of a person and an image of a tool, whose model then goes on by script. */
const start = async (toSteps: (files: { notes: string; chart: string }) => ScriptedStep[]) => {
  const notes = await upload("notes.md", `Ask for the moon ${newId()}`);
  const steps: ScriptedStep[] = [];
  const fixture = await createTurnFixture({
    ctx,
    steps,
    content: [
      { type: "text", text: "Look." },
      { type: "file", file_id: notes.id },
    ],
  });
  const chart = await make(fixture.chatId);
  steps.push(...toSteps({ notes: notes.id, chart: chart.id }));
  return { fixture, notes, chart };
};

const message = (one: string, files: string[]): Call => ({
  id: "worse",
  name: "message_agent",
  args: { chat_id: one, message: "Look.", files },
});

const startOther = async () => (await start(() => [])).fixture.chatId;
const readParts = async (chatId: string) =>
  (await readWholeHistory(ctx.db, chatId)).filter(({ role }) => role === "user").at(-1)?.parts;
const countFiles = () => ctx.db.prisma.artifact.count({ where: ownedBy(ctx.actor) });
/** What the model of the last request was shown: texts, and the types of files. */
const lastShown = ({ model }: TurnFixture): string[] =>
  (model.requests.at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
    role === "user" && typeof content !== "string"
      ? content.map((part) => (part.type === "text" ? part.text : part.mediaType))
      : [],
  );
const toPart = ({ id, ...file }: Artifact) => ({ type: "file", data: { file_id: id, ...file } });
const SIZE = { width: 6, height: 4 };

describe("files of agents", () => {
  it.each(["spawn_agent", "delegate"])(
    "come with the prompt of %s, and are not copied",
    async (name) => {
      const { fixture, notes, chart } = await start(({ notes, chart }) => [
        calls({ ...spawn("one", { files: [notes, chart, notes] }), name }),
        textStep("They work."),
        textStep("Red."),
      ]);
      const before = await countFiles();
      await fixture.run();
      const { id } = await agentNamed(fixture, "one");
      expect(await readParts(id)).toEqual([
        toPart(notes),
        toPart({ ...chart, ...SIZE }),
        { type: "text", text: "Work on one." },
      ]);
      await runAgent(fixture, "one");
      expect(await countFiles()).toBe(before);
      const shown = lastShown(fixture);
      expect(shown.join()).toContain("Ask for the moon");
      expect(shown).toContain("image/png");
    },
  );

  it("come with a message, also those that another agent has made", async () => {
    let [made, one] = ["", ""];
    const { fixture } = await start(() => [
      calls(spawn("one"), spawn("two")),
      textStep("They work."),
      textStep("Done."),
      () => calls({ ...message(one, [made]), id: "more" }),
      textStep("It looks."),
      textStep("Red."),
    ]);
    await fixture.run();
    await runAgent(fixture, "one");
    one = (await agentNamed(fixture, "one")).id;
    const file = await make((await agentNamed(fixture, "two")).id, "other.png");
    made = file.id;
    await fixture.run();
    expect(await callNamed(fixture, "more")).toMatchObject({ state: "completed" });
    expect(await readParts(one)).toEqual([
      toPart({ ...file, ...SIZE }),
      { type: "text", text: "Look." },
    ]);
    await runAgent(fixture, "one");
    expect(lastShown(fixture)).toContain("image/png");
  });

  it("are named if no model can be shown them", async () => {
    let damaged = "";
    const { fixture } = await start(() => [
      () => calls(spawn("one", { files: [damaged] })),
      textStep("It works."),
      textStep("I cannot see it."),
    ]);
    damaged = (await make(fixture.chatId, "damaged.png", png.slice(0, 40))).id;
    await fixture.run();
    await runAgent(fixture, "one");
    expect(lastShown(fixture).join()).toMatch(/damaged\.png.*it is damaged/);
  });

  it.each<[what: string, find: () => Promise<string[]>, text: string]>([
    [
      "of another person",
      async () => [(await upload("a.txt", "a", await createTestContext(ctx.db))).id],
      "artifact_id",
    ],
    ["of another chat", async () => [(await make(await startOther())).id], "artifact_id"],
    ["that no message has", async () => [(await upload("a.txt", "unsent")).id], "artifact_id"],
    ["that is unknown", () => Promise.resolve([newId()]), "artifact_id"],
    ["that is a path", () => Promise.resolve(["uploads/notes.md"]), "artifact_id"],
    [
      "too many",
      () => Promise.resolve(Array.from({ length: MAX_MESSAGE_FILES + 1 }, () => newId())),
      "files",
    ],
  ])("are refused if one is %s: nothing is started or sent", async (_what, find, text) => {
    const files = await find();
    let one = "";
    const { fixture } = await start(({ notes }) => [
      calls(spawn("one")),
      textStep("It works."),
      () => calls(spawn("bad", { files: [notes, ...files] }), message(one, files)),
      textStep("I see."),
    ]);
    await fixture.run();
    one = (await agentNamed(fixture, "one")).id;
    const before = await readParts(one);
    await say(fixture, "Try it.");
    await fixture.run();
    for (const id of ["bad", "worse"]) {
      const call = await callNamed(fixture, id);
      expect(call).toMatchObject({ state: "error", isError: true });
      expect(JSON.stringify(call.output)).toContain(text);
    }
    expect(await getAgents(fixture)).toHaveLength(1);
    expect(await readParts(one)).toEqual(before);
  });
});
