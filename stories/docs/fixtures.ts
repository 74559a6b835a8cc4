import type {
  ReferenceField,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceSchema,
} from "@/components/docs/reference";

const toField = (field: Partial<ReferenceField> & { name: string }): ReferenceField => ({
  type: [{ text: "string" }],
  variants: [],
  isRequired: false,
  description: "",
  limits: [],
  ...field,
});

export const CONTENT = toField({
  name: "content",
  type: [{ text: "ContentInput", schema: "ContentInput" }],
  isRequired: true,
  description: "What the person says: a text, or `parts`.",
});
export const MAX_STEPS = toField({
  name: "max_steps",
  type: [{ text: "integer" }],
  description: "Most model calls of a turn.",
  limits: ["1 to 1,000", "default 20"],
});
const CALL_ID = toField({ name: "tool_call_id", isRequired: true, description: "The call." });
export const RESULTS = toField({
  name: "results",
  type: [{ text: "array of " }, { text: "object" }],
  description: "A result for each open call of the step.",
  variants: [{ label: undefined, fields: [CALL_ID] }],
});
export const VARIANTS = [
  { label: 'type: "advice"', fields: [toField({ name: "advice", description: "What it says." })] },
  { label: 'type: "error"', fields: [toField({ name: "error", description: "Why not." })] },
];

const REQUEST = JSON.stringify({ content: "Deploy v12" }, null, 2);

export const START: ReferenceOperation = {
  id: "chats.create",
  method: "POST",
  path: "/chats",
  summary: "Start a chat with its first message",
  description: "Needs an API key with the scope `chat`, or a session.",
  parameters: [
    { ...toField({ name: "Idempotency-Key", description: "Repeats safely." }), place: "header" },
  ],
  bodies: [
    {
      type: [{ text: "object" }],
      variants: [{ label: undefined, fields: [CONTENT, MAX_STEPS] }],
      mediaType: "application/json",
      example: REQUEST,
    },
  ],
  responses: [
    {
      status: "201",
      description: "The answer",
      body: {
        type: [{ text: "Chat", schema: "Chat" }],
        variants: [],
        mediaType: "application/json",
        example: JSON.stringify({ id: "0198c0de" }, null, 2),
      },
    },
  ],
  errorStatuses: ["400", "401", "422"],
  request: {
    method: "POST",
    path: "/chats",
    pathValues: [],
    needsKey: true,
    isStream: false,
    payload: { kind: "json", text: REQUEST },
  },
};

export const CHANGE_PASSWORD: ReferenceOperation = {
  id: "account.changePassword",
  method: "POST",
  path: "/account/password",
  summary: "Change the password",
  description: "For signed-in browsers only.",
  parameters: [],
  bodies: [],
  responses: [{ status: "204", description: "Done", body: undefined }],
  errorStatuses: ["400", "403"],
  request: undefined,
};

export const GROUPS: readonly ReferenceGroup[] = [
  { name: "chats", title: "Chats", description: "Chats and their turns.", operations: [START] },
  {
    name: "account",
    title: "Account",
    description: "The caller's password and browsers.",
    operations: [CHANGE_PASSWORD],
  },
];

export const SCHEMA: ReferenceSchema = {
  name: "AdvisorResult",
  type: [{ text: "object" }],
  variants: VARIANTS,
  example: JSON.stringify({ type: "advice", advice: "Test it first." }, null, 2),
};
