import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import {
  focusFirstControl,
  moveItem,
  FORM_ITEM,
  ITEM_ACTIONS,
  removeItem,
} from "@/components/ui/form-item-focus";
import { IconButton } from "@/components/ui/icon-button";

type ItemRowsProps = {
  count: number;
  /** Whether the order of the items means something. */
  isOrdered: boolean;
  canAdd: boolean;
  disabled: boolean;
  /** Keeps the items at these places, in this order. */
  onArrange: (indexes: readonly number[]) => void;
  onAdd: () => void;
  children: (index: number) => ReactNode;
};

/** Items with their actions, and a button that adds one. */
export const ItemRows = (props: ItemRowsProps) => {
  const { count, isOrdered, canAdd, disabled, onAdd, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const { keys, setKeys } = useItemKeys(count);
  const arrange = (indexes: readonly number[]) => {
    setKeys(indexes.map((index) => keys[index] ?? index));
    props.onArrange(indexes);
  };
  const all = Array.from({ length: count }, toIndex);
  return (
    <>
      <div ref={list} className="mb-2 grid grid-cols-1 gap-2 empty:hidden">
        {all.map((index) => (
          <div key={keys[index]} {...FORM_ITEM} className="flex min-w-0 items-start gap-1.5">
            <div className="min-w-0 flex-1">{children(index)}</div>
            <ItemActions
              index={index}
              count={isOrdered ? count : 1}
              disabled={disabled}
              onMove={(to) => arrange(all.toSpliced(index, 1).toSpliced(to, 0, index))}
              onRemove={() => arrange(all.toSpliced(index, 1))}
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
            flushSync(onAdd);
            focusFirstControl(list.current?.lastElementChild);
          }}
        >
          {count === 0 ? "Add an item" : "Add another"}
        </Button>
      )}
    </>
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
