import ArrayField from "@rjsf/core/lib/components/fields/ArrayField.js";
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldPathList,
  FieldProps,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { type ComponentType, useRef } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { FieldGroup } from "./field-group";
import { EmptyChoice } from "./empty-choice";
import { formatFirstError, formatLabel, getFieldTexts, getHint, isRequired } from "./field-texts";
import {
  focusFirstControl,
  moveItem,
  FORM_ITEM,
  ITEM_ACTIONS,
  removeItem,
} from "@/components/ui/form-item-focus";

const List = ArrayField as ComponentType<FieldProps>;

/** A list without items is no answer; a required one can be sent empty. */
export const SchemaListField = (props: FieldProps) => {
  const { schema, fieldPathId, rawErrors, disabled } = props;
  const { label, required } = getFieldTexts(props);
  const items: unknown = props.formData;
  const canBeEmpty = required && !((schema.minItems ?? 0) > 0);
  const hasItems = Array.isArray(items) && items.length > 0;
  const handleChange = (value: unknown, path: FieldPathList) => {
    const isOwn = path.length === fieldPathId.path.length;
    const isEmpty = isOwn && Array.isArray(value) && value.length === 0;
    props.onChange(isEmpty ? undefined : value, path);
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      <List {...props} onChange={handleChange} />
      <EmptyChoice
        label="Send an empty list"
        fieldLabel={label}
        isEmpty={!canBeEmpty || hasItems ? undefined : items !== undefined}
        isReported={rawErrors !== undefined}
        onChange={(isEmpty) => props.onChange(isEmpty ? [] : undefined, fieldPathId.path)}
        disabled={disabled}
      />
    </div>
  );
};

/** The items of an array with their actions, and a button that adds an item. */
export const SchemaListTemplate = (props: ArrayFieldTemplateProps) => {
  const { schema, title, items, canAdd, uiSchema, fieldPathId } = props;
  const list = useRef<HTMLDivElement>(null);
  return (
    <FieldGroup
      label={formatLabel(title, isRequired(fieldPathId.$id, props))}
      labelHidden={uiSchema?.["ui:labelHidden"] === true}
      hint={getHint(schema)}
      error={formatFirstError(props.rawErrors)}
    >
      <div ref={list} className="mb-2 grid grid-cols-1 gap-2 empty:hidden">
        {items}
      </div>
      {canAdd && (
        <Button
          size="sm"
          icon={<Plus aria-hidden size={14} />}
          disabled={props.disabled === true || props.readonly === true}
          onClick={(event) => {
            flushSync(() => props.onAddClick(event));
            focusFirstControl(list.current?.lastElementChild);
          }}
        >
          {items.length === 0 ? "Add an item" : "Add another"}
        </Button>
      )}
    </FieldGroup>
  );
};

export const SchemaListItemTemplate = ({
  children,
  buttonsProps,
  hasToolbar,
  index,
}: ArrayFieldItemTemplateProps) => {
  const { disabled, readonly, hasMoveUp, hasMoveDown, hasRemove } = buttonsProps;
  const isDisabled = disabled === true || readonly === true;
  const itemName = `item ${index + 1}`;
  return (
    <div {...FORM_ITEM} className="flex min-w-0 items-start gap-1.5">
      <div className="min-w-0 flex-1">{children}</div>
      {hasToolbar && (
        <div {...ITEM_ACTIONS} className="flex shrink-0">
          {(hasMoveUp || hasMoveDown) && (
            <>
              <IconButton
                label={`Move ${itemName} up`}
                icon={<ArrowUp aria-hidden size={15} />}
                onClick={({ currentTarget }) => moveItem(currentTarget, buttonsProps.onMoveUpItem)}
                disabled={isDisabled || !hasMoveUp}
              />
              <IconButton
                label={`Move ${itemName} down`}
                icon={<ArrowDown aria-hidden size={15} />}
                onClick={({ currentTarget }) =>
                  moveItem(currentTarget, buttonsProps.onMoveDownItem)
                }
                disabled={isDisabled || !hasMoveDown}
              />
            </>
          )}
          {hasRemove && (
            <IconButton
              label={`Remove ${itemName}`}
              icon={<Trash2 aria-hidden size={15} />}
              onClick={({ currentTarget }) => removeItem(currentTarget, buttonsProps.onRemoveItem)}
              disabled={isDisabled}
            />
          )}
        </div>
      )}
    </div>
  );
};
