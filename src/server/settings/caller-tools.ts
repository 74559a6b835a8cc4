import type { CallerToolsConfig } from "@/contract/caller-tools";
import { DomainError } from "@/contract/domain-error";
import { CALLER_TOOLS, type ToolModes } from "@/contract/tool";
import type { ServerContext } from "@/server/context";
import { readToolModes } from "@/server/db/settings/setting-reads";
import { writeToolMode } from "@/server/db/settings/setting-writes";
import { requireOwner } from "./require-owner";

const isAllowed = (modes: ToolModes): boolean => modes[CALLER_TOOLS] !== "off";

/** What administrators may do with the switch of the tools that callers declare. */
export const callerToolsVerbs = {
  /** @throws {DomainError} `forbidden`. */
  get: async (ctx: ServerContext): Promise<CallerToolsConfig> => {
    requireOwner(ctx.actor);
    return { allowed: isAllowed(await readToolModes(ctx.db)) };
  },
  /** Counts from the next step of any chat on. @throws {DomainError} `forbidden`. */
  set: async (ctx: ServerContext, config: CallerToolsConfig): Promise<CallerToolsConfig> => {
    requireOwner(ctx.actor);
    await writeToolMode(ctx.db, CALLER_TOOLS, config.allowed ? "on" : "off");
    ctx.cached.toolModes.forget();
    return config;
  },
};

/**
 * Requires that callers may declare tools.
 *
 * @throws {DomainError} `forbidden`.
 */
export const requireCallerTools = async ({ cached }: ServerContext): Promise<void> => {
  if (isAllowed(await cached.toolModes.get())) return;
  throw new DomainError(
    "forbidden",
    "An administrator has turned off the tools that callers declare. Leave out dynamic_tools, or choose tools of the server.",
    { errors: [{ pointer: "/dynamic_tools", message: "is turned off" }], shouldRetry: false },
  );
};
