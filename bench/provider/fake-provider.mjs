// fake-provider.mjs: an OpenAI-compatible model server on a free loopback port, fast enough not to
// be what is measured. Prints its port. What it answers is up to the request, see answer-plan.mjs.
import { createServer } from "node:http";
import { answerFrames } from "./answer-frames.mjs";
import { answerPlan } from "./answer-plan.mjs";

const BACKLOG = 4096;
const KEEP_ALIVE_MS = 120_000;

/** Answers that are being written, one token each per turn of the event loop. */
const writing = new Set();
let isWriting = false;

const writeTokens = () => {
  for (const answer of writing) {
    // A reader that is slow is waited for.
    if (!answer.socket.writableNeedDrain) writeToken(answer);
  }
  isWriting = writing.size > 0;
  if (isWriting) setImmediate(writeTokens);
};

const writeToken = (answer) => {
  const { socket, frames, tokens, response } = answer;
  if (answer.written < tokens) {
    socket.write(frames.token(answer.written++));
    return;
  }
  writing.delete(answer);
  socket.write(frames.end(tokens));
  response.end();
};

const startWriting = (answer) => {
  writing.add(answer);
  answer.response.on("close", () => writing.delete(answer));
  if (!isWriting) setImmediate(writeTokens);
  isWriting = true;
};

const answer = (response, body) => {
  const { tokens, burst, tool } = answerPlan(body);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "transfer-encoding": "chunked",
  });
  response.flushHeaders();
  const { socket } = response;
  const frames = answerFrames();
  if (tool !== undefined || burst) {
    socket.write(tool === undefined ? frames.whole(tokens) : frames.toolCall(tool));
    response.end();
    return;
  }
  socket.write(frames.start());
  startWriting({ socket, frames, tokens, response, written: 0 });
};

const server = createServer(
  { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, noDelay: true },
  (request, response) => {
    if (request.method !== "POST" || !request.url?.endsWith("/chat/completions")) {
      response.writeHead(404).end();
      return;
    }
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => answer(response, Buffer.concat(chunks).toString()));
  },
);
server.listen(0, "127.0.0.1", BACKLOG, () => console.log(server.address().port));
