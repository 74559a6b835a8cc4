import { type ApiKeyScope, CreateApiKeyInput } from "@/contract/api-key";
import type { JsonValue } from "@/contract/json";
import type { Problem } from "@/contract/problem";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { SettingForm } from "@/components/schema-form/setting-form";
import { type TextFormat, valuesText } from "@/components/schema-form/text-formats";
import { RadioGroup } from "@/components/ui/radio-group";
import { isPurpose, type KeyPurpose, PURPOSES, toKeyInput } from "./api-key-purposes";
import { ScopeBoxes } from "./scope-boxes";

type ApiKeyFormProps = {
  onSubmit: (key: CreateApiKeyInput) => void;
  onCancel: () => void;
  onEdit?: () => void;
  isBusy: boolean;
  /** Why the last attempt failed; errors at the names of the input appear at the fields. */
  problem: Problem | undefined;
};

/** Asks for what a new API key needs. */
const ApiKeyForm = (props: ApiKeyFormProps) => (
  <SettingForm
    {...props}
    label="New API key"
    submitLabel="Create key"
    problemTitle="The key was not created"
    schema={CreateApiKeyInput}
    stored={NEW}
    toInput={toKeyInput}
    parts={(get) => [
      ...PARTS,
      ...(get("purpose") === "other" ? [SCOPES] : []),
      ...listRestrictions(get("purpose"), get("scopes")),
      { ...EXPIRY, hint: describeExpiry(get(EXPIRY.path)) },
    ]}
  />
);
export default ApiKeyForm;

const NEW = { purpose: "tools", expires_in_days: 90 };
const NEVER = "never";

const listRestrictions = (
  purpose: JsonValue | undefined,
  scopes: JsonValue | undefined,
): readonly FormPart[] => {
  // A key that may do everything could make another one.
  if (purpose === "admin" || (purpose === "other" && hasScope(scopes, "admin"))) return [];
  const toolsets = isPurpose(purpose) ? TOOLSETS_HINT[purpose] : undefined;
  if (toolsets === undefined) return [{ ...TOOLS, hint: `${TOOLS.hint} ${WITHOUT_TOOLS}` }, LABELS];
  return [
    { ...TOOLS, hint: `${TOOLS.hint} ${WITHOUT_EITHER}` },
    { ...TOOLSETS, hint: `${TOOLSETS.hint} ${toolsets}` },
    LABELS,
  ];
};

const hasScope = (scopes: JsonValue | undefined, scope: ApiKeyScope): boolean =>
  Array.isArray(scopes) && scopes.includes(scope);

const describeExpiry = (days: unknown): string =>
  days === NEVER ? "The key works until you revoke it." : "The key stops working by itself.";

const DAYS_TEXT: TextFormat = {
  format: String,
  parse: (days) => ({ value: days === NEVER ? undefined : Number(days) }),
};

const NAMES_TEXT: TextFormat = {
  format: (names) => (names as string[]).join("\n"),
  parse: (text) => {
    const names = text.split(/[\s,]+/).filter((name) => name !== "");
    return { value: names.length === 0 ? undefined : names };
  },
};

const PURPOSE_LABEL = "What is it for?";

const PARTS: readonly FormPart[] = [
  {
    path: "name",
    label: "Name",
    hint: "The program that will use the key, such as “Nightly report”.",
    control: "line",
    autoFocus: true,
    error: "Enter a name.",
  },
  {
    path: "purpose",
    label: PURPOSE_LABEL,
    render: ({ value, onChange }) => (
      <RadioGroup
        label={PURPOSE_LABEL}
        options={PURPOSES}
        value={isPurpose(value) ? value : "tools"}
        onChange={onChange}
      />
    ),
  },
];

const SCOPES: FormPart = {
  path: "scopes",
  label: "Scopes",
  error: "Choose at least one.",
  render: (control) => <ScopeBoxes {...control} />,
};

const WITHOUT_TOOLS = "Without any, it is for all tools.";
const WITHOUT_EITHER = "Without tools and toolsets, it is for all tools.";

const TOOLS = {
  path: "only/tools",
  label: "Only these tools",
  hint: "One name in a line. An asterisk stands for any characters: restart_*.",
  control: "lines",
  text: NAMES_TEXT,
  error: "Write letters, digits, “_”, “-”, “.” or “*”, and each name once.",
} satisfies FormPart;

const TOOLSETS = {
  path: "only/toolsets",
  label: "Only these toolsets",
  hint: "One name in a line.",
  control: "lines",
  text: NAMES_TEXT,
  error: "Write small letters, digits or “-”, at most 32 in a name, and each name once.",
} satisfies FormPart;

/** What else a key may do with its toolsets, for the purposes that have any. */
const TOOLSETS_HINT: Partial<Record<KeyPurpose, string>> = {
  tools: "If you are an administrator, the program may then also declare these toolsets.",
  other: "With the scope “Declare toolsets”, the program may declare these and no others.",
};

const LABELS: FormPart = {
  path: "only/labels",
  label: "Only chats with these labels",
  hint: "One label in a line: app=slackbot. Chats that the key makes have them. Without any, it is for all chats.",
  control: "lines",
  text: valuesText({ separator: "=", error: "Write one label in a line, such as app=slackbot." }),
};

const EXPIRY = {
  path: "expires_in_days",
  label: "Expires",
  names: { "30": "In 30 days", "90": "In 90 days", "365": "In 1 year", [NEVER]: "Never" },
  text: DAYS_TEXT,
} satisfies FormPart;
