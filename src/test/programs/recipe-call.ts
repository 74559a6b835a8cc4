// Is in the middle of a call of a recipe until it is killed; prints the private directory of the call.
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createCallDirectory } from "@/server/recipes/call-directory";
import { createWorkspaceQuota } from "@/server/tools/workspace/workspace-quota";

const { hostPlaces } = await createCallDirectory({
  sandbox: undefined,
  chatWorkspace: undefined,
  openShare: createWorkspaceQuota(tmpdir(), 1).open,
});
await writeFile(hostPlaces.temp_file, "in the middle");
process.stdout.write(`${hostPlaces.temp_file}\n`);
setInterval(() => undefined, 1_000);
