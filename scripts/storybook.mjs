// npm run storybook: serves the stories with reload, and says where to begin.
import { parseArgs } from "node:util";
import { runProgram } from "./run-program.mjs";

const { values } = parseArgs({
  options: { port: { type: "string", short: "p", default: "6006" } },
  strict: false,
});
const url = `http://localhost:${values.port}`;
const READY_CHECK_MS = 500;

const isReady = () =>
  fetch(`${url}/index.json`).then(
    ({ ok }) => ok,
    () => false,
  );

const timer = setInterval(async () => {
  if (!(await isReady())) return;
  clearInterval(timer);
  console.log(`\nBegin at ${url}/?path=/story/start--start\n`);
}, READY_CHECK_MS);

const storybook = ["node_modules/storybook/dist/bin/dispatcher.js", "dev"];
const options = ["--port", values.port, "--exact-port", "--no-open", "--disable-telemetry"];
const code = await runProgram(process.execPath, [...storybook, ...options]);
clearInterval(timer);
process.exit(code);
