import type { ServerContext } from "@/server/context";
import type { OpenCallRow } from "@/server/db/rows";
import type { RejectedCall, Tool } from "@/server/tools/tool";
import { listServerTools } from "./list-tools";

export type Rejection = { call: RejectedCall; rejection: NonNullable<Tool["rejection"]> };

type RejectedInput = {
  chatId: string;
  open: readonly OpenCallRow[];
  rejected: readonly { toolCallId: string; reason?: string | undefined }[];
};

/** Finds the rejected calls whose tools do something about that. */
export const findRejections = async (
  ctx: ServerContext,
  { chatId, open, rejected }: RejectedInput,
): Promise<Rejection[]> => {
  const calls = rejected.flatMap(({ toolCallId, reason = "" }) => {
    const call = open.find((each) => each.toolCallId === toolCallId && each.kind !== "builtin");
    return call ? [{ chatId, toolCallId, toolName: call.toolName, args: call.args, reason }] : [];
  });
  if (calls.length === 0) return [];
  const tools = new Map((await listServerTools(ctx)).map((tool) => [tool.name, tool]));
  return calls.flatMap(({ toolName, ...call }) => {
    const rejection = tools.get(toolName)?.rejection;
    return rejection ? [{ call, rejection }] : [];
  });
};

/** What the model reads besides the reasons, by the ids of the calls. */
export const renderRejections = async (
  rejections: readonly Rejection[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      rejections.map(async ({ call, rejection }): Promise<[string, string]> => [
        call.toolCallId,
        await rejection.render(call),
      ]),
    ),
  );

/** Reports the rejections that have been committed. Does not reject. */
export const exitRejections = async (rejections: readonly Rejection[]): Promise<void> => {
  await Promise.all(rejections.map(({ call, rejection }) => rejection.exit(call)));
};
