import { ExecResult } from "@/contract/exec";
import type { JsonValue } from "@/contract/json";
import type { Queryable } from "@/server/db/connection/database";

/** Of a chat that starts more sessions, only the newest are known after a restart. */
const MAX_SESSIONS = 20;

/** The arguments are as the model wrote them. */
export type StartedSession = { sessionId: string; args: JsonValue };

/** Lists the exec sessions that a chat has started, as its committed calls say, the newest first. */
export const listStartedSessions = async (
  { prisma }: Queryable,
  chatId: string,
): Promise<StartedSession[]> => {
  const calls = await prisma.part.findMany({
    where: {
      toolName: "exec",
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
    const sessionId = ExecResult.pick({ session_id: true }).safeParse(output).data?.session_id;
    return sessionId === undefined ? [] : [{ sessionId, args: args as JsonValue }];
  });
};
