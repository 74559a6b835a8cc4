import type { ChatView } from "@/client/chat-view";
import type { JsonValue } from "@/contract/json";

/** How the server answered a request; `unknown` while it has not answered. */
export type Outcome = "acknowledged" | "refused" | "unknown";

/** The answer to a request. */
export type Answer = {
  status: number;
  body: unknown;
  /** A refusal after an attempt that was given up, which may be carried out yet. */
  isUncertain?: boolean;
};

/** A request of a client, with the times of its beginning and of its answer. */
export type Attempt = { outcome: Outcome; startedAt: number; endedAt: number };

/** A message of a client, by its text, which is unique. */
export type SentMessage = Attempt & { text: string; seq?: number | undefined };

/** A result of a client, by its output, which is unique. */
export type Submission = Attempt & { toolCallId: string; output: JsonValue };

/** What a program was given, and how its work ended. */
export type Claim = {
  holder: string;
  /** Ids of the message and of the call. */
  call: string;
  attempt: number;
  toolName: string;
  token: string;
  path: string;
  end: "answered" | "released" | "abandoned";
};

/** A request that removes messages: from `fromSeq` on, only the answer, or one of the queue. */
export type Removal = Attempt &
  (
    | { type: "edit"; fromSeq: number }
    | { type: "regenerate" }
    | { type: "delete-queued"; text: string }
  );

/** One chat and all requests of its clients. */
export type TrackedChat = {
  id: string;
  messages: SentMessage[];
  submissions: Submission[];
  removals: Removal[];
  /** The view of a browser that has followed the stream from the start. */
  view: ChatView;
};

/** What must not be: work that is gone, was done twice, or does not go on. */
export type Finding = { kind: "lost" | "doubled" | "stuck"; text: string };

/** A keyed POST with an answer; a repetition must get the same one. */
export type KeyedAnswer = {
  route: string;
  body: object;
  key: string;
  status: number;
  /** The id of what it created. */
  id: string | undefined;
};

/** Records a request: sets its outcome when the server has answered. */
export const startAttempt = <Fields extends object>(fields: Fields): Attempt & Fields => ({
  ...fields,
  outcome: "unknown",
  startedAt: performance.now(),
  endedAt: Infinity,
});

export const endAttempt = (attempt: Attempt, answer: Answer | undefined): void => {
  if (answer === undefined || answer.isUncertain) return;
  attempt.outcome = answer.status < 300 ? "acknowledged" : "refused";
  attempt.endedAt = performance.now();
};

/** @returns a line per request of a chat's clients, in the order in which they began. */
const formatAttempts = ({ messages, submissions, removals }: TrackedChat): string[] =>
  [...messages, ...submissions, ...removals]
    .toSorted((one, other) => one.startedAt - other.startedAt)
    .map(
      ({ outcome, startedAt, endedAt, ...fields }) =>
        `${startedAt.toFixed(0)} to ${endedAt.toFixed(0)} ms, ${outcome}: ${JSON.stringify(fields)}`,
    );

/** Everything that the clients of one run have done, and what was found wrong, which is also logged. */
export const createLedger = (log: (line: string) => void) => {
  const findings = new Map<string, Finding>();
  return {
    chats: [] as TrackedChat[],
    /** The keys of requests that create a chat, by the label of their chat. */
    creations: new Map<string, Attempt>(),
    /** Answers to keyed requests since the last check. */
    answers: [] as KeyedAnswer[],
    /** What programs were given, without what the server has not acknowledged. */
    claims: [] as Claim[],
    acknowledged: 0,
    findings: (): Finding[] => [...findings.values()],
    /** Adds what was found; the same is counted once. Requests of the chat are logged with it. */
    report: (kind: Finding["kind"], text: string, chat?: TrackedChat): void => {
      if (!findings.has(text)) {
        log(`${kind}: ${text}`);
        for (const line of chat ? formatAttempts(chat) : []) log(`  ${line}`);
      }
      findings.set(text, { kind, text });
    },
  };
};

export type Ledger = ReturnType<typeof createLedger>;
