import { FieldGroup } from "@/components/schema-form/field-group";
import type { CustomControl } from "@/components/schema-form/setting-fields";
import { Checkbox } from "@/components/ui/checkbox";
import type { ApiKeyScope } from "@/contract/api-key";
import { SCOPE_MEANING, SCOPE_NAME } from "./api-key-scopes";

const SCOPES = Object.keys(SCOPE_NAME) as ApiKeyScope[];

/** Asks for the scopes of a key. */
export const ScopeBoxes = ({ value, onChange, error }: CustomControl) => {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <FieldGroup label="Scopes" error={error}>
      <div className="grid gap-3 rounded-md border bg-bg p-3">
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={SCOPE_NAME[scope]}
            hint={SCOPE_MEANING[scope]}
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(
                SCOPES.filter((each) => (each === scope ? target.checked : chosen.includes(each))),
              )
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
};
