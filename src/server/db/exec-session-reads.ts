import type { BuiltinToolName } from "@/contract/tool-outputs";
import { ExecRequest, ExecResult } from "@/contract/exec";
import type { Queryable } from "./database";

const TOOL: BuiltinToolName = "exec";
/** Of a chat that starts more sessions, only the newest are known after a restart. */
const MAX_SESSIONS = 20;

export type StartedSession = { sessionId: string; command: string; pty: boolean };

/** Lists the exec sessions that a chat has started, as its committed calls say, the newest first. */
export const listStartedSessions = async (
  { prisma }: Queryable,
  chatId: string,
): Promise<StartedSession[]> => {
  const calls = await prisma.part.findMany({
    where: {
      toolName: TOOL,
      kind: "builtin",
      state: "completed",
      message: { chatId },
      output: { path: ["session_id"], string_contains: "" },
      args: { path: ["action"], equals: "run" },
    },
    select: { args: true, output: true },
    orderBy: { position: "desc" },
    take: MAX_SESSIONS,
  });
  return calls.flatMap(({ args, output }) => {
    const request = ExecRequest.pick({ command: true, pty: true }).safeParse(args);
    const result = ExecResult.pick({ session_id: true }).safeParse(output);
    const sessionId = result.data?.session_id;
    if (sessionId === undefined) return [];
    const { command = "", pty = false } = request.data ?? {};
    return [{ sessionId, command, pty }];
  });
};
