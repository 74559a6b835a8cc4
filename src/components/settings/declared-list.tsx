import { useState } from "react";
import type * as z from "zod";
import { DeclaredName } from "@/contract/declared-name";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { EditableList, type FormFrame, type ListSaving } from "./editable-list";
import { type Loadable, mapLoadable } from "@/components/ui/loaded";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { SettingForm } from "@/components/schema-form/setting-form";
import { DetailRow } from "@/components/ui/detail-list";
import { findMissingTools, type ToolOption } from "./tool-boxes";
import type { DraftInput } from "@/components/schema-form/use-setting-draft";

/** What the page of a list that is saved as a whole gets. */
export type DeclaredListProps<List, Tool extends ToolOption = ToolOption> = ListSaving & {
  list: Loadable<List>;
  onReload: () => void;
  /** Saves all items, unless they have another version by now; `onSaved` is called when they are saved. */
  onSave: (list: List, onSaved: () => void) => void;
  /** Saves all items but one that was deleted. */
  onRemove: (list: List) => void;
  /** The tools that an item can have. */
  tools: Loadable<readonly Tool[]>;
  onReloadTools: () => void;
};

type ItemFields<Item> = {
  schema: z.ZodType<Item>;
  /** What a new item begins with. */
  blank: object;
  parts: (item: Item | undefined, tools: readonly ToolOption[]) => readonly FormPart[];
};

type DeclaredFormProps<Item> = FormFrame &
  ItemFields<Item> &
  Pick<DraftInput<Item>, "check" | "onSubmit"> & {
    /** Undefined for a new one. */
    item: Item | undefined;
    tools: readonly ToolOption[];
  };

/** Asks for what an item of such a list consists of. */
export const DeclaredForm = <Item,>(props: DeclaredFormProps<Item>) => (
  <SettingForm
    {...props}
    stored={props.item ?? props.blank}
    parts={() => props.parts(props.item, props.tools)}
    // `/groups/3/tools/1` is `/tools/1` of its item.
    locate={(pointer) => pointer.replace(/^\/[^/]+(\/\d+)?/, "")}
  />
);

type Whole<Item, Key extends string> = Record<Key, Item[]> & { version: number };

type DeclaredListInput<Item, Key extends string> = DeclaredListProps<Whole<Item, Key>> &
  ItemFields<Item> & {
    /** The key of the items in what is saved. */
    listKey: Key;
    title: string;
    lead: string;
    /** One of the items, such as "agent type". */
    noun: string;
    nameTaken: string;
    getTitle: (item: Item) => string;
    listFacts: (item: Item, items: readonly Item[]) => readonly string[];
    /** Introduces the names of chosen tools that there are no more. */
    missingTools: string;
    /** What follows when an item is deleted. */
    deletion: string;
    /** Whether the last item cannot be deleted. */
    keepsOne?: boolean;
  };

type DeclaredItem = { name: string; description: string; tools: readonly string[] | null };

/** Edits a list of items, each with a name and its tools, that is saved as a whole. */
export const DeclaredList = <Item extends DeclaredItem, Key extends string>(
  props: DeclaredListInput<Item, Key>,
) => {
  const { list, listKey, tools } = props;
  const items: readonly Item[] = list.state === "ready" ? list.value[listKey] : [];
  const options = tools.state === "ready" ? tools.value : [];
  const { checkName, save, remove, onCloseForm } = useWholeList(props, items);
  const canDelete = props.keepsOne !== true || items.length > 1;
  return (
    <EditableList
      {...props}
      items={tools.state === "ready" ? mapLoadable(list, () => items) : tools}
      onReload={tools.state === "ready" ? props.onReload : props.onReloadTools}
      getKey={({ name }) => name}
      onCloseForm={onCloseForm}
      form={(item, frame) => (
        <DeclaredForm
          {...props}
          {...frame}
          item={item}
          tools={options}
          check={({ name }) => checkName(name, item)}
          onSubmit={(saved) => save(saved, item, frame.onSaved)}
        />
      )}
      row={(item, onEdit) => {
        const missing = findMissingTools(item.tools ?? [], options);
        return (
          <DetailRow
            title={props.getTitle(item)}
            facts={[
              item.description,
              item.tools === null ? "All tools" : item.tools.join(", ") || "No tools of the server",
              ...props.listFacts(item, items),
              missing.length > 0 && (
                <span key="missing" className="text-danger">
                  {props.missingTools} {missing.join(", ")}.
                </span>
              ),
            ].filter((fact) => fact !== "" && fact !== false)}
            editing={{
              name: item.name,
              onEdit,
              isBusy: props.isSaving,
              deletion: canDelete
                ? {
                    message: `${props.deletion} You cannot undo this.`,
                    confirmLabel: `Delete ${props.noun}`,
                    onDelete: () => remove(item),
                  }
                : undefined,
            }}
          />
        );
      }}
    />
  );
};

const NAME_ERROR = "Enter a name of letters, digits, - and _, such as review.";

/** Checks and saves changes of the items. A form's change is saved if no other was made that the page has not shown before. */
const useWholeList = <Item extends DeclaredItem, Key extends string>(
  props: DeclaredListInput<Item, Key>,
  items: readonly Item[],
) => {
  const { list, listKey, saveProblem } = props;
  const version = list.state === "ready" ? list.value.version : undefined;
  const [knownVersion, setKnownVersion] = useState(version);
  // A form that is opened while the list is loaded begins with what is then loaded.
  if (knownVersion === undefined && version !== undefined) setKnownVersion(version);
  const toWhole = (changed: Item[], expected = 0) =>
    ({ [listKey]: changed, version: expected }) as Whole<Item, Key>;
  const onCloseForm = (): void => {
    props.onCloseForm();
    setKnownVersion(version);
  };
  return {
    onCloseForm,
    checkName: (name: JsonValue | undefined, item: Item | undefined): FieldError[] => {
      if (!DeclaredName.safeParse(name).success) return [{ pointer: "/name", message: NAME_ERROR }];
      const isTaken = name !== item?.name && items.some((other) => other.name === name);
      return isTaken ? [{ pointer: "/name", message: props.nameTaken }] : [];
    },
    /** @param item what is replaced; undefined for a new one. */
    save: (saved: Item, item: Item | undefined, onSaved: () => void): void => {
      // After a conflict was shown, the change is made to the newest list, also if it is then refused.
      const expected = saveProblem?.code === "conflict" ? version : knownVersion;
      setKnownVersion(expected);
      const next = item
        ? items.map((other) => (other.name === item.name ? saved : other))
        : [...items, saved];
      props.onSave(toWhole(next, expected), onSaved);
    },
    remove: ({ name }: Item): void => {
      const others = items.filter((item) => item.name !== name);
      props.onRemove(toWhole(others, version));
    },
  };
};
