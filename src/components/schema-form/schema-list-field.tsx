import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isJsonObject } from "@/contract/is-json-object";
import { Button } from "@/components/ui/button";
import {
  focusFirstControl,
  moveItem,
  FORM_ITEM,
  ITEM_ACTIONS,
  removeItem,
} from "@/components/ui/form-item-focus";
import { IconButton } from "@/components/ui/icon-button";
import { EmptyChoice } from "./empty-choice";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { formatLabel, getFieldTexts, pickErrors, toText } from "./field-texts";
import { createInitialValue } from "./field-value";
import { SchemaMultiSelect } from "./schema-select-field";

/** A list without items is no answer; a required one can be sent empty. */
export const SchemaListField = (props: FieldProps) => {
  const { schema, value, onChange, errors, name, isRequired, disabled } = props;
  const canBeEmpty = isRequired && !(Number(schema.minItems) > 0);
  const hasItems = Array.isArray(value) && value.length > 0;
  const Control = schema.uniqueItems === true ? SchemaMultiSelect : ItemList;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Control
        {...props}
        onChange={(next) => onChange(Array.isArray(next) && next.length === 0 ? undefined : next)}
      />
      <EmptyChoice
        label="Send an empty list"
        fieldLabel={formatLabel(name, isRequired)}
        isEmpty={!canBeEmpty || hasItems ? undefined : value !== undefined}
        isReported={errors.some(({ pointer }) => pointer === "")}
        onChange={(isEmpty) => onChange(isEmpty ? [] : undefined)}
        disabled={disabled}
      />
    </div>
  );
};

/** The items of a list with their actions, and a button that adds an item. */
const ItemList = (props: FieldProps) => {
  const { schema, onChange, disabled } = props;
  const { label, labelHidden, hint, error } = getFieldTexts(props);
  const list = useRef<HTMLDivElement>(null);
  const values = Array.isArray(props.value) ? props.value : [];
  const itemSchema = isJsonObject(schema.items) ? schema.items : {};
  const { keys, setKeys } = useItemKeys(values.length);
  const replaceItems = (indexes: readonly number[]) => {
    setKeys(indexes.map((index) => keys[index] ?? index));
    onChange(indexes.map((index) => values[index] ?? null));
  };
  const all = values.map((_value, index) => index);
  const canAdd = !(Number(schema.maxItems) <= values.length);
  return (
    <FieldGroup label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <div ref={list} className="mb-2 grid grid-cols-1 gap-2 empty:hidden">
        {values.map((value, index) => (
          <div key={keys[index]} {...FORM_ITEM} className="flex min-w-0 items-start gap-1.5">
            <div className="min-w-0 flex-1">
              <Item
                {...props}
                schema={itemSchema}
                value={value}
                onChange={(next) => onChange(values.with(index, next ?? null))}
                index={index}
              />
            </div>
            <ItemActions
              index={index}
              count={values.length}
              disabled={disabled}
              onMove={(to) => replaceItems(all.toSpliced(index, 1).toSpliced(to, 0, index))}
              onRemove={() => replaceItems(all.toSpliced(index, 1))}
            />
          </div>
        ))}
      </div>
      {canAdd && (
        <Button
          size="sm"
          icon={<Plus aria-hidden size={14} />}
          disabled={disabled}
          onClick={() => {
            flushSync(() => onChange([...values, createInitialValue(itemSchema) ?? null]));
            focusFirstControl(list.current?.lastElementChild);
          }}
        >
          {values.length === 0 ? "Add an item" : "Add another"}
        </Button>
      )}
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

/** Returns a key for each item, which it keeps when it is moved. */
const useItemKeys = (count: number) => {
  const [keys, setKeys] = useState<readonly number[]>(() => Array.from({ length: count }, toIndex));
  const first = Math.max(-1, ...keys) + 1;
  const added = Array.from({ length: Math.max(0, count - keys.length) }, (_, at) => first + at);
  const current = [...keys, ...added].slice(0, count);
  if (current.length !== keys.length) setKeys(current);
  return { keys: current, setKeys };
};

const toIndex = (_item: unknown, index: number): number => index;

type ItemActionsProps = {
  index: number;
  count: number;
  disabled: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
};

const ItemActions = ({ index, count, disabled, onMove, onRemove }: ItemActionsProps) => {
  const name = `item ${index + 1}`;
  return (
    <div {...ITEM_ACTIONS} className="flex shrink-0">
      {count > 1 && (
        <>
          <IconButton
            label={`Move ${name} up`}
            icon={<ArrowUp aria-hidden size={15} />}
            onClick={({ currentTarget }) => moveItem(currentTarget, () => onMove(index - 1))}
            disabled={disabled || index === 0}
          />
          <IconButton
            label={`Move ${name} down`}
            icon={<ArrowDown aria-hidden size={15} />}
            onClick={({ currentTarget }) => moveItem(currentTarget, () => onMove(index + 1))}
            disabled={disabled || index === count - 1}
          />
        </>
      )}
      <IconButton
        label={`Remove ${name}`}
        icon={<Trash2 aria-hidden size={15} />}
        onClick={({ currentTarget }) => removeItem(currentTarget, onRemove)}
        disabled={disabled}
      />
    </div>
  );
};
