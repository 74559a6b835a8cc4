import { parentPort } from "node:worker_threads";
import { createJobRunner, type ValidationTask } from "@/contract/validation-job";

/** The program of a worker thread, bundled by itself; `validation-pool.ts` starts and stops it. */
const run = createJobRunner((reply) => parentPort?.postMessage(reply));
parentPort?.on("message", (tasks: ValidationTask[]) => run(tasks));
