import { EventEmitter } from "node:events";
import { installExceptionGuard } from "@/server/exception-guard";

/** Fails in the way that its argument names, as a library may, and prints a line if it goes on. */
const FAILURES: Record<string, () => void> = {
  throw: () => {
    setTimeout(() => {
      throw new Error("first");
    });
    setTimeout(() => {
      throw new Error("second");
    });
  },
  event: () => void new EventEmitter().emit("error", new Error("first")),
  value: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- libraries do
    throw "first";
  },
  reject: () => {
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- nobody handles it
    Promise.reject(new Error("first"));
    setTimeout(() => process.stdout.write("goes on\n", () => process.exit(0)), 50);
  },
};

installExceptionGuard();
// As Next.js does.
process.on("uncaughtException", () => process.stdout.write("another listener\n"));
setTimeout(() => FAILURES[process.argv[2] ?? ""]?.());
// The process has something to do.
setTimeout(() => undefined, 5_000);
