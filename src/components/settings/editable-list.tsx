"use client";
import { Plus } from "lucide-react";
import { Fragment, type ReactNode, Suspense, useRef, useState } from "react";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { Alert } from "@/components/ui/alert";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/contract/problem";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { SettingsList } from "./settings-list";
import { SettingsSection } from "./settings-section";

/** What the page of a list knows of its changes. */
export type ListSaving = {
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. It is called when a form is opened or closed. */
  onCloseForm: () => void;
  /** Why the last change of a row failed. */
  changeProblem: Problem | undefined;
};

/** What the page of a list gets whose items are saved one by one. */
export type RecordsProps<Item, Create, Update, Trial> = ListSaving & {
  items: Loadable<readonly Item[]>;
  onReload: () => void;
  /** `onSaved` is called when the item is saved. */
  onCreate: (input: Create, onSaved: () => void) => void;
  onUpdate: (input: Update, onSaved: () => void) => void;
  /** The last try of each item, by what `onTry` gets. */
  trials: Readonly<Record<string, Trial>>;
} & RowActions<Update>;

type RowActions<Update> = {
  /** Changes an item at once. */
  onChange: (change: Update) => void;
  /** @param key the id of the item, or its name if it has no other. */
  onDelete: (key: string) => void;
  onTry: (key: string) => void;
};

/** What the row of such an item gets. */
export type RecordRowProps<Item, Update, Trial> = RowActions<Update> & {
  item: Item;
  trial: Trial | undefined;
  onEdit: () => void;
};

/** The props of the form of an item, or of a new one. */
export type FormFrame = {
  label: string;
  problemTitle: string;
  onCancel: () => void;
  isBusy: boolean;
  problem: Problem | undefined;
};

type EditableListProps<Item> = ListSaving & {
  title: string;
  lead: string;
  /** One of the items, such as "recipe". */
  noun: string;
  items: Loadable<readonly Item[]>;
  onReload: () => void;
  /** Unique among the items. */
  getKey: (item: Item) => string;
  row: (item: Item, onEdit: () => void) => ReactNode;
  /** The form of an item, or of a new one without it. */
  form: (item: Item | undefined, frame: FormFrame) => ReactNode;
  /** Above the list. */
  children?: ReactNode;
};

/** Lists what administrators have added. The form of a new item, or of the one that is edited, is among the rows. */
export const EditableList = <Item extends { name: string }>(props: EditableListProps<Item>) => {
  const { title, lead, noun, items, onReload, changeProblem, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  /** The key of the item whose form is open; null for that of a new one. */
  const [open, setOpen] = useState<string | null>();
  const openForm = (key: string | null | undefined): void => {
    props.onCloseForm();
    setOpen(key);
  };
  return (
    <SettingsSection
      isPage
      title={title}
      lead={lead}
      headingRef={heading}
      action={
        open !== null && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden size={16} />}
            onClick={() => openForm(null)}
          >
            Add {noun}
          </Button>
        )
      }
    >
      {children}
      <FailureAlert title="The change was not saved" detail={changeProblem?.detail} />
      <Loaded loadable={items} what={`${noun}s`} onReload={onReload}>
        {(list) => <Items {...props} list={list} open={open} openForm={openForm} />}
      </Loaded>
    </SettingsSection>
  );
};

type ItemsProps<Item> = Omit<EditableListProps<Item>, "items"> & {
  list: readonly Item[];
  open: string | null | undefined;
  openForm: (key: string | null | undefined) => void;
};

const Items = <Item extends { name: string }>(props: ItemsProps<Item>) => {
  const { list, open, openForm, noun, getKey, row, form, isSaving, saveProblem } = props;
  const isGone = typeof open === "string" && !list.some((item) => getKey(item) === open);
  const renderForm = (item: Item | undefined): ReactNode => (
    // The scripts of a form are loaded when it is opened: most visits only read the list.
    <Suspense>
      {form(item, {
        label: item ? `Edit ${item.name}` : `New ${noun}`,
        problemTitle: `The ${noun} was not saved`,
        onCancel: () => openForm(undefined),
        isBusy: isSaving,
        problem: saveProblem,
      })}
    </Suspense>
  );
  return (
    <>
      {open === null && renderForm(undefined)}
      {/* While a change is saved, the item may get another key. */}
      {isGone && !isSaving && (
        <Alert tone="danger" announce="alert" title={`The ${noun} is not there any more`}>
          Somebody else has deleted or renamed it.
        </Alert>
      )}
      {list.length === 0 && open !== null && (
        <p className="text-muted">There are no {noun}s yet.</p>
      )}
      {list.length > 0 && (
        <SettingsList>
          {list.map((item) => {
            const key = getKey(item);
            return key === open ? (
              <li key={key} className="p-2">
                {renderForm(item)}
              </li>
            ) : (
              <Fragment key={key}>{row(item, () => openForm(key))}</Fragment>
            );
          })}
        </SettingsList>
      )}
    </>
  );
};
