import { RadioGroup } from "@/components/ui/radio-group";
import { useFormFields } from "@/components/ui/use-form-fields";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { TextField } from "@/components/ui/text-field";
import { ApiKeyScope, type CreateApiKeyInput } from "@/contract/api-key";
import type { Problem } from "@/contract/problem";
import { SCOPE_TEXT } from "./api-key-scopes";

type ApiKeyFormProps = {
  onSubmit: (key: CreateApiKeyInput) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed; errors at the names of the input appear at the fields. */
  problem: Problem | undefined;
};

/** The fields are those of the input; a key that never expires has no days. */
type ApiKeyDraft = { name: string; scope: ApiKeyScope; expires_in_days: string };

const INITIAL: ApiKeyDraft = { name: "", scope: "chat", expires_in_days: "90" };
const NEVER = "";

const SCOPE_OPTIONS = ApiKeyScope.options.map((scope) => ({
  value: scope,
  label: SCOPE_TEXT[scope].label,
  hint: SCOPE_TEXT[scope].meaning,
}));
const EXPIRY_OPTIONS = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
  { value: NEVER, label: "Never" },
];

const validate = ({ name }: ApiKeyDraft) => ({
  name: name.trim() === "" ? "Enter a name." : undefined,
});

const toInput = ({ name, scope, expires_in_days: days }: ApiKeyDraft): CreateApiKeyInput => ({
  name: name.trim(),
  scope,
  ...(days !== NEVER && { expires_in_days: Number(days) }),
});

/** Asks for what a new API key needs. */
export const ApiKeyForm = ({ onSubmit, onCancel, isBusy, problem }: ApiKeyFormProps) => {
  const { formRef, handleSubmit, values, change, textField, findError } = useFormFields({
    initial: INITIAL,
    validate,
    isBusy,
    problem,
    onSubmit: (draft) => onSubmit(toInput(draft)),
  });
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={handleSubmit}
      aria-label="New API key"
      className="grid gap-5 rounded-lg border bg-surface p-4"
    >
      {problem !== undefined && (
        <Alert tone="danger" announce="alert" title="The key was not created">
          {problem.detail}
        </Alert>
      )}
      <TextField
        label="Name"
        hint="The program that will use the key, such as “Nightly report”."
        autoComplete="off"
        autoFocus
        {...textField("name")}
      />
      <RadioGroup
        label="Scope"
        options={SCOPE_OPTIONS}
        value={values.scope}
        onChange={(scope) => change("scope", scope)}
        error={findError("scope")}
      />
      <Select
        label="Expires"
        hint={
          values.expires_in_days === NEVER
            ? "The key works until you revoke it."
            : "The key stops working by itself."
        }
        options={EXPIRY_OPTIONS}
        value={values.expires_in_days}
        onChange={({ target }) => change("expires_in_days", target.value)}
        error={findError("expires_in_days")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Create key
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};
