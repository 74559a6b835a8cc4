import { markReady } from "@/server/stream/readiness";
import { startProcess } from "./start-process";

/** A process that only works on chats, without the web server. */
await startProcess();
markReady();
