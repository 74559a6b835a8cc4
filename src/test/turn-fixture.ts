import { Registry } from "prom-client";
import type { CreateChat } from "@/server/chat/create-chat";
import { createChat } from "@/server/chat/create-chat";
import { createTurnTools } from "@/server/chat/turn-tools";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import { createStepAdvisors } from "@/server/chat/step-advisors";
import { runTurn } from "@/server/chat/run-turn";
import type { StopReason, TurnDeps } from "@/server/chat/turn-deps";
import { createTurnStore } from "@/server/chat/turn-store";
import type { PreviewOp } from "@/contract/stream-event";
import type { ServerContext } from "@/server/context";
import { recentChanges } from "@/server/db/recent-changes";
import type { ChatRow } from "@/server/db/rows";
import { type ClaimedChat, claimChats } from "@/server/db/sql/claim";
import { callModel } from "@/server/model/call-model";
import { createTools } from "@/server/tools/registry";
import { createToolSources } from "@/server/tools/tool-source";
import type { Tool } from "@/server/tools/tool";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { textContent } from "./chat-fixture";
import { readChat, readWholeHistory } from "./chat-probe";
import { testDatabase } from "./database";
import { type ScriptedModel, type ScriptedStep, scriptedModel } from "./scripted-model";
import { testContext } from "./chat-fixture";
import { emptyToolDeps, recordedDeps } from "./tool-fixture";

type TurnSetup = Partial<CreateChat> & {
  /** Answers of the model, call by call. */
  steps: ScriptedStep[];
  /** Offered beside the built-in tools. */
  tools?: Tool[];
  /** Without one there is no advisor. */
  advisor?: AdvisorRuntime;
  ctx?: ServerContext;
};

export type TurnFixture = {
  ctx: ServerContext;
  chatId: string;
  model: ScriptedModel;
  /** What watchers were told. */
  ops: PreviewOp[];
  /** Milliseconds of each wait between tries. */
  waits: number[];
  /** What the turns have counted. */
  register: Registry;
  /** The built-in tools that the turns use. */
  builtin: ReturnType<typeof createTools>;
  claim: () => Promise<ClaimedChat>;
  /** A worker claims the chat and dies; its lease is over. */
  crash: () => Promise<void>;
  /** Claims the chat and runs it until it is out of the worker's hands. */
  run: (changes?: Partial<TurnDeps>) => Promise<void>;
  /** Stops the turn that runs. */
  stop: (reason: StopReason) => void;
  chat: () => Promise<ChatRow>;
  history: () => ReturnType<typeof readWholeHistory>;
};

const END_LEASE = {
  name: "test-end-lease",
  text: `UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE id = $1::uuid`,
};

/** A chat on the real database, and a worker's hands with a scripted model in them. */
export const turnFixture = async ({
  steps,
  tools = [],
  advisor,
  ctx: given,
  ...input
}: TurnSetup): Promise<TurnFixture> => {
  const db = await testDatabase();
  const ctx = given ?? (await testContext(db));
  const { id: chatId } = await createChat(ctx, { content: textContent("hello"), ...input });
  const model = scriptedModel(steps);
  const ops: PreviewOp[] = [];
  const waits: number[] = [];
  let controller = new AbortController();

  const claim = async (): Promise<ClaimedChat> => {
    const claimed = await claimChats(db, { owner: "test", limit: 10_000 });
    const mine = claimed.find((chat) => chat.id === chatId);
    if (!mine) throw new Error("the chat could not be claimed");
    recentChanges(db).add({ chat: mine, messages: [] });
    return mine;
  };
  const register = new Registry();
  const meter = createTurnMeter(register);
  const { saveArtifact, step } = recordedDeps().deps;
  const stepAdvisors = createStepAdvisors();
  const builtin = createTools({ ...emptyToolDeps, advise: stepAdvisors.advise });
  const sources = createToolSources([...Object.values(builtin), ...tools]);
  const deps = (changes: Partial<TurnDeps>): TurnDeps => ({
    store: createTurnStore(db, ctx.newId),
    resolveModel: () =>
      Promise.resolve({
        provider: "demo",
        model: "scripted",
        label: "demo/scripted",
        contextLimit: null,
        prices: null,
        client: model,
      }),
    callModel,
    tools: (chat) => createTurnTools({ sources, advisor, chat, log: step.log }),
    meter,
    saveArtifact,
    stepAdvisors,
    log: step.log,
    preview: { reset: () => undefined, write: (op) => ops.push(op), end: () => undefined },
    signal: controller.signal,
    isStopping: () => false,
    now: () => new Date(),
    newId: ctx.newId,
    random: () => 0,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...changes,
  });
  return {
    ctx,
    chatId,
    model,
    ops,
    waits,
    register,
    builtin,
    claim,
    crash: async () => {
      await claim();
      await db.query(END_LEASE, [chatId]);
    },
    run: async (changes = {}) => {
      controller = new AbortController();
      await runTurn(deps(changes), await claim());
    },
    stop: (reason) => controller.abort(reason),
    chat: () => readChat(db, chatId),
    history: () => readWholeHistory(db, chatId),
  };
};
