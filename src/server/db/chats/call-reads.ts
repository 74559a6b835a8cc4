import type { Queryable } from "@/server/db/connection/database";
import { OPEN_CALL_STATES } from "./rows";

type CallId = { chatId: string; toolCallId: string };

/** Returns the given calls that are open; omits deleted ones. */
export const listOpenOf = async (
  { prisma }: Queryable,
  calls: readonly CallId[],
): Promise<CallId[]> => {
  const parts = await prisma.part.findMany({
    where: {
      message: { chatId: { in: calls.map(({ chatId }) => chatId) }, deleted: false },
      toolCallId: { in: calls.map(({ toolCallId }) => toolCallId) },
      state: { in: [...OPEN_CALL_STATES] },
    },
    select: { toolCallId: true, message: { select: { chatId: true } } },
  });
  return parts.flatMap(({ toolCallId, message: { chatId } }) =>
    toolCallId === null ? [] : { chatId, toolCallId },
  );
};
