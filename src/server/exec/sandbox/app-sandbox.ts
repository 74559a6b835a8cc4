import type { FoundSandbox } from "./find-sandbox";
import type { Sandbox } from "./sandbox";

/** A sandbox that commands run in, and what administrators should know of it, as a sentence. */
export type OfferedSandbox = Sandbox & { notice?: string };

/** @returns what this process runs commands in, or the sentence why it cannot run any. */
export const toOffer = (found: FoundSandbox): OfferedSandbox | { unavailable: string } => {
  const { sandbox, failures } = found;
  if (!sandbox) return { unavailable: describeFailures(found) };
  if (sandbox.kind === "none") return { ...sandbox, notice: NO_SANDBOX };
  const [failed] = failures;
  if (!failed) return sandbox;
  const notice = `Commands run in ${sandbox.kind}, as ${failed.kind} does not work here: ${failed.reason}`;
  return { ...sandbox, notice };
};

const NO_SANDBOX =
  "Commands run without a sandbox, as PARLEY_EXEC_SANDBOX is none: each of them needs an approval.";

const describeFailures = ({ failures }: FoundSandbox): string => {
  if (failures.length === 0) return "Commands are turned off: PARLEY_EXEC_SANDBOX is off.";
  const reasons = failures.map(({ kind, reason }) => `${kind}: ${reason}`).join(" ");
  return `No sandbox works on this server. ${reasons} docs/operations.md says what a sandbox needs; with PARLEY_EXEC_SANDBOX=none commands run without one, each after an approval.`;
};
