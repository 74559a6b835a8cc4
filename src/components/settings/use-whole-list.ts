import { useState } from "react";
import { DeclaredName } from "@/contract/declared-name";
import type { JsonObject } from "@/contract/json";
import type { FieldError, Problem } from "@/contract/problem";
import type { FormFrame, ListSaving } from "./editable-list";
import { type Loadable, mapLoadable } from "./loaded";
import type { ToolOption } from "./tool-boxes";

/** A list that is saved as a whole. */
type Whole<Item> = { items: readonly Item[]; version: number };

/** What saving the list is made of, as the list itself is stored. */
export type WholeListSaving<List> = {
  onReload: () => void;
  /** Saves all items, unless they have another version by now; `onSaved` is called when they are saved. */
  onSave: (list: List, onSaved: () => void) => void;
  isSaving: boolean;
  saveProblem: Problem | undefined;
  onCloseForm: () => void;
  /** Saves all items but one that was deleted. */
  onRemove: (list: List) => void;
  removalProblem: Problem | undefined;
};

/** The props of the form of an item. */
export type ItemFormProps<Item> = FormFrame & {
  check: (values: JsonObject) => FieldError[];
  onSubmit: (item: Item) => void;
};

/** The tools of the server, by which the items of a list are described. */
export type ServerTools<Tool extends ToolOption = ToolOption> = {
  tools: Loadable<readonly Tool[]>;
  onReloadTools: () => void;
};

type WholeListInput<Item, List> = WholeListSaving<List> &
  ServerTools & {
    list: Loadable<List>;
    toWhole: (list: List) => Whole<Item>;
    toList: (items: Item[], version: number) => List;
  };

/** Edits the items of a list, each by its name, that is saved as a whole. */
export const useWholeList = <Item extends { name: string }, List>(
  props: WholeListInput<Item, List>,
) => {
  const { tools, toList, saveProblem } = props;
  const list = mapLoadable(props.list, props.toWhole);
  const { items, version } = list.state === "ready" ? list.value : { items: [], version: 0 };
  // A change is saved if no other was made that the page has not shown yet.
  const [knownVersion, setKnownVersion] = useState(version);
  const saving: ListSaving = {
    isSaving: props.isSaving,
    saveProblem,
    onCloseForm: () => {
      props.onCloseForm();
      setKnownVersion(version);
    },
    changeProblem: props.removalProblem,
  };
  const withoutItem = (item: Item | undefined): Item[] =>
    items.filter(({ name }) => name !== item?.name);
  return {
    items,
    /** What the list of the page gets. */
    list: {
      items: tools.state === "ready" ? mapLoadable(list, (whole) => whole.items) : tools,
      onReload: tools.state === "ready" ? props.onReload : props.onReloadTools,
      getKey: ({ name }: Item): string => name,
      saving,
    },
    /** @param item what is replaced; undefined for a new one. */
    save: (saved: Item, item: Item | undefined, onSaved: () => void): void => {
      // After a conflict was shown, the change is made to the newest list, also if it is then refused.
      const expected = saveProblem?.code === "conflict" ? version : knownVersion;
      setKnownVersion(expected);
      const next = item
        ? items.map((other) => (other.name === item.name ? saved : other))
        : [...items, saved];
      props.onSave(toList(next, expected), onSaved);
    },
    remove: (item: Item): void => props.onRemove(toList(withoutItem(item), version)),
    /** Refuses a name that cannot be one, or that another item has. */
    checkName:
      (item: Item | undefined, noun: string) =>
      ({ name }: JsonObject): FieldError[] => {
        if (!DeclaredName.safeParse(name).success) {
          return [
            {
              pointer: "/name",
              message: "Enter a name of letters, digits, - and _, such as review.",
            },
          ];
        }
        return withoutItem(item).some((other) => other.name === name)
          ? [{ pointer: "/name", message: `There is a ${noun} with this name already.` }]
          : [];
      },
  };
};

/** Returns the place of an error in the form of its item: `/groups/3/tools/1` → `/tools/1`. */
export const toItemPointer = (pointer: string): string => pointer.replace(/^\/[^/]+(\/\d+)?/, "");
