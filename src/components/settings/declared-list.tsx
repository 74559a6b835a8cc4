"use client";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { Problem } from "@/contract/problem";
import type { DeclaredRowActions } from "./declared-row";
import { EditableList } from "./editable-list";
import type { Loadable } from "./loaded";

/** A list that is saved as a whole. */
export type Declared<Item> = { items: Item[]; version: number };

/** What the form of one item gets. */
export type DeclaredFormProps<Item> = {
  /** The item that is changed; undefined for a new one. */
  item: Item | undefined;
  /** The names of the other items. */
  otherNames: readonly string[];
  onSubmit: (item: Item) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
};

/** What saving the list is made of, as the list itself is stored. */
export type DeclaredSaving<List> = {
  onReload: () => void;
  /** Saves all items, unless they have another version by now; `onSaved` is called when they are saved. */
  onSave: (list: List, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  /** Saves all items but one that was deleted. */
  onRemove: (list: List) => void;
  removalProblem: Problem | undefined;
};

type DeclaredListProps<Item> = DeclaredSaving<Declared<Item>> &
  Pick<ComponentProps<typeof EditableList<Item>>, "title" | "lead" | "noun"> & {
    list: Loadable<Declared<Item>>;
    form: (props: DeclaredFormProps<Item>) => ReactNode;
    row: (item: Item, actions: DeclaredRowActions) => ReactNode;
  };

/** Lists what administrators have declared, adds, changes and deletes it. */
export const DeclaredList = <Item extends { name: string }>(props: DeclaredListProps<Item>) => {
  const { list, form, row, isSaving } = props;
  const { items, version } = list.state === "ready" ? list.value : { items: [], version: 0 };
  return (
    <EditableList
      title={props.title}
      lead={props.lead}
      noun={props.noun}
      items={list.state === "ready" ? { ...list, value: items } : list}
      onReload={props.onReload}
      keyOf={({ name }) => name}
      form={(item, onClose) => (
        <OpenForm
          item={item}
          form={form}
          declared={{ items, version }}
          onSave={(next) => props.onSave(next, onClose)}
          onCancel={onClose}
          isBusy={isSaving}
          problem={props.saveProblem}
        />
      )}
      row={(item, onEdit) =>
        row(item, {
          isBusy: isSaving,
          onEdit,
          onDelete: () =>
            props.onRemove({ items: items.filter((other) => other !== item), version }),
        })
      }
      onCloseForm={props.onCloseForm}
      changeProblem={props.removalProblem}
      isSaving={isSaving}
    />
  );
};

type OpenFormProps<Item> = Omit<DeclaredFormProps<Item>, "otherNames" | "onSubmit"> & {
  declared: Declared<Item>;
  form: (props: DeclaredFormProps<Item>) => ReactNode;
  onSave: (list: Declared<Item>) => void;
};

/** The form of one item, which saves all of them if no other change was made that the person has not been told of. */
const OpenForm = <Item extends { name: string }>(props: OpenFormProps<Item>) => {
  const {
    declared: { items, version },
    form,
    onSave,
    ...shared
  } = props;
  const { item, problem } = shared;
  const [knownVersion, setKnownVersion] = useState(version);
  const save = (next: Item[]): void => {
    // After a conflict was shown, the change is made to the newest list, also if it is then refused.
    const expected = problem?.code === "conflict" ? version : knownVersion;
    setKnownVersion(expected);
    onSave({ items: next, version: expected });
  };
  return form({
    ...shared,
    otherNames: items.filter((other) => other !== item).map(({ name }) => name),
    onSubmit: (saved) =>
      save(item ? items.map((other) => (other === item ? saved : other)) : [...items, saved]),
  });
};
