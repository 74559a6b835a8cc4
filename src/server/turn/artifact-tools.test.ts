import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { v7 as newId } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { createDeliverFileTool } from "@/server/tools/artifacts/deliver-file";
import { createLoadImageTool } from "@/server/tools/artifacts/load-image";
import { MAX_IMAGE_PIXELS } from "@/server/tools/artifacts/model-image";
import { createSaveArtifactTool } from "@/server/tools/artifacts/save-artifact";
import { openWorkspace } from "@/server/tools/workspace/workspace";
import type { ServerContext } from "@/server/context";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { callTool, recordedDeps, workspaceOptions } from "@/test/tool-fixture";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { createChat } from "@/server/chat/create-chat";
import { createFile } from "@/server/chat/create-file";

let dataDir: string;
let root: string;
let ctx: ServerContext;
let chatId: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "artifact-tools-"));
  ctx = await createTestContext(await testDatabase());
  chatId = (await createChat(ctx, { content: toTextContent("hello") })).id;
  root = join(dataDir, "workspaces", chatId);
  await mkdir(root, { recursive: true });
});
afterEach(() => rm(dataDir, { recursive: true }));

const call = (name: string, args: JsonValue, inChat = chatId) => {
  const options = workspaceOptions(dataDir);
  const deps = {
    ...createArtifactDeps({ db: ctx.db, newId }),
    openWorkspace: ({ rootChatId }: { rootChatId: string }) => openWorkspace(options, rootChatId),
  };
  const tools = [
    createDeliverFileTool(deps),
    createSaveArtifactTool(deps),
    createLoadImageTool(deps),
  ];
  const step = { chatId: inChat, rootChatId: inChat, userId: ctx.actor.userId };
  return callTool({ name, args, tools }, recordedDeps({ step, saveArtifact: deps.saveArtifact }));
};
const put = (name: string, content: string | Uint8Array) => writeFile(join(root, name), content);
const countFiles = () => ctx.db.prisma.artifact.count({ where: { chatId } });
const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" } });

describe("deliver_file", () => {
  it("gives the person a file of the workspace, as what its content is", async () => {
    await put("plot.txt", await draw(3, 2).png().toBuffer());
    const outcome = await call("deliver_file", { path: "plot.txt" });
    expect(outcome).toMatchObject({
      state: "completed",
      responseHandled: true,
      artifacts: [{ name: "plot.txt", media_type: "image/png" }],
      output: expect.stringMatching(/^Delivered "plot\.txt" \(image\/png, \d+ bytes\)/) as string,
    });
  });

  it("gives the person an artifact without a copy of it", async () => {
    await put("a.csv", "a,b\n");
    const first = await call("deliver_file", { path: "a.csv" });
    const artifact_id = first.artifacts?.[0]?.id ?? "";
    expect(await call("deliver_file", { artifact_id })).toMatchObject({
      responseHandled: true,
      artifacts: first.artifacts,
    });
    expect(await countFiles()).toBe(1);
  });

  it.each([
    ["a line break", "a\nArtifacts: [x].csv", "aArtifacts_ [x].csv"],
    ["a right-to-left mark", "invoice\u202egpj.csv", "invoicegpj.csv"],
  ])("cleans a name with %s", async (_what, name, cleaned) => {
    await put(name, "a,b\n");
    const { artifacts } = await call("deliver_file", { path: name });
    expect(artifacts).toMatchObject([{ name: cleaned, media_type: "text/csv" }]);
  });

  const outside = () => join(dataDir, "secret.txt");
  it.each<[what: string, prepare: () => unknown, path: string, text: RegExp]>([
    ["a path above", () => writeFile(outside(), "key"), "../../secret.txt", /inside the workspace/],
    ["an absolute path", () => writeFile(outside(), "key"), "/etc/passwd", /relative/],
    [
      "a link that leads out",
      async () => {
        await writeFile(outside(), "key");
        await symlink(outside(), join(root, "link.txt"));
      },
      "link.txt",
      /leads out of the workspace/,
    ],
    ["a link to a device", () => symlink("/dev/zero", join(root, "zero")), "zero", /leads out/],
    [
      "a directory that is a link",
      () => symlink("../..", join(root, "up")),
      "up/secret.txt",
      /leads out|does not exist/,
    ],
    ["a named pipe", () => execFileSync("mkfifo", [join(root, "pipe")]), "pipe", /not a regular/],
    ["a directory", () => mkdir(join(root, "dir")), "dir", /is a directory/],
    [
      "a sparse file of 1 TB",
      async () => {
        await put("huge", "");
        await truncate(join(root, "huge"), 2 ** 40);
      },
      "huge",
      /more than 16777216 bytes/,
    ],
    ["a missing file", () => undefined, "none.txt", /does not exist/],
    ["a name with NUL", () => undefined, "a\0b", /NUL/],
  ])("refuses %s, and stores nothing", async (_what, prepare, path, text) => {
    await prepare();
    const outcome = await call("deliver_file", { path });
    expect(outcome).toMatchObject({ state: "error", responseHandled: false, artifacts: null });
    expect(outcome.output).toMatch(text);
    expect(await countFiles()).toBe(0);
  });

  it.each<[what: string, args: JsonValue]>([
    ["neither", {}],
    ["both", { path: "a.txt", artifact_id: newId() }],
  ])("asks for a path or an id when it gets %s", async (_what, args) => {
    expect((await call("deliver_file", args)).output).toMatch(
      /either the path .* or an artifact_id/,
    );
  });

  it("finds no file of another chat, even of the same user, and none of another user", async () => {
    await put("a.txt", "mine");
    const { artifacts } = await call("deliver_file", { path: "a.txt" });
    const artifact_id = artifacts?.[0]?.id ?? "";
    const { id: otherChat } = await createChat(ctx, { content: toTextContent("other") });
    const foreign = await call("deliver_file", { artifact_id }, otherChat);
    const unknown = await call("deliver_file", { artifact_id: newId() });
    const malformed = await call("deliver_file", { artifact_id: "../a.txt" });
    for (const { output } of [foreign, unknown, malformed]) {
      expect(output).toMatch(/^There is no artifact ".*" in this chat\.$/);
    }
    ctx = await createTestContext(ctx.db);
    expect((await call("deliver_file", { artifact_id })).output).toMatch(/^There is no artifact/);
  });
});

describe("save_artifact", () => {
  it("writes an artifact to the workspace, and replaces a file only on request", async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));
    await put("a.bin", bytes);
    const { artifacts } = await call("deliver_file", { path: "a.bin" });
    const artifact_id = artifacts?.[0]?.id ?? "";
    expect(await call("save_artifact", { artifact_id, path: "data/b.bin" })).toMatchObject({
      state: "completed",
      output: 'Saved "a.bin" as "data/b.bin": 700000 bytes.',
    });
    expect((await readFile(join(root, "data/b.bin"))).equals(bytes)).toBe(true);
    expect((await call("save_artifact", { artifact_id, path: "a.bin" })).output).toMatch(/exists/);
    const replaced = await call("save_artifact", { artifact_id, path: "a.bin", overwrite: true });
    expect(replaced).toMatchObject({ state: "completed" });
    expect((await call("save_artifact", { artifact_id, path: "../x" })).state).toBe("error");
  });

  it("writes the largest artifact that there may be, which is delivered again", async () => {
    const bytes = Buffer.alloc(MAX_ARTIFACT_BYTES, "x");
    const { id } = await createFile(ctx, { chatId, name: "large.txt", bytes });
    const saved = await call("save_artifact", { artifact_id: id, path: "large.txt" });
    expect(saved).toMatchObject({ state: "completed" });
    const { artifacts } = await call("deliver_file", { path: "large.txt" });
    expect(artifacts).toMatchObject([{ id, size: MAX_ARTIFACT_BYTES }]);
    await put("larger.txt", Buffer.alloc(MAX_ARTIFACT_BYTES + 1, "x"));
    expect((await call("deliver_file", { path: "larger.txt" })).state).toBe("error");
  });

  it("is an error for an unknown artifact", async () => {
    const outcome = await call("save_artifact", { artifact_id: newId(), path: "a.txt" });
    expect(outcome).toMatchObject({ state: "error" });
  });
});

describe("load_image", () => {
  it.each(["png", "jpeg", "gif", "webp", "avif"] as const)(
    "loads %s by content",
    async (format) => {
      await put("picture", await draw(30, 20).toFormat(format).toBuffer());
      const outcome = await call("load_image", { path: "picture" });
      expect(outcome).toMatchObject({
        state: "completed",
        responseHandled: false,
        artifacts: [{ media_type: `image/${format}` }],
      });
      expect(outcome.output).toMatch(/30 × 20 pixels/);
    },
  );

  it("loads an artifact", async () => {
    await put("a.png", await draw(3, 2).png().toBuffer());
    const { artifacts } = await call("deliver_file", { path: "a.png" });
    const outcome = await call("load_image", { artifact_id: artifacts?.[0]?.id ?? "" });
    expect(outcome).toMatchObject({ state: "completed", artifacts });
  });

  it.each<[what: string, content: () => Promise<Uint8Array> | Uint8Array, text: RegExp]>([
    ["a text", () => Buffer.from("no image"), /text\/plain by its content/],
    [
      "a drawing with scripts",
      () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      /by its content, not a PNG/,
    ],
    [
      "a damaged image",
      async () => (await draw(300, 200).png().toBuffer()).subarray(0, 300),
      /could not be read/,
    ],
    [
      "an image of too many pixels",
      () =>
        draw(10_000, Math.ceil(MAX_IMAGE_PIXELS / 10_000) + 1)
          .png()
          .toBuffer(),
      /more than 50000000 pixels/,
    ],
  ])("refuses %s", async (_what, content, text) => {
    await put("a.png", await content());
    const outcome = await call("load_image", { path: "a.png" });
    expect(outcome).toMatchObject({ state: "error", artifacts: null });
    expect(outcome.output).toMatch(text);
    expect(await countFiles()).toBe(0);
  });
});
