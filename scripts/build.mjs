// npm run build: builds for production, if the sources have changed.
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";

process.exit(await ensureBuilt(await ensureInstalled()));
