// fake-provider.mjs: an OpenAI-compatible model server on a free loopback port, fast enough not to
// limit the systems under test. Prints its port. For its answers see answer-plan.mjs. `GET /v1/marks` returns when requests
// with a mark have arrived, and `GET /v1/answers` how many answers have ended.
import { createServer } from "node:http";
import { createAnswerFrames } from "./answer-frames.mjs";
import { readAnswerPlan } from "./answer-plan.mjs";

const BACKLOG = 4096;
const KEEP_ALIVE_MS = 120_000;

/** Unfinished answers. Each gets one token per iteration of the event loop. */
const openAnswers = new Set();
let isWriting = false;

/** Milliseconds since 1970 by mark, comparable between processes. */
const marks = new Map();
let endedAnswers = 0;
const readClock = () => performance.timeOrigin + performance.now();

const writeTokens = () => {
  for (const answer of openAnswers) {
    // Waits for a slow reader.
    if (!answer.socket.writableNeedDrain) writeToken(answer);
  }
  isWriting = openAnswers.size > 0;
  if (isWriting) setImmediate(writeTokens);
};

const writeToken = (answer) => {
  const { socket, frames, tokens, response } = answer;
  if (answer.written < tokens) {
    socket.write(frames.token(answer.written++));
    return;
  }
  openAnswers.delete(answer);
  socket.write(frames.end(tokens));
  endAnswer(response);
};

const startWriting = (answer) => {
  openAnswers.add(answer);
  answer.response.on("close", () => openAnswers.delete(answer));
  if (!isWriting) setImmediate(writeTokens);
  isWriting = true;
};

const endAnswer = (response) => {
  response.end();
  endedAnswers += 1;
};

const sendAnswer = (response, body) => {
  const plan = readAnswerPlan(body);
  const { tokens, burst, tool, mark } = plan;
  if (mark !== undefined) marks.set(mark, readClock());
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "transfer-encoding": "chunked",
  });
  response.flushHeaders();
  const { socket } = response;
  const frames = createAnswerFrames();
  if (tool !== undefined || burst) {
    socket.write(tool === undefined ? frames.whole(tokens) : frames.toolCalls(plan));
    endAnswer(response);
    return;
  }
  socket.write(frames.start());
  startWriting({ socket, frames, tokens, response, written: 0 });
};

const server = createServer(
  { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, noDelay: true },
  (request, response) => {
    if (request.url === "/v1/marks") {
      response.end(JSON.stringify(Object.fromEntries(marks)));
      return;
    }
    if (request.url === "/v1/answers") {
      response.end(String(endedAnswers));
      return;
    }
    if (request.method !== "POST" || !request.url?.endsWith("/chat/completions")) {
      response.writeHead(404).end();
      return;
    }
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => sendAnswer(response, Buffer.concat(chunks).toString()));
  },
);
server.listen(0, "127.0.0.1", BACKLOG, () => console.log(server.address().port));
