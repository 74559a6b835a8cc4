import { v7 as newId } from "uuid";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createMcpFixture,
  MCP_WAYS,
  reachEverything,
  runProgram,
  toRecord,
} from "@/test/mcp-fixture";
import { SECRET_MASK } from "@/lib/redact-secrets";
import { addSecret } from "@/server/mask-secrets";
import type { ServerConnection } from "@/server/mcp/connect-server";
import { ToolFailure } from "@/server/tools/tool-result";
import type { SaveCommandFile } from "./command-text";
import { createServerCommands } from "./server-commands";

// Each test starts programs, which takes seconds on a busy machine.

/** Stores a file in memory, unless it is no image although its server says so. */
const save: SaveCommandFile = async ({ name, mediaType, bytes }) => {
  if (mediaType === "image/png" && bytes[0] !== 0x89) throw new ToolFailure("It is no image.");
  return Promise.resolve({ id: newId(), name, media_type: mediaType ?? "", size: bytes.length });
};

const connect = async (transport: Parameters<typeof toRecord>[0]) => {
  const { servers, store } = createMcpFixture([toRecord(transport, { timeout_seconds: 2 })]);
  const [link] = await servers.listLinks();
  if (!link) throw new Error("no server");
  const { commands } = link;
  const find = async (name: string) => {
    const command = (await commands.list()).commands.find((one) => one.name === `test:${name}`);
    if (!command) throw new Error(`no command ${name}`);
    return command;
  };
  return {
    link,
    store,
    commands,
    names: async () => (await commands.list()).commands.map(({ name }) => name),
    read: async (name: string, args = {}) => commands.read(await find(name), args, save),
  };
};

describe.each(MCP_WAYS)("the reference server by %s", (way) => {
  it("has its prompts and resources read", async () => {
    const { commands, names, read } = await connect(await reachEverything(way));
    expect(await names()).toEqual(
      expect.arrayContaining(["test:simple-prompt", "test:args-prompt", "test:architecture.md"]),
    );
    const { commands: list, notices } = await commands.list();
    expect(notices).toEqual([]);
    expect(list.find(({ name }) => name === "test:args-prompt")).toMatchObject({
      kind: "prompt",
      arguments: [
        { name: "city", required: true },
        { name: "state", required: false },
      ],
    });
    expect(await read("simple-prompt")).toEqual({
      text: "This is a simple prompt without arguments.",
      files: [],
    });
    expect(await read("args-prompt", { city: "Bonn" })).toEqual({
      text: "What's weather in Bonn?",
      files: [],
    });
    expect(await read("architecture.md")).toMatchObject({
      text: expect.stringMatching(/^demo:\/\/\S+architecture\.md:\n/) as string,
    });
    const embedded = { resourceType: "Text", resourceId: "1" };
    expect(await read("resource-prompt", embedded)).toMatchObject({
      text: expect.stringContaining("demo://resource/dynamic/text/1:\n") as string,
    });
    expect(await read("resource-prompt", { ...embedded, resourceId: "x" })).toMatchObject({
      problem: expect.stringMatching(/^The MCP server "test" has refused the call: /) as string,
    });
    expect(await read("Dynamic-Text-Resource", { resourceId: "2" })).toMatchObject({
      text: expect.stringMatching(/^demo:\/\/resource\/dynamic\/text\/2:\n/) as string,
    });
    expect(await read("Dynamic-Blob-Resource", { resourceId: "2" })).toMatchObject({
      text: "",
      files: [{ media_type: "text/plain" }],
    });
    const blob = await read("resource-prompt", { ...embedded, resourceType: "Blob" });
    expect(blob).toMatchObject({
      text: expect.stringMatching(/demo:\S+: \[file .+\]$/) as string,
      files: [{ media_type: "text/plain" }],
    });
  });
});

describe("a hostile server", () => {
  it("has names that can be written, and what cannot be a command is left out", async () => {
    const { commands, names } = await connect(runProgram("hostile-server.mjs"));
    expect(await names()).toEqual([
      "test:same",
      "test:same-2",
      "test:two-words",
      "test:unnamed",
      "test:__proto__",
      "test:large",
      "test:hang",
      "test:die",
      "test:empty",
      "test:assistant",
      "test:pictures",
      "test:album",
      "test:same-3",
      "test:file",
    ]);
    expect((await commands.list()).notices).toEqual([
      '"many" has more than 20 arguments.',
      '"odd" has an argument whose name cannot be written.',
      '"template" has a URI that cannot be read.',
    ]);
  });

  it("gets no text into a message that is too long, empty or a secret", async () => {
    addSecret("kX9wQ2vT7zB4mR8pL1nG5hJ6");
    const { read } = await connect(runProgram("hostile-server.mjs"));
    expect(await read("large")).toEqual({
      problem: "The prompt has 300,000 characters; a message may have 200,000.",
    });
    expect(await read("empty")).toEqual({ problem: "The prompt is empty." });
    expect(await read("same-3")).toMatchObject({ text: `odd://a:\n${SECRET_MASK}` });
    expect(await read("assistant")).toEqual({ text: "one\n\nAssistant: two", files: [] });
  });

  it("has its files stored, with their places in the text, and those that are refused named", async () => {
    const { read } = await connect(runProgram("hostile-server.mjs"));
    expect(await read("pictures")).toMatchObject({
      text: [
        "Compare",
        "[file image-2.png]",
        "with",
        "odd://x/../../b.png: [file b.png]",
        "[image-5.png was left out: It is no image.]",
        "[file audio-6.wav]",
        "[audio-7.wav was left out: it is empty]",
      ].join("\n\n"),
      files: [{ name: "image-2.png" }, { name: "b.png" }, { name: "audio-6.wav" }],
    });
    expect(await read("file")).toMatchObject({
      text: "odd://b: [b-1.png was left out: It is no image.]",
      files: [],
    });
    const album = await read("album");
    if ("problem" in album) throw new Error(album.problem);
    expect(album.files).toHaveLength(20);
    expect(album.text).toMatch(
      /Assistant: \[image-22\.png was left out: a message can have 20 files\]$/,
    );
  });

  it("ends the command if a file cannot be stored", async () => {
    const { commands } = await connect(runProgram("hostile-server.mjs"));
    const pictures = (await commands.list()).commands.find(({ name }) => name === "test:pictures");
    if (!pictures) throw new Error("no command");
    const failing = () => Promise.reject(new Error("the database is away"));
    await expect(commands.read(pictures, {}, failing)).rejects.toThrow("away");
  });

  it("cannot keep a person waiting, and is asked again after its end", async () => {
    const { read, link } = await connect(runProgram("hostile-server.mjs"));
    expect(await read("hang")).toEqual({
      problem:
        'Timed out: The MCP server "test" did not answer in 2 seconds, and the call was cancelled.',
    });
    const ended = await read("die");
    expect(ended).toEqual({
      problem: expect.stringMatching(/could not be called: .*exit code 7/s) as string,
    });
    expect(JSON.stringify(ended)).not.toContain("taken effect");
    const { commands, notices } = await link.commands.list();
    expect(commands.length).toBeGreaterThan(0);
    expect(notices).toEqual([
      expect.stringMatching(/^The MCP server "test" is not connected\. .*exit code 7/s),
    ]);
    expect(await read("assistant")).toHaveProperty("text");
    expect((await link.commands.list()).notices).not.toContain(notices[0]);
  });
});

type Listed = Awaited<ReturnType<ServerConnection["listCommands"]>>;

describe("a server that does not list its prompts", () => {
  const createFixture = () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const listCommands = vi
      .fn<ServerConnection["listCommands"]>()
      .mockRejectedValueOnce(new Error("no answer"))
      .mockResolvedValue({ prompts: [{ name: "late" }], resources: [], templates: [] });
    const connection = { ...({} as ServerConnection), listCommands };
    const commands = createServerCommands(
      toRecord(runProgram("hostile-server.mjs")).declaration,
      {
        ready: Promise.resolve(),
        current: () => connection,
        status: () => ({ state: "connected" }),
      },
      () => Promise.reject(new Error("nothing is read")),
    );
    return { commands, listCommands };
  };
  const failed = {
    commands: [],
    notices: ['The MCP server "test" could not list its prompts and resources: no answer'],
  };

  it("is asked again after 30 seconds", async () => {
    const { commands, listCommands } = createFixture();
    expect(await commands.list()).toEqual(failed);
    vi.advanceTimersByTime(29_999);
    expect(await commands.list()).toEqual(failed);
    expect(listCommands).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(await commands.list()).toMatchObject({ commands: [{ name: "test:late" }], notices: [] });
    vi.advanceTimersByTime(60_000);
    await commands.list();
    expect(listCommands).toHaveBeenCalledTimes(2);
  });

  it("delays the lists of all servers once only, and is listed when it answers", async () => {
    const { commands, listCommands } = createFixture();
    const late = Promise.withResolvers<Listed>();
    expect(await commands.list()).toEqual(failed);
    listCommands.mockReturnValueOnce(late.promise);
    vi.advanceTimersByTime(30_000);
    expect(await commands.list()).toEqual(failed);
    late.resolve({ prompts: [{ name: "late" }], resources: [], templates: [] });
    await expect.poll(() => commands.list()).toMatchObject({ notices: [] });
    expect(listCommands).toHaveBeenCalledTimes(2);
  });

  it("is asked again when its list has changed", async () => {
    const { commands, listCommands } = createFixture();
    expect(await commands.list()).toEqual(failed);
    commands.forget();
    expect(await commands.list()).toMatchObject({ notices: [] });
    expect(listCommands).toHaveBeenCalledTimes(2);
  });
});
