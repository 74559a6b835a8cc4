import { LLMock } from "@copilotkit/aimock";
import type { ServerResponse } from "node:http";
import { startStubServer, type StubRequest } from "./stub-server";

export type WireRecorder = {
  url: string;
  mock: LLMock;
  /** The bodies of the requests in the form of their own API, in order. */
  bodies: () => unknown[];
  reset: () => void;
  close: () => Promise<void>;
};

/** Starts a mock of all providers behind a server that records requests: the mock's own journal has them in one form. */
export const startWireRecorder = async (): Promise<WireRecorder> => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  await mock.start();
  const server = await startStubServer((response, request) => {
    forward(mock.url, request, response).catch(() => response.destroy());
  });
  return {
    url: server.url,
    mock,
    bodies: () => server.requests.map(({ body }) => body),
    reset: () => {
      mock.reset();
      server.requests.length = 0;
    },
    close: async () => {
      await server.close();
      await mock.stop();
    },
  };
};

const HEADERS = {
  "content-type": "application/json",
  authorization: "Bearer x",
  "x-api-key": "x",
};

const forward = async (
  url: string,
  { path, body }: StubRequest,
  response: ServerResponse,
): Promise<void> => {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(body),
  });
  const type = answer.headers.get("content-type") ?? "";
  response.writeHead(answer.status, { "content-type": type }).end(await answer.text());
};
