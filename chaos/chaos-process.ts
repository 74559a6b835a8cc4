// npm run chaos: see README.md. Bundled and started by scripts/chaos.mjs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "./ledger";
import { readOptions, type RunOptions, USAGE } from "./options";
import { type ChaosReport, runChaos } from "./run-chaos";

const KINDS: readonly Finding["kind"][] = ["lost", "doubled", "stuck"];
/** Not in the folder of build results, which the next build empties. */
const OUTPUT_FOLDER = "test-results/chaos";

const countKind = ({ findings }: ChaosReport, kind: Finding["kind"]): number =>
  findings.filter((finding) => finding.kind === kind).length;

const formatTable = (reports: ReadonlyMap<string, ChaosReport>): string => {
  const head = ["database", "rounds", "acknowledged", "claims", "model calls", ...KINDS];
  const lines = [...reports].map(([database, report]) =>
    [
      database,
      report.rounds,
      report.acknowledged,
      report.claims,
      report.modelCalls,
      ...KINDS.map((kind) => countKind(report, kind)),
    ].map(String),
  );
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  return [head, ...lines]
    .map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "))
    .join("\n");
};

/** Keeps the server's output of a run in which something was wrong. */
const saveOutput = (database: string, seed: number, report: ChaosReport): string => {
  mkdirSync(OUTPUT_FOLDER, { recursive: true });
  const path = join(OUTPUT_FOLDER, `${database}-${seed}.log`);
  writeFileSync(path, report.output);
  return path;
};

const main = async ({ rounds, seed, databases, faults }: RunOptions): Promise<boolean> => {
  console.log(`seed ${seed} (--seed ${seed} repeats its random choices)`);
  const reports = new Map<string, ChaosReport>();
  for (const database of databases) {
    const report = await runChaos({
      rounds,
      seed,
      faults: faults[database],
      losesLeases: true,
      postgresUrl: database === "postgres" ? process.env.TEST_DATABASE_URL : undefined,
      log: (line) => {
        console.log(`${database}, ${line}`);
      },
    });
    reports.set(database, report);
    if (report.findings.length > 0) {
      console.log(`The server's output is in ${saveOutput(database, seed, report)}.`);
    }
  }
  console.log(`\n${formatTable(reports)}`);
  return [...reports.values()].every(({ findings }) => findings.length === 0);
};

let options: RunOptions;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
process.exit((await main(options)) ? 0 : 1);
