import { EmptyChoice } from "./empty-choice";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { formatLabel, getFieldTexts, pickErrors, toText } from "./field-texts";
import { getItem, toEntered } from "./field-value";
import { createInitialValue } from "./initial-value";
import { SELECTION } from "./form-keywords";
import { ItemRows } from "./item-rows";
import { SchemaMultiSelect } from "./schema-multi-select";

/** A list without items is no answer; a required one can be sent empty. */
export const SchemaListField = (props: FieldProps) => {
  const { schema, value, onChange, errors, name, isRequired, disabled } = props;
  const canBeEmpty = isRequired && !(Number(schema.minItems) > 0);
  const hasItems = Array.isArray(value) && value.length > 0;
  const Control = schema[SELECTION] === true ? SchemaMultiSelect : ItemList;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Control
        {...props}
        onChange={(next) => onChange(Array.isArray(next) && next.length === 0 ? undefined : next)}
      />
      <EmptyChoice
        label="Leave empty on purpose"
        fieldLabel={formatLabel(name, isRequired)}
        isEmpty={!canBeEmpty || hasItems ? undefined : value !== undefined}
        isReported={errors.some(({ pointer }) => pointer === "")}
        onChange={(isEmpty) => onChange(isEmpty ? [] : undefined)}
        disabled={disabled}
      />
    </div>
  );
};

const ItemList = (props: FieldProps) => {
  const { schema, onChange, disabled } = props;
  const { label, labelHidden, hint, error } = getFieldTexts(props);
  const values = Array.isArray(props.value) ? props.value : [];
  const itemSchema = getItem(schema, 0);
  return (
    <FieldGroup label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <ItemRows
        count={values.length}
        isOrdered
        canAdd={!(Number(schema.maxItems) <= values.length)}
        disabled={disabled}
        onArrange={(indexes) => onChange(indexes.map((index) => values[index] ?? null))}
        onAdd={() => onChange([...values, createInitialValue(itemSchema) ?? null])}
      >
        {(index) => (
          <Item
            {...props}
            schema={itemSchema}
            value={toEntered(itemSchema, values[index])}
            onChange={(next) => onChange(values.with(index, next ?? null))}
            index={index}
          />
        )}
      </ItemRows>
    </FieldGroup>
  );
};

const Item = ({ index, ...props }: FieldProps & { index: number }) => {
  const { schema, errors, id, name, Field } = props;
  const title = toText(schema.title);
  return (
    <Field
      {...props}
      errors={pickErrors(errors, index)}
      id={`${id}/${index}`}
      name={title ?? `${name} ${index + 1}`.trim()}
      // The order of the items makes their numbers visible already.
      isNameHidden={title === undefined && schema.type !== "object"}
      isRoot={false}
      isRequired
    />
  );
};
