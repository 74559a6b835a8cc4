import { CreateApiKeyInput } from "@/contract/api-key";
import type { Problem } from "@/contract/problem";
import { SET_MEANING, SET_NAME } from "./api-key-scopes";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { SettingForm } from "@/components/schema-form/setting-form";
import type { TextFormat } from "@/components/schema-form/text-formats";

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
    parts={(get) => [...PARTS, { ...EXPIRY, hint: describeExpiry(get(EXPIRY.path)) }]}
  />
);
export default ApiKeyForm;

const NEW = { scope: "chat", expires_in_days: 90 };
const NEVER = "never";

const describeExpiry = (days: unknown): string =>
  days === NEVER ? "The key works until you revoke it." : "The key stops working by itself.";

const DAYS_TEXT: TextFormat = {
  format: String,
  parse: (days) => ({ value: days === NEVER ? undefined : Number(days) }),
};

const PARTS: readonly FormPart[] = [
  {
    path: "name",
    label: "Name",
    hint: "The program that will use the key, such as “Nightly report”.",
    control: "line",
    autoFocus: true,
    error: "Enter a name.",
  },
  { path: "scope", label: "Scope", names: SET_NAME, meanings: SET_MEANING, control: "radio" },
];

const EXPIRY = {
  path: "expires_in_days",
  label: "Expires",
  names: { "30": "In 30 days", "90": "In 90 days", "365": "In 1 year", [NEVER]: "Never" },
  text: DAYS_TEXT,
} satisfies FormPart;
