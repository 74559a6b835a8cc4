import type { ClaimedCall } from "@/contract/call";
import type { Operation } from "@/server/api/operation";
import type { Database } from "@/server/db/connection/database";
import type { TestClient } from "./api-client";
import { readWholeHistory } from "./chat-probe";
import { commitAnswer, openCall } from "./park-chat";
import { beginTestTask } from "./task-fixture";
import { toolCall } from "./tool-call";

/** The call of a chat that is parked, as in the examples of bodies. */
const CALL_ID = "call_1";

/** Need a chat whose queue is empty. */
const WITHOUT_QUEUE = new Set([
  "chats.fork",
  "chats.regenerate",
  "chats.continue",
  "chats.interrupt",
  "chats.compact",
  "chats.clear",
  "messages.undo",
  "messages.choose",
]);

/** What a request must have of the chat, or of the present time, in place of what an example has. */
type Actual = Readonly<Record<string, unknown>>;

export type PreparedOperation = {
  chatId: string;
  /** The method, and the path with its parameters. */
  route: string;
  /** The example, as it fits the chat. */
  body: object | undefined;
};

/** Creates what brings a new chat of a client into a state that accepts an operation. */
export const createPreparer = (db: Database, client: TestClient) => {
  const finish = (id: string) =>
    commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
  const park = (id: string, state: "awaiting_result" | "awaiting_approval" = "awaiting_result") =>
    commitAnswer(db, id, { parts: [openCall(CALL_ID, "ask", { state })], after: "park" });
  const claim = async (id: string): Promise<Actual> => {
    await park(id);
    const route = `POST /chats/${id}/tool-calls/${CALL_ID}/claim`;
    const { body } = await client.call(route, { holder: "runner" });
    return { token: (body as ClaimedCall).claim.token };
  };
  const require = async (status: number, route: string, sent?: object): Promise<void> => {
    const answer = await client.call(route, sent);
    if (answer.status !== status) throw new Error(`${route} gave ${answer.status}`);
  };
  const breakState = (id: string) =>
    db.query(
      {
        name: "test-break-state",
        text: `UPDATE chat SET status = 'waiting', queued_count = 1 WHERE id = $1::uuid`,
      },
      [id],
    );

  const PREPARE: Record<string, (id: string, example: object) => Promise<Actual | void>> = {
    "chats.fork": finish,
    "chats.regenerate": finish,
    "chats.continue": (id) => {
      const parts = [toolCall({ toolCallId: "a", state: "completed" })];
      return commitAnswer(db, id, { parts, after: "finish", finishReason: "auto-submit-off" });
    },
    "chats.compact": finish,
    "chats.clear": finish,
    "messages.undo": async (id) => {
      await finish(id);
      await require(204, `POST /chats/${id}/clear`);
    },
    "messages.choose": async (id) => {
      await finish(id);
      await require(202, `POST /chats/${id}/regenerate`, {});
      await finish(id);
    },
    "queue.promote": (id) => park(id),
    "chats.submitToolResults": (id) => park(id),
    "toolCalls.claim": (id) => park(id),
    "toolCalls.extend": async (id) => {
      await park(id);
      return { deadline_at: new Date(Date.now() + 60_000).toISOString() };
    },
    "toolCalls.heartbeat": claim,
    "toolCalls.release": claim,
    "toolCalls.submitResult": (id, example) => ("token" in example ? claim(id) : park(id)),
    "chats.decideApprovals": (id) => park(id, "awaiting_approval"),
    "chats.reconcile": async (id) => void (await breakState(id)),
  };

  return async (
    { name, method, path }: Operation,
    example?: object,
  ): Promise<PreparedOperation> => {
    const id = await client.startChat();
    const queued = await client.call(`POST /chats/${id}/messages`, { content: "Queued" });
    const { queued_message } = queued.body as { queued_message: { id: string } };
    if (WITHOUT_QUEUE.has(name)) {
      await client.call(`DELETE /chats/${id}/queue/${queued_message.id}`);
    }
    const actual = (await PREPARE[name]?.(id, example ?? {})) ?? {};
    const history = await readWholeHistory(db, id);
    const message_id = (name === "messages.edit" ? history[0] : history.at(-1))?.id ?? "";
    const ids: Record<string, string> = {
      chat_id: id,
      queued_id: queued_message.id,
      task_id: path.includes("{task_id}") ? await beginTestTask(db, { chatId: id }) : "",
      message_id,
      tool_call_id: CALL_ID,
    };
    const sendFile = async (): Promise<string[]> => {
      const { body } = await client.call(`POST /files?chat_id=${id}`, Buffer.from("a file"));
      return [(body as { id: string }).id];
    };
    const fitting: Actual = { message_id, file_ids: await sendFile(), ...actual };
    return {
      chatId: id,
      route: `${method} ${path.replaceAll(/\{(\w+)\}/g, (whole, of: string) => ids[of] ?? whole)}`,
      body:
        example &&
        Object.fromEntries(
          Object.entries(example).map(([field, value]) => [field, fitting[field] ?? value]),
        ),
    };
  };
};
