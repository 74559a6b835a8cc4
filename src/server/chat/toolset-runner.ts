import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { isAllowedToolset } from "@/server/credential-rights";
import type { Runner } from "@/server/db/sql/writes/dated-writes";
import { unknownToolset } from "@/server/settings/manage-toolsets";

/**
 * Finds what a program is that asks for calls of a toolset.
 *
 * @param program.version of the toolset that it has; undefined for the present one.
 * @throws {DomainError} `forbidden` for a key of other toolsets; `not_found`.
 */
export const requireRunner = async (
  { cached, actor }: ServerContext,
  { toolset, holder, version }: { toolset: string; holder: string; version: string | undefined },
): Promise<Runner> => {
  if (!isAllowedToolset(actor.credential, toolset)) {
    throw new DomainError("forbidden", `This key is restricted to others than "${toolset}".`, {
      shouldRetry: false,
    });
  }
  const find = async () =>
    (await cached.toolsets.get()).find(
      ({ name, userId }) => name === toolset && userId === actor.userId,
    );
  let found = await find();
  if (!found) {
    // Another process may have just taken it.
    cached.toolsets.forget();
    found = await find();
  }
  if (!found) throw unknownToolset(toolset);
  return { toolset, holder, version: version ?? found.declaration.version };
};
