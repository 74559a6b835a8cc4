import { expect, it } from "vitest";
import { UNLINKED_FILES } from "./hostile-commands";
import type { CommandOutcome, CommandRequest } from "./programs/command-runner";
import { MEGABYTE } from "./sandbox-runner";

/** Declares the tests of files that are deleted while a command has them. */
export const testUnlinkedFiles = (
  run: (request: CommandRequest) => Promise<CommandOutcome>,
): void => {
  it.each(UNLINKED_FILES)(
    "is ended when it fills the disk with files without a name %s",
    async (_how, script) => {
      const { exceeded } = await run({
        script: `for i in 1 2 3 4 5 6; do ${script}
        sleep 0.5; done; sleep 20`,
        limits: { workspaceBytes: 150 * MEGABYTE },
      });
      expect(exceeded).toBe("workspace");
      await run({ script: "rm -f f t" });
    },
  );
};
