import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { JsonValue } from "@/contract/json";
import { createTools } from "@/server/app/tool-registry";
import type { ToolOutcome } from "@/server/tools/settle";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import { openWorkspace } from "@/server/tools/workspace/workspace";
import { callTool, emptyToolDeps, recordedDeps, workspaceOptions } from "./tool-fixture";

const ROOT_CHAT = "0197b1c0-0000-7000-8000-000000000001";

type Args = { [key: string]: JsonValue };

/** The file tools on a workspace of the real file system, which is new for each test of the file. */
export type FileTools = {
  /** The workspace's directory. */
  root: string;
  /** A directory outside of the workspace. */
  outside: string;
  call: (name: string, args: Args) => Promise<ToolOutcome>;
  /** Calls a tool whose output is text. */
  callForText: (name: string, args: Args) => Promise<string>;
  put: (path: string, content: string | Uint8Array) => Promise<void>;
  abort: () => void;
  /** How many results the model reads only a part of. */
  countTruncated: () => number;
};

/** @returns a function that returns the tools of the running test. */
export const useFileTools = (): (() => FileTools) => {
  let host: string;
  let tools: FileTools | undefined;
  beforeEach(async () => {
    host = await mkdtemp(join(tmpdir(), "parley-files-"));
    const root = join(host, "data/workspaces", ROOT_CHAT);
    const outside = join(host, "outside");
    await mkdir(root, { recursive: true });
    await mkdir(outside);
    tools = { root, outside, ...createCalls(join(host, "data"), root) };
  });
  afterEach(() => removeTree(host));
  return () => {
    if (!tools) throw new Error("the tools belong to a running test");
    return tools;
  };
};

const createCalls = (dataDir: string, root: string) => {
  const step = { rootChatId: ROOT_CHAT };
  let truncated = 0;
  const recorded = recordedDeps({
    step,
    maxOutputBytes: 1024 * 1024,
    onTruncated: () => (truncated += 1),
  });
  const tools = createTools({
    ...emptyToolDeps,
    openWorkspace: ({ rootChatId }) => openWorkspace(workspaceOptions(dataDir), rootChatId),
  });
  const call = (name: string, args: Args) =>
    callTool({ name, args, tools: Object.values(tools) }, recorded);
  return {
    call,
    callForText: async (name: string, args: Args): Promise<string> => {
      const { output } = await call(name, args);
      if (typeof output !== "string") throw new TypeError("the output is no text");
      return output;
    },
    put: async (path: string, content: string | Uint8Array): Promise<void> => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    abort: () => recorded.abort(),
    countTruncated: () => truncated,
  };
};
