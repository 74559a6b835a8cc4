import * as z from "zod";
import { roundNumbers } from "@/lib/exact-json";
import { Text } from "./content";
import { refuseDuplicateNames } from "./declared-name";
import { JsonValue, validateJson } from "./json";
import {
  MAX_ACTION_TIMEOUT_SECONDS,
  MAX_BODY_BYTES,
  MAX_CALL_ATTEMPTS,
  MAX_DYNAMIC_TOOLS,
  MAX_TOOL_SCHEMA_BYTES,
  MAX_TOOL_SCHEMA_DEPTH,
  MIN_ACTION_TIMEOUT_SECONDS,
} from "./limits";

/** Any JSON is accepted, whose limits are numbers to compute with; without an object schema the tool has no parameters. */
export const ToolSchema = JsonValue.overwrite(roundNumbers).superRefine((value, context) => {
  const error = validateJson(value, MAX_TOOL_SCHEMA_DEPTH);
  if (error) context.addIssue({ code: "custom", message: error });
  else if (new TextEncoder().encode(JSON.stringify(value)).length > MAX_TOOL_SCHEMA_BYTES) {
    context.addIssue({ code: "custom", message: `is over ${MAX_TOOL_SCHEMA_BYTES} bytes` });
  }
});

/** A tool that a client declares when it creates a chat. Only clients run it. */
export const DynamicTool = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, '_' or '-'"),
    description: Text.max(10_000).optional(),
    input_schema: ToolSchema.optional(),
    output_schema: ToolSchema.optional(),
    timeout_seconds: z
      .int()
      .min(MIN_ACTION_TIMEOUT_SECONDS)
      .max(MAX_ACTION_TIMEOUT_SECONDS)
      .optional(),
    /** Whether a call may be run again when the program that has claimed it is lost. */
    repeatable: z.boolean().optional(),
    /** How often such a call is run at most. */
    max_attempts: z.int().min(1).max(MAX_CALL_ATTEMPTS).optional(),
  })
  .meta({ id: "DynamicTool" });
export type DynamicTool = z.infer<typeof DynamicTool>;

/** A dynamic tool as a chat has it. */
export const ChatDynamicTool = DynamicTool.extend({
  /** The group that it has come with, as it was then; offered while the chat has the group. */
  group: z.string().optional(),
}).meta({ id: "ChatDynamicTool" });
export type ChatDynamicTool = z.infer<typeof ChatDynamicTool>;

/** Refuses tools of which two have the same name, and more than fit into one request. */
const checkTools = (tools: readonly DynamicTool[], context: z.RefinementCtx): void => {
  refuseDuplicateNames(tools, context);
  // A body with a history may be larger.
  if (new TextEncoder().encode(JSON.stringify(tools)).length > MAX_BODY_BYTES) {
    const message = `are over ${MAX_BODY_BYTES} bytes together`;
    context.addIssue({ code: "custom", message });
  }
};

/** The tools that a program declares together. */
export const listOfTools = <Tool extends typeof DynamicTool>(tool: Tool) =>
  z
    .array(tool)
    .max(MAX_DYNAMIC_TOOLS, `must be at most ${MAX_DYNAMIC_TOOLS} tools`)
    .superRefine(checkTools);

export const DynamicTools = listOfTools(DynamicTool);
