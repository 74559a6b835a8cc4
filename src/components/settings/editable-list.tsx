"use client";
import { Plus } from "lucide-react";
import { Fragment, type ReactNode, Suspense, useRef, useState } from "react";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { Alert } from "@/components/ui/alert";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import { type DrawerForm, FormDrawer } from "@/components/ui/form-drawer";
import type { Problem } from "@/contract/problem";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { DetailList } from "@/components/ui/detail-list";
import { PageSection } from "@/components/ui/page-section";

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
export type FormFrame = Pick<DrawerForm, "onCancel"> &
  Partial<DrawerForm> & {
    label: string;
    problemTitle: string;
    isBusy: boolean;
    problem: Problem | undefined;
  };

/** With what closes the form when it is saved. */
type SavingFrame = FormFrame & { onSaved: () => void };

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
  form: (item: Item | undefined, frame: SavingFrame) => ReactNode;
  /** Other ways to add items, beside the button. */
  action?: ReactNode;
  /** Above the list. */
  children?: ReactNode;
};

/** Lists what administrators have added. The form of a new item, or of the one that is edited, is in a drawer. */
export const EditableList = <Item extends { name: string }>(props: EditableListProps<Item>) => {
  const { title, lead, noun, items, onReload, changeProblem, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  const [form, setForm] = useState<OpenForm<Item>>({ item: undefined, isOpen: false });
  const openForm = (item: Item | undefined): void => {
    props.onCloseForm();
    setForm({ item, isOpen: true });
  };
  const closeForm = (): void => {
    props.onCloseForm();
    setForm((before) => ({ ...before, isOpen: false }));
  };
  return (
    <PageSection
      isPage
      title={title}
      lead={lead}
      headingRef={heading}
      action={
        <div className="flex flex-wrap gap-2">
          {props.action}
          <Button
            variant="primary"
            icon={<Plus aria-hidden size={16} />}
            onClick={() => openForm(undefined)}
          >
            Add {noun}
          </Button>
        </div>
      }
    >
      {children}
      <FailureAlert title="The change was not saved" detail={changeProblem?.detail} />
      <Loaded loadable={items} what={`${noun}s`} onReload={onReload}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <p className="text-muted">There are no {noun}s yet.</p>
            ) : (
              <DetailList>
                {list.map((item) => (
                  <Fragment key={props.getKey(item)}>
                    {props.row(item, () => openForm(item))}
                  </Fragment>
                ))}
              </DetailList>
            )}
            <ItemDrawer {...props} {...form} list={list} onClose={closeForm} />
          </>
        )}
      </Loaded>
    </PageSection>
  );
};

type OpenForm<Item> = {
  /** As it was when its form was opened; undefined for a new one. */
  item: Item | undefined;
  isOpen: boolean;
};

type ItemDrawerProps<Item> = Omit<EditableListProps<Item>, "items"> &
  OpenForm<Item> & { list: readonly Item[]; onClose: () => void };

const ItemDrawer = <Item extends { name: string }>(props: ItemDrawerProps<Item>) => {
  const { item, list, isOpen, onClose, noun, getKey, isSaving } = props;
  const current = item && list.find((other) => getKey(other) === getKey(item));
  // While a change is saved, the item may get another key.
  const isGone = item !== undefined && !current && !isSaving;
  const label = item ? `Edit ${item.name}` : `New ${noun}`;
  return (
    <FormDrawer open={isOpen} title={label} onClose={onClose}>
      {(form) => (
        <>
          {isGone && isOpen && (
            <div className="pb-4">
              <Alert tone="danger" announce="alert" title={`The ${noun} is not there any more`}>
                Somebody else has deleted or renamed it.
              </Alert>
            </div>
          )}
          {/* The scripts of a form are loaded when it is opened: most visits only read the list. */}
          <Suspense>
            {props.form(current ?? item, {
              ...form,
              label,
              problemTitle: `The ${noun} was not saved`,
              onSaved: onClose,
              isBusy: isSaving,
              problem: props.saveProblem,
            })}
          </Suspense>
        </>
      )}
    </FormDrawer>
  );
};
