import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import type { OpenCallRow } from "@/server/db/chats/rows";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { log } from "@/server/log";
import { listServerTools } from "@/server/settings/list-tools";
import { type Binding, bindCalls } from "@/server/tools/bind-calls";
import type { AnsweredChat } from "./answered-chats";

type Edit = { toolCallId: string; args?: JsonObject | undefined };

/** A call whose arguments a person has changed. */
export type EditedCall = {
  args: JsonObject;
  /** What "always for this chat" covers of the changed call. */
  approvalScope: JsonValue;
  /** Why the arguments do not fit; pointers are relative to them. */
  errors: FieldError[];
  /** The call as it waited when the arguments were checked. */
  checked: OpenCallRow;
};

/**
 * Checks changed arguments as the inputs of their tools. Arguments that are equal to the model's are no change.
 *
 * @returns the edited calls of the chat by their ids, without those that wait for nothing.
 */
export const checkEdits = async (
  ctx: ServerContext,
  { chatId, entries }: AnsweredChat<Edit>,
): Promise<ReadonlyMap<string, EditedCall>> => {
  const edits = entries.flatMap(({ toolCallId, args }) => (args ? [{ toolCallId, args }] : []));
  if (edits.length === 0) return new Map();
  const { actor, db } = ctx;
  const read = await readChatWithCalls(db, { chatId, viewer: actor });
  const open = new Map(read?.openCalls.map((call) => [call.toolCallId, call]));
  const tools = new Map((await listServerTools(ctx)).map((tool) => [tool.name, tool]));
  const calls = edits.flatMap(({ toolCallId, args }) => {
    const checked = open.get(toolCallId);
    if (!checked || isDeepStrictEqual(checked.args, args)) return [];
    const tool = tools.get(checked.toolName);
    return [{ args, checked, tool: tool?.kind === checked.kind ? tool : undefined }];
  });
  const known = calls.flatMap(({ args, checked: { toolCallId }, tool }) =>
    tool ? [{ chatId, toolCallId, tool, args }] : [],
  );
  const found = await bindCalls(known, { userId: actor.userId, log: log() });
  const bindings = new Map(known.map(({ toolCallId }, index) => [toolCallId, found[index]]));
  return new Map(
    await Promise.all(
      calls.map(async ({ args, checked }): Promise<[string, EditedCall]> => {
        const { toolCallId } = checked;
        const checks = await readBinding(bindings.get(toolCallId));
        return [toolCallId, { args, checked, ...checks }];
      }),
    ),
  );
};

const readBinding = async (
  binding: Binding | undefined,
): Promise<Pick<EditedCall, "approvalScope" | "errors">> => {
  if (!binding) return refuse("cannot be checked: the server has no such tool any more");
  if (binding.type === "misfit") return { approvalScope: null, errors: binding.errors };
  if (binding.type !== "bound") return refuse("could not be checked");
  try {
    return { approvalScope: await binding.bound.approvalScope(), errors: [] };
  } catch (error) {
    log().error({ err: error }, "the scope of changed arguments could not be read");
    return refuse("could not be checked");
  }
};

const refuse = (message: string): Pick<EditedCall, "approvalScope" | "errors"> => ({
  approvalScope: null,
  errors: [{ pointer: "", message }],
});

/**
 * Checks the edits of a locked chat.
 *
 * @throws {DomainError} `conflict` for a call that is another one than was checked, `invalid` with the fields that do
 *   not fit.
 */
export const requireEdits = (
  edited: ReadonlyMap<string, EditedCall>,
  { entries, open }: { entries: AnsweredChat<Edit>["entries"]; open: readonly OpenCallRow[] },
): void => {
  const errors: FieldError[] = [];
  for (const { toolCallId, index } of entries) {
    const edit = edited.get(toolCallId);
    if (!edit) continue;
    const call = open.find((each) => each.toolCallId === toolCallId);
    if (!call || !isSameCall(call, edit.checked)) {
      throw new DomainError("conflict", `The call "${toolCallId}" has changed meanwhile.`);
    }
    errors.push(
      ...edit.errors.map(({ pointer, message }) => ({
        pointer: `/decisions/${index}/args${pointer}`,
        message,
      })),
    );
  }
  if (errors.length === 0) return;
  throw new DomainError("invalid", "Some arguments do not fit the tools of their calls.", {
    errors,
  });
};

/** The id alone is not enough: a model may give it to a call of a later answer. */
const isSameCall = (one: OpenCallRow, other: OpenCallRow): boolean =>
  one.messageId === other.messageId;
