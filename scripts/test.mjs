// npm test: runs the gate, all tests on both databases, the production build and the browser tests.
import { ensureInstalled } from "./ensure-installed.mjs";
import { runStages } from "./testing/run-stages.mjs";
import { TEST_STAGES } from "./testing/stages.mjs";

process.exit(await runStages(TEST_STAGES, await ensureInstalled()));
