import { installExceptionGuard } from "@/server/exception-guard";
import { markReady } from "@/server/stream/readiness";
import { startProcess } from "./start-process";

/** A process that only works on chats, without the web server. */
installExceptionGuard();
await startProcess();
markReady();
