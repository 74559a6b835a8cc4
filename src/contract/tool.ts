import * as z from "zod";
import { JsonObject } from "./json";
import { ToolKind } from "./part";

/** How administrators offer a tool: to every chat, to none, or with an approval of each call. */
export const ToolMode = z.enum(["on", "off", "ask"]);
export type ToolMode = z.infer<typeof ToolMode>;

/** Whose mode is that of all tools that callers declare, `on` or `off`. No tool has this name. */
export const CALLER_TOOLS = "*";

/** By the names of tools; a tool without one is on. */
export type ToolModes = Readonly<Partial<Record<string, ToolMode>>>;

export const ToolIcon = z.enum([
  "alarm-clock",
  "circle-stop",
  "file-pen",
  "file-plus",
  "list-checks",
  "wrench",
]);
export type ToolIcon = z.infer<typeof ToolIcon>;

/** What the generic card shows of the calls of a tool. */
export const CardContent = z
  .object({
    /** What the tool does, in words. */
    label: z.string(),
    icon: ToolIcon,
    /** The argument that is shown beside the label, such as a path. */
    detail: z.string().optional(),
    /** The argument that is shown as a text. */
    text: z.object({ argument: z.string(), label: z.string() }).optional(),
  })
  .meta({ id: "CardContent" });
export type CardContent = z.infer<typeof CardContent>;

/** A tool that the server runs. */
export const Tool = z
  .object({
    name: z.string(),
    source: ToolKind,
    description: z.string(),
    /** JSON Schema of the arguments. */
    input_schema: JsonObject,
    mode: ToolMode,
    /** Whether root chats that did not choose their tools are offered it. */
    offered: z.boolean(),
    /** True if it is offered only to chats that have chosen it. */
    for_chosen: z.boolean().optional(),
    /** True if child chats cannot use it. */
    root_only: z.boolean(),
    /** Whether its calls change nothing, as far as is known. */
    read_only: z.boolean(),
    /** Why it is not offered. */
    reason: z.string().optional(),
    /** What is not as it should be, although the server can run it. */
    notice: z.string().optional(),
    /** The text in the `approval_scope` of its calls that a pattern matches; absent if approvals take no pattern. */
    approval_pattern: z.string().optional(),
    /** True if there is no "always" for its calls. */
    asks_each_time: z.boolean().optional(),
    /** How calls of the tool are shown where it has no card of its own. */
    card: CardContent.optional(),
  })
  .meta({ id: "Tool" });
export type Tool = z.infer<typeof Tool>;

export const ToolList = z.object({ data: z.array(Tool) });
export type ToolList = z.infer<typeof ToolList>;

export const SetToolModeInput = z.strictObject({ name: z.string(), mode: ToolMode });
export type SetToolModeInput = z.infer<typeof SetToolModeInput>;
