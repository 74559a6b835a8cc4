import { beforeAll, describe, expect, it } from "vitest";
import type { OfferedCommand } from "@/server/mcp/tools/offered-commands";
import type { ServerCommands } from "@/server/mcp/tools/server-commands";
import type { ServerContext } from "@/server/context";
import { ownedBy } from "@/server/db/chats/viewer";
import type { ServerLink } from "@/server/mcp/server-link";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { NO_MCP_SERVERS, runProgram, toRecord } from "@/test/mcp-fixture";
import { runCommand } from "./run-command";

let ctx: ServerContext;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});

const COMMAND: OfferedCommand = {
  name: "test:one",
  kind: "prompt",
  description: "",
  arguments: [],
  type: "prompt",
  prompt: "one",
};
const FILE = { name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") };
const countFiles = () => ctx.db.prisma.artifact.count({ where: ownedBy(ctx.actor) });

/** Runs a command whose server is read by the function. */
const run = (read: ServerCommands["read"]) => {
  const commands = {
    list: () => Promise.resolve({ commands: [COMMAND], notices: [] }),
    read,
    forget: () => undefined,
  };
  const record = toRecord(runProgram("hostile-server.mjs"));
  const link = { ...({} as ServerLink), record, commands };
  const mcp = { ...NO_MCP_SERVERS, listLinks: () => Promise.resolve([link]) };
  return runCommand({ ...ctx, mcp }, { name: COMMAND.name, arguments: {} });
};

describe("runCommand", () => {
  it("leaves no file when the command fails after it was stored", async () => {
    const tooLong = run(async (_command, _args, save) => {
      await save(FILE);
      expect(await countFiles()).toBe(1);
      return { problem: "The prompt is too long." };
    });
    await expect(tooLong).rejects.toMatchObject({ code: "unprocessable" });
    const failed = run(async (_command, _args, save) => {
      await save(FILE);
      throw new Error("the server has ended");
    });
    await expect(failed).rejects.toThrow("has ended");
    expect(await countFiles()).toBe(0);
  });

  it("stores files as uploads, and says why one is refused", async () => {
    const heic = Buffer.from("000000186674797068656963000000006d69663168656963", "hex");
    const found = await run(async (_command, _args, save) => {
      await expect(save({ ...FILE, bytes: heic })).rejects.toThrow("HEIC");
      return { text: "", files: [await save(FILE)] };
    });
    expect(found).toMatchObject({ files: [{ name: "a.txt", media_type: "text/plain", size: 1 }] });
    expect(await countFiles()).toBe(1);
  });
});
