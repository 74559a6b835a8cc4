import { beforeAll, describe, expect, it } from "vitest";
import type { DomainError } from "@/contract/domain-error";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { Labels } from "@/contract/labels";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import type { ListedCallRow } from "@/server/db/sql/reads/open-call-reads";
import { listExpiredClaims } from "@/server/db/sql/machine/call-claims";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { recordPlan } from "@/test/record-plan";
import { commitAnswer, openCall, passDeadlines, passLeases } from "@/test/park-chat";
import { claimOpenCall, claimOpenCalls, limitFilter } from "./claim-calls";
import { createChat } from "./create-chat";
import { deleteChat } from "./delete-chat";
import { editMessage } from "./edit-message";
import { expireAction } from "./expire-action";
import { expireClaim } from "./expire-claim";
import { interruptChat } from "./interrupt-chat";
import { releaseCallClaim, renewCallClaim } from "./renew-claim";
import { sendMessage } from "./send-message";
import { submitToolResult } from "./submit-tool-result";
import { submitToolResults } from "./submit-tool-results";
import { updateChat } from "./update-chat";

const TOOLS: DynamicTool[] = [
  { name: "restart" },
  { name: "look", repeatable: true, max_attempts: 2 },
  { name: "measure", output_schema: { type: "number" }, description: "Measures" },
];

let db: Database;
/** Of a person of their own for each test, as claims go across chats. */
let person: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
});

const withKey = (id: string): ServerContext => ({
  ...person,
  actor: {
    ...person.actor,
    credential: { type: "api_key", id, scopes: ["calls:answer"], only: null, expiresAt: null },
  },
});

const createPerson = async (): Promise<void> => {
  person = await createTestContext(db);
};

const park = async (parts: PartRow[], labels: Labels = {}): Promise<string> => {
  const { id } = await createChat(person, {
    content: toTextContent("hello"),
    dynamicTools: TOOLS,
    labels,
  });
  await commitAnswer(db, id, { parts, after: "park" });
  return id;
};

type Wanted = Partial<Parameters<typeof claimOpenCalls>[1]>;

const claimSome = async (
  { filter = {}, ...wanted }: Wanted = {},
  ctx = withKey("key"),
): Promise<ListedCallRow[]> => {
  const { calls } = await claimOpenCalls(ctx, {
    holder: "runner",
    leaseSeconds: 60,
    limit: 50,
    resume: false,
    filter: limitFilter(ctx.actor, filter),
    ...wanted,
  });
  return calls;
};

const claimOne = (chatId: string, toolCallId: string, holder = "runner", ctx = withKey("key")) =>
  claimOpenCall(ctx, { chatId, toolCallId, messageId: undefined, holder, leaseSeconds: 60 });

const getToken = ({ claim }: ListedCallRow): string => {
  if (!claim?.token) throw new Error("the call is not claimed");
  return claim.token;
};

const answer = (
  call: { chatId: string; toolCallId: string },
  { token, output = "yes" }: { token?: string; output?: JsonValue } = {},
  ctx = withKey("key"),
): Promise<void> =>
  submitToolResult(ctx, {
    chatId: call.chatId,
    messageId: undefined,
    result: { toolCallId: call.toolCallId, output, isError: false, claimToken: token },
  });

const refuse = (request: Promise<unknown>): Promise<DomainError> =>
  request.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => error as DomainError,
  );

const readCalls = async (chatId: string): Promise<ToolCallPartRow[]> =>
  (await readWholeHistory(db, chatId))
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool_call");

/** No transition archives a chat that waits, or leads an archived chat there. */
const setArchived = async (chatId: string, archivedAt: Date | null): Promise<void> => {
  await db.prisma.chat.update({ where: { id: chatId }, data: { archivedAt } });
};

const countClaims = (chatId: string): Promise<number> =>
  db.prisma.callClaim.count({ where: { chatId } });

const expireClaims = async (chatId: string): Promise<void> => {
  for (const claim of await listExpiredClaims(db, { limit: 1_000, except: [] }))
    if (claim.chatId === chatId) await expireClaim(db, claim, person.newId);
};

describe("claiming calls", () => {
  it("takes the oldest that are free, across chats, with what their tools say", async () => {
    await createPerson();
    const first = await park([openCall("a", "measure", { args: { of: "x" } })], { app: "bot" });
    const second = await park([openCall("a", "restart"), openCall("b", "look")]);
    const { version } = await readChat(db, first);
    const claimed = await claimSome({ limit: 2 });
    expect(claimed.map(({ chatId, toolCallId }) => [chatId, toolCallId])).toEqual([
      [first, "a"],
      [second, "a"],
    ]);
    expect(claimed[0]).toMatchObject({
      rootChatId: first,
      labels: { app: "bot" },
      args: { of: "x" },
      tool: { description: "Measures", output_schema: { type: "number" } },
      claim: { holder: "runner", credential: "api_key:key", attempt: 1, maxAttempts: 1 },
    });
    expect((await readChat(db, first)).version).toBe(version + 1);
    expect((await claimSome()).map(({ toolCallId }) => toolCallId)).toEqual(["b"]);
    expect(await claimSome()).toEqual([]);
  });

  it("takes calls of some tools, and of chats with some labels", async () => {
    await createPerson();
    await park([openCall("a", "look")], { app: "bot" });
    const wanted = await park([openCall("a", "look"), openCall("b", "restart")], {
      app: "other",
      team: "web",
    });
    const filter = { tools: ["look", "measure"], labels: { team: "web" } };
    const claimed = await claimSome({ filter });
    expect(claimed).toMatchObject([{ chatId: wanted, toolCallId: "a" }]);
    expect(claimed).toHaveLength(1);
  });

  it("leaves out other people's calls, approvals, questions, archived chats and closed calls", async () => {
    await createPerson();
    await park([openCall("a", "look")]);
    await createPerson();
    await park([
      openCall("a", "exec", { kind: "builtin", state: "awaiting_approval" }),
      openCall("b", "ask", { kind: "mcp" }),
    ]);
    const archived = await park([openCall("a", "look")]);
    await setArchived(archived, new Date());
    const stopped = await park([openCall("a", "look")]);
    await interruptChat(person, { chatId: stopped, cancelCalls: undefined });
    expect(await claimSome()).toEqual([]);
    await setArchived(archived, null);
    expect(await claimSome()).toMatchObject([{ chatId: archived }]);
  });

  it("gives each of many calls to one of many programs", async () => {
    await createPerson();
    for (let chat = 0; chat < 5; chat += 1) {
      await park(Array.from({ length: 4 }, (_, index) => openCall(`call_${index}`, "look")));
    }
    const taken: string[] = [];
    const run = async (holder: string): Promise<void> => {
      for (;;) {
        const calls = await claimSome({ holder, limit: 2 });
        if (calls.length === 0) return;
        taken.push(...calls.map(({ chatId, toolCallId }) => `${chatId}/${toolCallId}`));
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => run(`runner-${index}`)));
    // What is left was in a chat that another program was just looking at.
    taken.push(...(await claimSome()).map(({ chatId, toolCallId }) => `${chatId}/${toolCallId}`));
    expect(taken).toHaveLength(20);
    expect(new Set(taken).size).toBe(20);
  });

  it("looks for calls by the chats of its owner that wait", async () => {
    await createPerson();
    const plan = await recordPlan(db, (explained) =>
      claimOpenCalls(
        { ...withKey("key"), db: explained },
        { holder: "runner", leaseSeconds: 60, limit: 1, resume: true, filter: {} },
      ),
    );
    // For what it has, what is free, and whether anything is.
    expect(plan.match(/Index Scan using chat_parked_idx/g)).toHaveLength(3);
    expect(plan).not.toMatch(/Seq Scan on (?:chat|message|part)/);
  });

  it("lets one of a hundred have one call, and tells the others who has it", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look")]);
    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => claimOne(chatId, "a", `runner-${index}`)),
    );
    const won = tries.filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(1);
    const reasons = tries.flatMap((each) =>
      each.status === "rejected" ? [(each.reason as DomainError).reason] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(["call_claimed"]));
    const refused = await refuse(claimOne(chatId, "a"));
    expect(refused).toMatchObject({ reason: "call_claimed", shouldRetry: true });
    expect(refused.call?.claim?.holder).toMatch(/^runner-/);
    expect(refused.retryAfterSeconds).toBeGreaterThan(50);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it("gives a program that was restarted its own calls again, with new tokens", async () => {
    await createPerson();
    await park([openCall("a", "look"), openCall("b", "look")]);
    const [before] = await claimSome({ limit: 1 });
    const other = await claimSome({ limit: 1, holder: "other" });
    const resumed = await claimSome({ resume: true });
    expect(resumed.map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
    const [again] = resumed;
    if (!before || !again) throw new Error("nothing was claimed");
    expect(getToken(again)).not.toBe(getToken(before));
    expect(await refuse(answer(before, { token: getToken(before) }))).toMatchObject({
      reason: "lease_lost",
    });
    expect(await claimSome({ resume: true }, withKey("another key"))).toEqual([]);
    await answer(again, { token: getToken(again) });
    expect(await claimSome({ resume: true, holder: "other" })).toMatchObject([
      { toolCallId: other[0]?.toolCallId },
    ]);
  });

  it("refuses an unknown chat and call, one of another message, and what is not open", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("q", "ask", { kind: "mcp" })]);
    expect(await refuse(claimOne(person.newId(), "a"))).toMatchObject({ code: "not_found" });
    expect(await refuse(claimOne(chatId, "other"))).toMatchObject({ code: "not_found" });
    expect(await refuse(claimOne(chatId, "q"))).toMatchObject({ reason: "call_not_awaited" });
    const elsewhere = claimOpenCall(withKey("key"), {
      chatId,
      toolCallId: "a",
      messageId: person.newId(),
      holder: "runner",
      leaseSeconds: 60,
    });
    expect(await refuse(elsewhere)).toMatchObject({ reason: "call_closed" });
    await setArchived(chatId, new Date());
    expect(await refuse(claimOne(chatId, "a"))).toMatchObject({ reason: "chat_archived" });
    await setArchived(chatId, null);
    await answer({ chatId, toolCallId: "a" }, {}, person);
    expect(await refuse(claimOne(chatId, "a"))).toMatchObject({ reason: "call_answered" });
  });
});

describe("a key that is restricted to some tools", () => {
  const restricted = (...tools: string[]): ServerContext => {
    const { actor, ...ctx } = withKey("restricted");
    if (actor.credential.type === "session") throw new Error("a key is restricted");
    return { ...ctx, actor: { ...actor, credential: { ...actor.credential, only: { tools } } } };
  };

  it("is offered calls of these, and refused all others", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "restart")]);
    const key = restricted("lo*", "%", "_______");
    expect(await refuse(claimOne(chatId, "b", "runner", key))).toMatchObject({ code: "forbidden" });
    const named = claimSome({ filter: { tools: ["look", "restart"] } }, key);
    expect(await refuse(named)).toMatchObject({ code: "forbidden" });
    expect((await claimSome({}, key)).map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
    const held = await claimOne(chatId, "b");
    const { toolCallId } = held;
    const unknown = { chatId, toolCallId, token: person.newId(), retryAfterSeconds: 0 };
    expect(await refuse(releaseCallClaim(key, unknown))).toMatchObject({ code: "forbidden" });
  });
});

describe("the result of a claimed call", () => {
  it("is taken with the token, and again for ever, whoever sends it", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "look")]);
    const call = await claimOne(chatId, "a");
    const token = getToken(call);
    await answer(call, { token });
    expect(await countClaims(chatId)).toBe(0);
    const before = await readChat(db, chatId);
    await answer(call, { token });
    await answer(call, { token }, withKey("another key"));
    expect(await readChat(db, chatId)).toEqual(before);
    expect(await refuse(answer(call, { token, output: "no" }))).toMatchObject({
      reason: "call_answered",
    });
    const [stored] = await readCalls(chatId);
    expect(stored).toMatchObject({ output: "yes", resolvedClaim: token });
  });

  it("is refused without the token, with another one, and for a call that nobody has claimed", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "look")]);
    const call = await claimOne(chatId, "a");
    expect(await refuse(answer(call))).toMatchObject({ reason: "call_claimed" });
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect(await refuse(answer(call, { token: unknown }))).toMatchObject({ reason: "lease_lost" });
    const other = { chatId, toolCallId: "b" };
    expect(await refuse(answer(other, { token: unknown }))).toMatchObject({ reason: "lease_lost" });
    await answer(other);
    expect((await readCalls(chatId)).map(({ state }) => state)).toEqual([
      "awaiting_result",
      "completed",
    ]);
  });

  it("is refused with the results of the step, but of a person", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "look")]);
    const token = getToken(await claimOne(chatId, "a"));
    const results = (claimToken?: string) =>
      ["a", "b"].map((toolCallId) => ({
        toolCallId,
        output: 1,
        isError: false,
        ...(toolCallId === "a" && { claimToken }),
      }));
    const submit = (ctx: ServerContext, claimToken?: string) =>
      submitToolResults(ctx, { chatId, results: results(claimToken) });
    expect(await refuse(submit(withKey("key")))).toMatchObject({ reason: "call_claimed" });
    await submit(withKey("key"), token);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending" });

    const other = await park([openCall("a", "look")]);
    const call = await claimOne(other, "a");
    await answer(call, { output: "a person says so" }, person);
    expect(await countClaims(other)).toBe(0);
    const held = { chatId: other, toolCallId: "a", token: getToken(call) };
    const beat = renewCallClaim(withKey("key"), {
      ...held,
      leaseSeconds: undefined,
      progress: undefined,
    });
    expect(await refuse(beat)).toMatchObject({
      reason: "call_answered",
      call: { resolved_by: person.actor.userId },
    });
  });
});

describe("a heartbeat", () => {
  const beat = (
    call: ListedCallRow,
    rest: Partial<Parameters<typeof renewCallClaim>[1]> = {},
    ctx = withKey("key"),
  ) =>
    renewCallClaim(ctx, {
      chatId: call.chatId,
      toolCallId: call.toolCallId,
      token: getToken(call),
      leaseSeconds: undefined,
      progress: undefined,
      ...rest,
    });

  it("renews the lease without a change of the chat, unless it brings progress", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look")]);
    const call = await claimOne(chatId, "a");
    const { version, actionDeadlineAt } = await readChat(db, chatId);
    const lease = await beat(call, { leaseSeconds: 600 });
    expect(lease.deadlineAt).toEqual(actionDeadlineAt);
    const seconds = (lease.expiresAt.getTime() - (call.claim?.claimedAt.getTime() ?? 0)) / 1_000;
    expect(Math.round(seconds)).toBeGreaterThanOrEqual(600);
    expect((await readChat(db, chatId)).version).toBe(version);
    const progress = { message: 'Copying "files"', percent: 40 };
    const again = await beat(call, { progress });
    // As long as it was asked for last.
    expect(again.expiresAt.getTime()).toBeGreaterThanOrEqual(lease.expiresAt.getTime());
    expect((await readChat(db, chatId)).version).toBe(version + 1);
    const [held] = await claimSome({ resume: true });
    expect(held?.claim?.progress).toEqual(progress);
  });

  it("is refused to strangers, for a call that was given back, closed or deleted", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "look")]);
    const call = await claimOne(chatId, "a");
    const owner = person;
    await createPerson();
    const stranger = withKey("theirs");
    expect(await refuse(beat(call, {}, stranger))).toMatchObject({ code: "not_found" });
    person = owner;
    const release = () =>
      releaseCallClaim(withKey("key"), {
        chatId,
        toolCallId: "a",
        token: getToken(call),
        retryAfterSeconds: 0,
      });
    await release();
    expect(await refuse(release())).toMatchObject({ reason: "lease_lost" });
    expect(await refuse(beat(call))).toMatchObject({ reason: "lease_lost" });
    const again = await claimOne(chatId, "a");
    expect(again.claim?.attempt).toBe(1);
    await interruptChat(person, { chatId, cancelCalls: undefined });
    expect(await refuse(beat(again))).toMatchObject({ reason: "call_closed" });
    expect(await countClaims(chatId)).toBe(0);
  });
});

describe("a call that was given back", () => {
  it("is offered again, but not before its time", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "look")]);
    const [a, b] = await claimSome();
    if (!a || !b) throw new Error("nothing was claimed");
    for (const [call, retryAfterSeconds] of [
      [a, 0],
      [b, 600],
    ] as const) {
      const { toolCallId } = call;
      const held = { chatId, toolCallId, token: getToken(call), retryAfterSeconds };
      await releaseCallClaim(withKey("key"), held);
    }
    expect((await claimSome()).map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
  });
});

describe("a lease that has run out", () => {
  it("offers a call that may be repeated again, as often as its tool says", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "restart")]);
    const first = await claimOne(chatId, "a");
    await expireClaims(chatId);
    expect(await countClaims(chatId)).toBe(1);
    await passLeases(db, chatId);
    await expireClaims(chatId);
    const late = answer(first, { token: getToken(first) });
    expect(await refuse(late)).toMatchObject({ reason: "lease_lost" });
    const second = await claimOne(chatId, "a", "other");
    expect(second.claim).toMatchObject({ holder: "other", attempt: 2 });
    await passLeases(db, chatId);
    await expireClaims(chatId);
    const [a, b] = await readCalls(chatId);
    expect(a).toMatchObject({ state: "error", isError: true, resolvedBy: "worker" });
    expect(a?.output).toMatch(/^Unknown: the program that ran this stopped/);
    expect(b?.state).toBe("awaiting_result");
    expect(await readChat(db, chatId)).toMatchObject({ status: "requires_action" });
    expect(await refuse(answer(second, { token: getToken(second) }))).toMatchObject({
      reason: "call_closed",
    });
  });

  it("closes a call that may not be repeated, and the turn goes on", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "restart")]);
    await claimOne(chatId, "a");
    await passLeases(db, chatId);
    await expireClaims(chatId);
    expect(await readCalls(chatId)).toMatchObject([{ state: "error" }]);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending" });
    expect(await countClaims(chatId)).toBe(0);
  });

  it("is kept by a heartbeat that comes before anybody has ended it", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "restart")]);
    const call = await claimOne(chatId, "a");
    await passLeases(db, chatId);
    const expired = await listExpiredClaims(db, { limit: 1_000, except: [] });
    await renewCallClaim(withKey("key"), {
      chatId,
      toolCallId: "a",
      token: getToken(call),
      leaseSeconds: undefined,
      progress: undefined,
    });
    for (const claim of expired) await expireClaim(db, claim, person.newId);
    expect(await readCalls(chatId)).toMatchObject([{ state: "awaiting_result" }]);
    await answer(call, { token: getToken(call) });
  });

  it("does not end while the chat is archived", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "restart")]);
    await claimOne(chatId, "a");
    await setArchived(chatId, new Date());
    await passLeases(db, chatId);
    await expireClaims(chatId);
    expect(await readCalls(chatId)).toMatchObject([{ state: "awaiting_result" }]);
    await setArchived(chatId, null);
    await expireClaims(chatId);
    expect(await readCalls(chatId)).toMatchObject([{ state: "error" }]);
  });
});

describe("while a program works on a call,", () => {
  /** What people and the clock can do to the chat. */
  const ENDINGS: Record<string, { end: (chatId: string) => Promise<unknown>; refusal: object }> = {
    "a stop": {
      end: (chatId) => interruptChat(person, { chatId, cancelCalls: undefined }),
      refusal: { reason: "call_closed" },
    },
    "an edit": {
      end: async (chatId) => {
        const [question] = await readWholeHistory(db, chatId);
        const messageId = question?.id ?? "";
        await editMessage(person, { chatId, messageId, content: toTextContent("hi") });
      },
      refusal: { reason: "call_closed" },
    },
    "a message that interrupts": {
      end: (chatId) =>
        sendMessage(person, {
          chatId,
          content: toTextContent("never mind"),
          busyBehavior: "interrupt",
        }),
      refusal: { reason: "call_closed" },
    },
    "a stop, and the deletion of the chat": {
      end: async (chatId) => {
        await interruptChat(person, { chatId, cancelCalls: undefined });
        await deleteChat(person, { chatId });
      },
      refusal: { code: "not_found" },
    },
    "the deadline": {
      end: async (chatId) => {
        await passDeadlines(db, chatId, ["a"]);
        await expireAction(db, chatId, person.newId);
      },
      refusal: { reason: "call_closed" },
    },
  };

  it.each(Object.entries(ENDINGS))("%s ends its claim", async (_name, { end, refusal }) => {
    await createPerson();
    const chatId = await park([openCall("a", "look"), openCall("b", "look")]);
    const call = await claimOne(chatId, "a");
    const token = getToken(call);
    await end(chatId);
    expect(await countClaims(chatId)).toBe(0);
    const held = { chatId, toolCallId: "a", token };
    const beat = { ...held, leaseSeconds: undefined, progress: undefined };
    const requests = [
      () => answer(call, { token }),
      () => renewCallClaim(withKey("key"), beat),
      () => releaseCallClaim(withKey("key"), { ...held, retryAfterSeconds: 0 }),
    ];
    const before = await readWholeHistory(db, chatId);
    for (const request of requests) expect(await refuse(request())).toMatchObject(refusal);
    expect(await readWholeHistory(db, chatId)).toEqual(before);
  });

  it("its chat cannot be archived or deleted", async () => {
    await createPerson();
    const chatId = await park([openCall("a", "look")]);
    const call = await claimOne(chatId, "a");
    const requests = [
      () => updateChat(person, { chatId, archived: true }),
      () => deleteChat(person, { chatId }),
    ];
    for (const request of requests)
      expect(await refuse(request())).toMatchObject({ code: "conflict" });
    await answer(call, { token: getToken(call) });
  });
});
