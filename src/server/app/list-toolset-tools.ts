import type { ToolsetRow } from "@/server/db/settings/toolset-reads";
import type { Tool } from "@/server/tools/tool";
import type { ToolSource } from "@/server/tools/tool-source";
import { toOfferedToolset } from "@/server/tools/toolsets/toolset-tool";

type ListerDeps = {
  /** All toolsets; the same list as long as it has not changed. Does not reject. */
  listRows: () => Promise<readonly ToolsetRow[]>;
  /** Names of those that a connected program runs; likewise. */
  listPresent: () => Promise<readonly string[]>;
};

type Listed = {
  rows: readonly ToolsetRow[];
  present: readonly string[];
  /** By the users of the toolsets. */
  tools: ReadonlyMap<string, readonly Tool[]>;
};

const NO_TOOLS: readonly Tool[] = [];

/** Creates a function that lists the tools of an account's toolsets, made once for each state of them. Does not reject. */
export const createToolsetLister = ({
  listRows,
  listPresent,
}: ListerDeps): ToolSource["listTools"] => {
  let listed: Listed | undefined;
  return async ({ userId }) => {
    const rows = await listRows();
    if (rows.length === 0) return NO_TOOLS;
    const present = await listPresent();
    if (listed?.rows !== rows || listed.present !== present) {
      listed = { rows, present, tools: createTools(rows, new Set(present)) };
    }
    return listed.tools.get(userId) ?? NO_TOOLS;
  };
};

const createTools = (
  rows: readonly ToolsetRow[],
  present: ReadonlySet<string>,
): ReadonlyMap<string, readonly Tool[]> => {
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([userId, owned]) => [
      userId,
      owned.flatMap(
        ({ name, declaration }) => toOfferedToolset(name, declaration, present.has(name)).tools,
      ),
    ]),
  );
};
