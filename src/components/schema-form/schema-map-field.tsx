import { clsx } from "clsx";
import type { JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
import { toSentence } from "@/lib/humanize";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { getFieldTexts, joinHint, pickErrors, toText } from "./field-texts";
import { findNameError, getValueField, toEntered, toRows } from "./field-value";
import { createInitialValue } from "./initial-value";
import { KEY_PATTERN } from "./form-keywords";
import { ItemRows } from "./item-rows";

type Row = [name: string, value: JsonValue];

/** Names with their values, which the person adds. */
export const SchemaMapField = (props: FieldProps) => {
  const { schema, onChange, disabled } = props;
  const { label, labelHidden, hint, error } = getFieldTexts(props);
  const rows = toRows(props.value);
  const pattern = toText(schema[KEY_PATTERN]);
  const change = (next: Row[]) => onChange(next.length === 0 ? undefined : next);
  const names = pattern !== undefined && (
    <>
      Names in the format <code className="font-mono break-all text-text">{pattern}</code>
    </>
  );
  return (
    <FieldGroup
      label={label}
      labelHidden={labelHidden}
      hint={names === false ? hint : joinHint(hint, names)}
      error={error}
    >
      <ItemRows
        count={rows.length}
        isOrdered={false}
        canAdd={!(Number(schema.maxProperties) <= rows.length)}
        disabled={disabled}
        onArrange={(indexes) => change(indexes.flatMap((index) => [rows[index] ?? []]) as Row[])}
        onAdd={() => change([...rows, ["", createInitialValue(getValueField(schema)) ?? null]])}
      >
        {(index) => (
          <MapRow
            {...props}
            rows={rows}
            index={index}
            onChange={(row) => change(rows.with(index, row))}
          />
        )}
      </ItemRows>
    </FieldGroup>
  );
};

type MapRowProps = Omit<FieldProps, "value" | "onChange"> & {
  rows: readonly Row[];
  index: number;
  onChange: (row: Row) => void;
};

const MapRow = (props: MapRowProps) => {
  const { schema, rows, index, onChange, id, disabled, Field } = props;
  const [name, value] = rows[index] ?? ["", null];
  const field = getValueField(schema);
  const errors = pickErrors(props.errors, name);
  const nameError = findNameError(
    rows.map(([other]) => other),
    index,
  );
  const isNameReported = nameError !== undefined && errors.length > 0;
  const isSingle = field.type !== "object" && field.type !== "array" && !("anyOf" in field);
  return (
    <div className={clsx("grid grid-cols-1 gap-2", isSingle && "sm:grid-cols-2")}>
      <TextField
        label="Name"
        value={name}
        error={isNameReported ? toSentence(nameError) : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        onChange={({ target }) => onChange([target.value, value])}
      />
      <Field
        schema={field}
        value={toEntered(field, value)}
        onChange={(next) => onChange([name, next ?? null])}
        errors={isNameReported ? [] : errors}
        id={`${id}/${name}`}
        name={toText(field.title) ?? "Value"}
        isRequired
        disabled={disabled}
        Field={Field}
      />
    </div>
  );
};
