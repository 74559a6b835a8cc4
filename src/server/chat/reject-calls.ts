import type { ServerContext } from "@/server/context";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import type { RejectedCall, Tool } from "@/server/tools/tool";
import { listServerTools } from "@/server/settings/list-tools";

type Rejection = { call: RejectedCall; tool: Tool };

type MaybeRejected = {
  toolCallId: string;
  decision: "approve" | "reject";
  reason?: string | undefined;
};

/** Finds the rejected calls whose tools react to a rejection. The commit refuses calls that are not open. */
export const findRejections = async (
  ctx: ServerContext,
  { chatId, decisions }: { chatId: string; decisions: readonly MaybeRejected[] },
): Promise<Rejection[]> => {
  const rejected = decisions.filter(({ decision }) => decision === "reject");
  if (rejected.length === 0) return [];
  const read = await readChatWithCalls(ctx.db, { chatId, viewer: ctx.actor });
  const open = read?.openCalls ?? [];
  const calls = rejected.flatMap(({ toolCallId, reason = "" }) => {
    const call = open.find((each) => each.toolCallId === toolCallId && each.kind !== "builtin");
    return call ? [{ chatId, toolCallId, toolName: call.toolName, args: call.args, reason }] : [];
  });
  if (calls.length === 0) return [];
  const tools = new Map((await listServerTools(ctx)).map((tool) => [tool.name, tool]));
  return calls.flatMap(({ toolName, ...call }) => {
    const tool = tools.get(toolName);
    return tool ? [{ call, tool }] : [];
  });
};

/** What the model reads besides the reasons, by the ids of the calls. */
export const renderRejections = async (
  rejections: readonly Rejection[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      rejections.map(async ({ call, tool }): Promise<[string, string]> => [
        call.toolCallId,
        (await tool.renderRejection?.(call)) ?? "",
      ]),
    ),
  );
