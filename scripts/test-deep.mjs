// npm run test:deep: runs the tests that measure times, take long, or repeat what is random.
import { ensureInstalled } from "./ensure-installed.mjs";
import { runStages } from "./testing/run-stages.mjs";
import { DEEP_STAGES } from "./testing/stages.mjs";

process.exit(await runStages(DEEP_STAGES, await ensureInstalled()));
