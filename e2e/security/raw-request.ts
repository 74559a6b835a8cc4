import { once } from "node:events";
import { connect } from "node:net";

type RawRequest = { method?: string; target?: string; version?: string; headers: string[] };
type RawResponse = { status: number; head: string; body: string };

/** Sends exactly these lines to a server, as no HTTP client would. */
export const sendRaw = async (
  url: string,
  { method = "GET", target = "/", version = "1.1", headers }: RawRequest,
): Promise<RawResponse> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const lines = [`${method} ${target} HTTP/${version}`, ...headers, "Connection: close"];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "close");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: rest.join("\r\n\r\n") };
};
