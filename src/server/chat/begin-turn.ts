import type { ServerContext } from "@/server/context";
import { type ClaimedChat, type ClaimRoom, hasRoom } from "@/server/db/sql/machine/claim";

/** What a statement has done, and the chat, if it has claimed it. */
type Begun<Result> = { result: Result; claimed?: ClaimedChat | undefined };

/**
 * Runs a statement that begins a turn or continues one. The worker of this process goes on with it at once, without another
 * statement, if it has room.
 *
 * @param run claims the chat for the worker whose room it gets.
 */
export const beginTurn = async <Result>(
  { claimNew }: Pick<ServerContext, "claimNew">,
  run: (room: ClaimRoom | undefined) => Promise<Begun<Result>>,
): Promise<Result> => {
  const begun: Begun<Result>[] = [];
  const runIn = async (room?: ClaimRoom): Promise<ClaimedChat[]> => {
    const done = await run(room && hasRoom(room) ? room : undefined);
    begun.push(done);
    return done.claimed ? [done.claimed] : [];
  };
  await (claimNew ? claimNew(1, runIn) : runIn());
  const [done] = begun;
  if (!done) throw new Error("the worker has not run the statement");
  return done.result;
};
