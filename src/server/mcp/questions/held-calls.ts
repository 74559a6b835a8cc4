import type { AnsweredElicitation } from "@/contract/elicitation";
import type {
  CallHost,
  CallRest,
  HeldCalls,
  HeldCallsDeps,
  HeldKey,
  ProcessHeldCalls,
} from "@/server/tools/held-calls";
import { type DetachedCall, startDetachedCall } from "./detached-call";
import { createHeldCallList, type HeldCallList } from "./held-call-list";

/** The answer to a server whose question cannot be kept. */
const NO_ROOM = "Too many questions are open on this server, so that nobody can be asked now.";

/** Creates what runs the calls of a process, and keeps those that wait for a person while their chats are parked. */
export const createHeldCalls = (deps: HeldCallsDeps, max?: number): ProcessHeldCalls => {
  const list = createHeldCallList(deps, max);
  const run: HeldCalls["run"] = (key, { start, host, elicitations }) => {
    const begin = (): DetachedCall =>
      startDetachedCall(
        ({ elicit, ...own }) =>
          start({
            ...own,
            elicit: (...question) =>
              list.hasRoom(key) ? elicit(...question) : Promise.reject(new Error(NO_ROOM)),
          }),
        host,
      );
    const answer = elicitations.at(-1)?.answer;
    return waitForRest(list, {
      key,
      host,
      run: list.continue(key, { host, answer }) ?? begin(),
      elicitations,
    });
  };
  return { ...list, run };
};

type RunningCall = {
  key: HeldKey;
  host: CallHost;
  run: DetachedCall;
  elicitations: readonly AnsweredElicitation[];
};

/** Waits until a call has ended or asks, and keeps it if it asks. */
const waitForRest = async (
  list: HeldCallList,
  { elicitations, ...call }: RunningCall,
): Promise<() => Promise<CallRest>> => {
  const { key, host, run } = call;
  const progress = await run.next();
  if (progress.type === "ended") {
    list.forget(key, run);
    const rest = { ...progress, elicitations, endedAt: host.now() };
    return () => Promise.resolve(rest);
  }
  const asked = [...elicitations, progress.elicitation];
  await list.keep(key, { run, questionCount: asked.length, turn: host.signal });
  return async () =>
    run.isAsking()
      ? { type: "asks", elicitations: asked }
      : (await waitForRest(list, { ...call, elicitations: asked }))();
};
