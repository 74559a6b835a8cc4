import type { ArrayFieldItemTemplateProps, ArrayFieldTemplateProps } from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { FieldGroup } from "./field-group";
import { groupError, isRequired, labelOf } from "./field-words";
import { focusFirstControl, movePart, PART, removePart } from "./keep-focus";

/** A list: its items, each with what can be done to it, and a way to add one. */
export const SchemaListTemplate = (props: ArrayFieldTemplateProps) => {
  const { schema, title, items, canAdd, uiSchema, fieldPathId } = props;
  const list = useRef<HTMLDivElement>(null);
  return (
    <FieldGroup
      label={labelOf(title, isRequired(fieldPathId.$id, props))}
      labelHidden={uiSchema?.["ui:labelHidden"] === true}
      hint={schema.description}
      error={groupError(schema, props.rawErrors)}
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
  const off = disabled === true || readonly === true;
  const item = `item ${index + 1}`;
  return (
    <div {...PART} className="flex min-w-0 items-start gap-1.5">
      <div className="min-w-0 flex-1">{children}</div>
      {hasToolbar && (
        <div className="flex shrink-0">
          {(hasMoveUp || hasMoveDown) && (
            <>
              <IconButton
                label={`Move ${item} up`}
                icon={<ArrowUp aria-hidden size={15} />}
                onClick={({ currentTarget }) => movePart(currentTarget, buttonsProps.onMoveUpItem)}
                disabled={off || !hasMoveUp}
              />
              <IconButton
                label={`Move ${item} down`}
                icon={<ArrowDown aria-hidden size={15} />}
                onClick={({ currentTarget }) =>
                  movePart(currentTarget, buttonsProps.onMoveDownItem)
                }
                disabled={off || !hasMoveDown}
              />
            </>
          )}
          {hasRemove && (
            <IconButton
              label={`Remove ${item}`}
              icon={<Trash2 aria-hidden size={15} />}
              onClick={({ currentTarget }) => removePart(currentTarget, buttonsProps.onRemoveItem)}
              disabled={off}
            />
          )}
        </div>
      )}
    </div>
  );
};
