// Serves an endless response, as `next start` does, and has work to finish when it is stopped.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { installShutdown, shutdown } from "@/server/stream/shutdown";

let database = "open";
const print = (text: string): void => void process.stdout.write(`${text}\n`);

for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => print("signaled"));
installShutdown({
  drain: async () => {
    const [word] = (await once(process.stdin, "data")) as [Buffer];
    if (word.toString() === "fail") throw new Error("the work failed");
    print("drained");
  },
  close: () => {
    database = "closed";
    print("closed");
    return Promise.resolve();
  },
});
const server = createServer((request, response) => {
  if (request.url === "/database") return response.end(database);
  response.write("hello");
  shutdown.signal.addEventListener("abort", () => response.end("bye"));
});
server.listen(0, "127.0.0.1", () => print(String((server.address() as AddressInfo).port)));
