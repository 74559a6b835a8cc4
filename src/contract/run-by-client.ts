import type { ToolKind } from "./part";

/** Whether a client runs the calls of a tool of this kind, and not the server. */
export const isRunByClient = (kind: ToolKind): boolean => kind === "dynamic" || kind === "toolset";
