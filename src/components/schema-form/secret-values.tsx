import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { FieldGroup } from "./field-group";
import type { CustomControl } from "./setting-fields";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { TextField } from "@/components/ui/text-field";

type SecretRow = { id: number; name: string; value: string; isStored: boolean };

type SecretValuesProps = CustomControl & {
  label: string;
  hint: string;
  /** The names of those that are stored, whose values nobody can read. */
  storedNames: readonly string[];
};

/** Asks for secrets by their names: new ones, and new values or the removal of those that are stored. */
export const SecretValues = (props: SecretValuesProps) => {
  const { label, hint, storedNames, error, onChange } = props;
  const [rows, setRows] = useState<readonly SecretRow[]>(() =>
    storedNames.map((name, id) => ({ id, name, value: "", isStored: true })),
  );
  const [nextId, setNextId] = useState(storedNames.length);
  const change = (next: readonly SecretRow[]): void => {
    setRows(next);
    const kept = next.filter(({ isStored }) => isStored).map(({ name }) => name);
    onChange({
      ...Object.fromEntries(
        storedNames.filter((name) => !kept.includes(name)).map((name) => [name, null]),
      ),
      // What is stored stays if nothing is entered.
      ...Object.fromEntries(
        next
          .filter(({ name, value, isStored }) => value !== "" || (!isStored && name !== ""))
          .map(({ name, value }) => [name.trim(), value]),
      ),
    });
  };
  const isShown = ({ name, isStored }: SecretRow): boolean =>
    !isStored || storedNames.includes(name);
  return (
    <FieldGroup label={label} hint={hint} error={error}>
      <div className="grid gap-3">
        {rows.filter(isShown).map((row) => (
          <Row
            key={row.id}
            row={row}
            onChange={(changed) => change(rows.map((one) => (one === row ? changed : one)))}
            onRemove={() => change(rows.filter((one) => one !== row))}
          />
        ))}
        <div>
          <Button
            size="sm"
            icon={<Plus aria-hidden size={14} />}
            onClick={() => {
              setNextId(nextId + 1);
              setRows([...rows, { id: nextId, name: "", value: "", isStored: false }]);
            }}
          >
            Add a secret
          </Button>
        </div>
      </div>
    </FieldGroup>
  );
};

type RowProps = { row: SecretRow; onChange: (row: SecretRow) => void; onRemove: () => void };

const Row = ({ row, onChange, onRemove }: RowProps) => {
  const { name, value, isStored } = row;
  const what = name === "" ? "the secret" : name;
  return (
    <div role="group" aria-label={name || "New secret"} className="flex items-end gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
        {isStored ? (
          <code translate="no" className="self-center wrap-anywhere">
            {name}
          </code>
        ) : (
          <TextField
            label="Name"
            value={name}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            onChange={({ target }) => onChange({ ...row, name: target.value })}
          />
        )}
        <TextField
          label={isStored ? `New value of ${name}` : "Value"}
          labelHidden={isStored}
          type="password"
          autoComplete="new-password"
          placeholder={isStored ? "Stored" : ""}
          value={value}
          onChange={({ target }) => onChange({ ...row, value: target.value })}
        />
      </div>
      <IconButton
        label={`Remove ${what}`}
        icon={<Trash2 aria-hidden size={16} />}
        onClick={onRemove}
      />
    </div>
  );
};
