import { actorId, type ServerContext } from "@/server/context";
import { claimOpenCall } from "@/server/chat/claim-calls";
import { expireClaim } from "@/server/chat/expire-claim";
import { releaseCallClaim, renewCallClaim } from "@/server/chat/renew-claim";
import { submitToolResult } from "@/server/chat/submit-tool-result";
import { listExpiredClaims } from "@/server/db/sql/machine/call-claims";
import { passLeases } from "./park-chat";

/** What a program does to the calls of a chat, by what it knows of its claims. */
export type ProgramOp = {
  op: "claimCall" | "answerClaimed" | "renewClaim" | "releaseClaim" | "loseLease";
  pick: number;
};

type HeldCall = { chatId: string; toolCallId: string; token: string };

/** A program with a key that works on the calls of one chat. It may still know claims that it has lost. */
export const createProgram = (ctx: ServerContext, chatId: string) => {
  const program: ServerContext = {
    ...ctx,
    actor: {
      ...ctx.actor,
      credential: {
        type: "api_key",
        id: "program",
        scopes: ["calls:answer"],
        only: null,
        expiresAt: null,
      },
    },
  };
  const held: HeldCall[] = [];
  const pickHeld = (pick: number): HeldCall | undefined => held[pick % Math.max(held.length, 1)];

  const claim = async (toolCallId: string): Promise<void> => {
    const ref = { chatId, toolCallId };
    const request = { ...ref, messageId: undefined, holder: actorId(program.actor) };
    const { claim } = await claimOpenCall(program, { ...request, leaseSeconds: 60 });
    if (claim?.token) held.push({ ...ref, token: claim.token });
  };
  const loseLease = async (): Promise<void> => {
    await passLeases(ctx.db, chatId);
    for (const expired of await listExpiredClaims(ctx.db, { limit: 1_000, except: [] }))
      if (expired.chatId === chatId) await expireClaim(ctx.db, expired, ctx.newId);
  };

  return {
    /** @param awaited the calls that the chat waits for. */
    run: async ({ op, pick }: ProgramOp, awaited: readonly { toolCallId: string }[]) => {
      if (op === "loseLease") return loseLease();
      if (op === "claimCall") {
        const call = awaited[pick % Math.max(awaited.length, 1)];
        return call && claim(call.toolCallId);
      }
      const call = pickHeld(pick);
      if (!call) return;
      const { token, ...ref } = call;
      if (op === "answerClaimed") {
        const result = { ...ref, output: 1, isError: false, claimToken: token };
        return submitToolResult(program, { chatId, messageId: undefined, result });
      }
      if (op === "releaseClaim")
        return releaseCallClaim(program, { ...call, retryAfterSeconds: 0 });
      const progress = pick % 2 === 0 ? { message: "on it" } : undefined;
      await renewCallClaim(program, { ...call, leaseSeconds: undefined, progress });
    },
  };
};
