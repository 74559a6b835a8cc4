import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listenOnLoopback } from "../../e2e/server";
import type { Random } from "../random";
import { createAnswerEvents } from "./answer-events";
import { findAgents, findStep, ModelRequest } from "./answer-plan";
import { MISBEHAVE, type Misbehavior, MISBEHAVIORS } from "./misbehavior";

/** One entry of the journal. */
export type ModelCall = {
  /** Counts the calls from 1; the text of the answer begins with it. */
  number: number;
  /** Hash of the prompt, by which repeated calls are recognized. */
  prompt: string;
  /** The text of the answer; empty if it calls tools. */
  text: string;
  outcome: "running" | "answered" | "aborted" | Misbehavior;
};

/** Share of calls that fail while the provider misbehaves; the others show that turns still end. */
const MISBEHAVING_SHARE = 0.6;

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>;

/** Starts an OpenAI-compatible model server that keeps a journal of its calls and misbehaves on request. */
export const startHostileProvider = async (random: Random) => {
  const journal: ModelCall[] = [];
  const open = new Set<ServerResponse>();
  let isMisbehaving = false;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const parsed = ModelRequest.parse(JSON.parse(body));
    const number = journal.length + 1;
    const step = findStep(parsed);
    const events = createAnswerEvents(number, step, findAgents(parsed));
    const misbehavior =
      isMisbehaving && random.next() < MISBEHAVING_SHARE ? random.pick(MISBEHAVIORS) : undefined;
    const prompt = hash("sha256", JSON.stringify(parsed.messages), "hex");
    const call: ModelCall = { number, prompt, text: events.text, outcome: "running" };
    journal.push(call);
    response.on("close", () => {
      open.delete(response);
      if (call.outcome === "running")
        call.outcome = response.writableFinished ? "answered" : "aborted";
    });

    const pauseMs = step.type === "say" ? step.pauseMs : 0;
    const sendDeltas = async (share = 1): Promise<void> => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const delta of events.deltas.slice(0, Math.ceil(events.deltas.length * share))) {
        if (response.closed) return;
        response.write(delta);
        if (pauseMs > 0) await pause(pauseMs);
      }
    };
    const end = (usage?: object): void => void response.end(events.end(usage));
    if (misbehavior === undefined) {
      await sendDeltas();
      end();
      return;
    }
    call.outcome = misbehavior;
    const leaveOpen = (): void => {
      if (isMisbehaving) open.add(response);
      // It has recovered while the first half of the answer was sent.
      else response.destroy();
    };
    await MISBEHAVE[misbehavior]({ call, response, sendDeltas, end, leaveOpen });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    journal: journal as readonly ModelCall[],
    misbehave: (): void => void (isMisbehaving = true),
    /** Answers again; requests without an answer lose their connection. */
    recover: (): void => {
      isMisbehaving = false;
      for (const response of open) response.destroy();
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};
