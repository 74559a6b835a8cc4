// npm run build: the production build, made anew only when the sources have changed.
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";

process.exit(await ensureBuilt(await ensureInstalled()));
