import type { ServerResponse } from "node:http";
import { createCalls, formatEvent } from "./answer-events";
import type { ModelCall } from "./hostile-provider";

/** How a provider may fail. All of it has been seen from real ones. */
export const MISBEHAVIORS = [
  "silence",
  "silence in mid-text",
  "cut",
  "cut in mid-text",
  "500",
  "503",
  "429",
  "429 for an hour",
  "web page",
  "no JSON",
  "odd usage",
  "no answer",
  "call without a name",
  "call with an odd id",
] as const;
export type Misbehavior = (typeof MISBEHAVIORS)[number];

/** The answer that a call would get, and how to send it. */
type Answer = {
  call: ModelCall;
  response: ServerResponse;
  /** Sends the events of the answer before the finish reason, all or the first half of them. */
  sendDeltas: (share?: number) => Promise<void>;
  end: (usage?: object) => void;
  /** Leaves the response open until the provider recovers. */
  leaveOpen: () => void;
};

const HOUR_SECONDS = "3600";
/** Longer than ids may be in the database and on the wire, and with a character that JSON has to escape. */
const ODD_ID = `call\u0000_${"x".repeat(300)}`;
const ODD_USAGE = [
  { prompt_tokens: 3.7, completion_tokens: 3e9, total_tokens: -1 },
  { prompt_tokens: "12", completion_tokens: null },
];

const fail = ({ response }: Answer, status: number, headers: Record<string, string> = {}): void => {
  const error = { message: "The server had an error", type: "server_error" };
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error }));
};

const sendWhole = ({ response }: Answer, deltas: readonly string[], end: string): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(deltas.join("") + end);
};

const sendCall = (answer: Answer, call: { id: string; name?: string }): void => {
  const { deltas, end } = createCalls(answer.call.number, [{ ...call, args: "{}" }]);
  sendWhole(answer, deltas, end());
};

export const MISBEHAVE: Record<Misbehavior, (answer: Answer) => Promise<void> | void> = {
  silence: ({ leaveOpen }) => leaveOpen(),
  "silence in mid-text": async ({ sendDeltas, leaveOpen }) => {
    await sendDeltas(0.5);
    leaveOpen();
  },
  cut: ({ response }) => void response.socket?.resetAndDestroy(),
  "cut in mid-text": async ({ sendDeltas, response }) => {
    await sendDeltas(0.5);
    response.socket?.destroy();
  },
  "500": (answer) => fail(answer, 500),
  "503": (answer) => fail(answer, 503, { "retry-after": "1" }),
  "429": (answer) => fail(answer, 429, { "retry-after": "2" }),
  "429 for an hour": (answer) => fail(answer, 429, { "retry-after": HOUR_SECONDS }),
  "web page": ({ response }) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  "no JSON": (answer) => sendWhole(answer, [formatEvent("{ this is no")], ""),
  "odd usage": async ({ call, sendDeltas, end }) => {
    await sendDeltas();
    end(ODD_USAGE[call.number % ODD_USAGE.length]);
  },
  "no answer": ({ response, end }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    end();
  },
  "call without a name": (answer) => sendCall(answer, { id: `call_${answer.call.number}_0` }),
  "call with an odd id": (answer) => sendCall(answer, { id: ODD_ID, name: "ask" }),
};
