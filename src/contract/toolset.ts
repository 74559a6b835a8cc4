import * as z from "zod";
import { Text } from "./content";
import { ToolsetName } from "./declared-name";
import { DynamicTool, listOfTools } from "./dynamic-tool";

const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_REVISION = 2_147_483_647;

/** A tool of a toolset, without the name of the toolset. */
export const ToolsetTool = DynamicTool.extend({
  /** Whether a person approves each call before a program gets it. */
  approval: z.enum(["never", "always"]).default("never"),
}).meta({ id: "ToolsetTool" });
export type ToolsetTool = z.infer<typeof ToolsetTool>;

/** Numbers with dots between them, of which the first one that differs decides which version is the higher one. */
export const ToolsetVersion = z
  .union([
    z.int().min(0).max(999_999_999),
    z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9}){0,3}$/, 'must be up to four numbers, such as 7 or "1.4.2"'),
  ])
  .transform(String);

/** Tools for every chat of an account, as the programs that run them declare them. */
export const ToolsetDeclaration = z.strictObject({
  version: ToolsetVersion,
  description: Text.max(MAX_DESCRIPTION_LENGTH).optional(),
  /** To every chat, or to those that have chosen the tools. */
  offered_to: z.enum(["chosen", "all"]).default("all"),
  /** What becomes of the tools while no program is connected that runs them. */
  when_absent: z.enum(["withhold", "offer"]).default("withhold"),
  tools: listOfTools(ToolsetTool),
});
export type ToolsetDeclaration = z.infer<typeof ToolsetDeclaration>;

/** The name by which models call a tool of a toolset. */
export const toToolsetToolName = (toolset: string, tool: string): string => `${toolset}_${tool}`;
/** Names that every provider accepts. */
const MAX_TOOL_NAME_LENGTH = 64;

export const ToolsetRef = z.strictObject({ name: z.string() });
export type ToolsetRef = z.infer<typeof ToolsetRef>;

export const PutToolsetInput = ToolsetDeclaration.extend({
  name: ToolsetName,
  /** The revision that the toolset must have; REST takes it from the header `If-Match`, too. */
  if_revision: z.int().min(0).max(MAX_REVISION).optional(),
}).superRefine(({ name, tools }, context) => {
  for (const [index, tool] of tools.entries()) {
    if (toToolsetToolName(name, tool.name).length <= MAX_TOOL_NAME_LENGTH) continue;
    const message = `is too long: with "${name}_" it has more than ${MAX_TOOL_NAME_LENGTH} characters`;
    context.addIssue({ code: "custom", message, path: ["tools", index, "name"] });
  }
});
export type PutToolsetInput = z.infer<typeof PutToolsetInput>;

/** A program that is connected: it has asked for calls a moment ago. */
export const ToolsetRunner = z
  .object({
    holder: z.string(),
    version: z.string(),
    seen_at: z.iso.datetime(),
    /** How many calls of the toolset it works on. */
    claimed: z.int(),
  })
  .meta({ id: "ToolsetRunner" });
export type ToolsetRunner = z.infer<typeof ToolsetRunner>;

export const Toolset = z
  .object({
    name: z.string(),
    /** Raised by each change. */
    revision: z.int(),
    version: z.string(),
    description: z.string().optional(),
    offered_to: z.enum(["chosen", "all"]),
    when_absent: z.enum(["withhold", "offer"]),
    tools: z.array(ToolsetTool),
    /** A sentence for each tool, or part of its schema, that models do not get. */
    warnings: z.array(z.string()),
    /** A user's id, or `api_key:<id>`. */
    declared_by: z.string(),
    /** The name of that key; absent for a person, and for a key that is gone. */
    key_name: z.string().optional(),
    runners: z.array(ToolsetRunner),
    /** When a program has been connected last; null if none was, or more than a day ago. */
    last_seen_at: z.iso.datetime().nullable(),
    /** Calls of the toolset that wait for an approval, a program or its result. */
    open_calls: z.int(),
    oldest_open_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Toolset" });
export type Toolset = z.infer<typeof Toolset>;

export const ToolsetList = z.object({ data: z.array(Toolset) }).meta({ id: "ToolsetList" });
export type ToolsetList = z.infer<typeof ToolsetList>;
