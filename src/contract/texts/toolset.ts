import type {
  PutToolsetInput,
  Toolset,
  ToolsetList,
  ToolsetRef,
  ToolsetRunner,
  ToolsetTool,
} from "@/contract/toolset";
import { TOOL } from "./dynamic-tool";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const NAME = [
  "The name of the toolset. Models call its tools by this name, `_` and the name of the tool.",
  "crm",
] as const satisfies FieldText;

const DECLARATION = {
  version: [
    "The version of the tools: up to four numbers with dots between them. A lower one is refused while programs with a higher one are connected.",
    "1.4.2",
  ],
  description: ["What the toolset is for, for people.", "Customers and their orders"],
  offered_to: [
    "`all` for every chat that has not chosen its tools, `chosen` for the chats that have chosen the tool, by itself or by a group.",
    "all",
  ],
  when_absent: [
    "What happens while no program is connected: `withhold` leaves the tools out, `offer` lets calls wait for one.",
    "withhold",
  ],
  tools: [
    "The tools.",
    [{ name: "find_customer", description: "Finds a customer by name", approval: "never" }],
  ],
} as const satisfies Record<string, FieldText>;

export const TOOLSET_TEXTS = {
  ToolsetTool: {
    ...TOOL,
    name: ["The name of the tool, without that of the toolset.", "find_customer"],
    approval: [
      "`always` if a person approves each call before a program gets it, unless a rule says otherwise.",
      "never",
    ],
  } satisfies FieldTexts<ToolsetTool>,
  ToolsetRunner: {
    holder: ["What the program calls itself.", "runner-7"],
    version: ["The version of the toolset that it has.", "1.4.2"],
    seen_at: ["When it asked for calls last."],
    claimed: ["How many calls of the toolset it works on.", 0],
  } satisfies FieldTexts<ToolsetRunner>,
  Toolset: {
    ...DECLARATION,
    name: NAME,
    revision: ["How often it was changed, from 1; the `ETag` of the response.", 3],
    warnings: ["A sentence for each part of a tool's schema that models do not get.", []],
    declared_by: SHARED.created_by,
    key_name: ["The name of the key that has declared it; absent for a person.", "CRM runner"],
    runners: ["The programs that are connected: they have asked for calls within 45 seconds."],
    last_seen_at: [
      "When a program asked for its calls last; null if none has for a day, or ever.",
      "2026-11-22T09:30:00.000Z",
    ],
    open_calls: ["Calls of its tools that wait for an approval or a result.", 0],
    oldest_open_at: ["When the model made the oldest of them; null without one.", null],
    updated_at: ["When it was last changed."],
  } satisfies FieldTexts<Toolset>,
  ToolsetList: {
    data: ["The toolsets by name."],
  } satisfies FieldTexts<ToolsetList>,
  "toolsets.get": { name: NAME } satisfies FieldTexts<ToolsetRef>,
  "toolsets.put": {
    ...DECLARATION,
    name: NAME,
    if_revision: [
      "The revision that the toolset must have, 0 for none; otherwise 409 and nothing changes. As the header `If-Match`.",
      3,
    ],
  } satisfies FieldTexts<PutToolsetInput>,
  "toolsets.delete": { name: NAME } satisfies FieldTexts<ToolsetRef>,
} satisfies SchemaTexts;
