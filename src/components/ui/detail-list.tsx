import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Alert } from "./alert";
import { Button } from "./button";
import { IconButton } from "./icon-button";
import { Menu } from "./menu";
import type { MenuItem } from "./open-menu";
import { useConfirm } from "./use-confirm";
import type { Problem } from "@/contract/problem";
import { formatDuration } from "@/lib/format";

/** The last try of an item; neither result nor problem while it runs. */
export type Trial<Result> = { result?: Result | undefined; problem?: Problem };

/** A framed list of rows. */
export const DetailList = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y rounded-lg border">{children}</ul>
);

type DetailRowProps = {
  title: string;
  /** Whether the title is an identifier. */
  isCode?: boolean;
  /** Marks after the title. */
  badges?: ReactNode;
  /** Short texts in one line, as far as it is wide enough. */
  facts: readonly ReactNode[];
  /** A button that tries the item out. */
  trying?:
    | { label: string; name: string; trial: Trial<unknown> | undefined; onTry: () => void }
    | undefined;
  editing?: Editing | undefined;
  /** Another button, at the end. */
  action?: ReactNode;
  /** Results and lists below. */
  children?: ReactNode;
};

/** What can be changed of an item. */
type Editing = {
  /** The name of the item, in the names of the buttons. */
  name: string;
  onEdit: () => void;
  /** Of a menu, before the deletion; without them the deletion is a button. */
  items?: readonly MenuItem[];
  /** Undefined if it cannot be deleted. */
  deletion:
    | { message: string; confirmLabel: string; isDisabled?: boolean; onDelete: () => void }
    | undefined;
  /** Whether it is being saved. */
  isBusy?: boolean;
};

/** A row of something that can be tried, changed and deleted. */
export const DetailRow = (props: DetailRowProps) => {
  const { title, isCode = false, badges, facts, trying, editing, action, children } = props;
  const Title = isCode ? "code" : "span";
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Title className="min-w-0 font-medium wrap-anywhere">{title}</Title>
            {badges}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
            {facts.map((fact, index) => (
              <span key={index} className="wrap-anywhere">
                {fact}
              </span>
            ))}
          </p>
        </div>
        {(trying ?? editing) && (
          <div className="flex items-center gap-2">
            {trying && <TryButton {...trying} />}
            {editing && <EditActions {...editing} />}
          </div>
        )}
        {action}
      </div>
      {children}
    </li>
  );
};

const TryButton = ({ label, name, trial, onTry }: NonNullable<DetailRowProps["trying"]>) => (
  <Button
    size="sm"
    aria-label={name}
    isBusy={trial !== undefined && !trial.result && !trial.problem}
    onClick={onTry}
  >
    {label}
  </Button>
);

const EditActions = ({ name, onEdit, items, deletion, isBusy = false }: Editing) => {
  const [dialog, ask] = useConfirm();
  const askToDelete = ({ message, confirmLabel, onDelete }: NonNullable<Editing["deletion"]>) =>
    ask({ title: `Delete “${name}”?`, message, confirmLabel }, onDelete);
  return (
    <>
      <Button size="sm" aria-label={`Edit ${name}`} disabled={isBusy} onClick={onEdit}>
        Edit
      </Button>
      {deletion && !items && (
        <Button
          size="sm"
          aria-label={`Delete ${name}`}
          disabled={isBusy}
          onClick={() => askToDelete(deletion)}
        >
          Delete
        </Button>
      )}
      {deletion && items && (
        <Menu
          trigger={
            <IconButton
              size="sm"
              label={`More for ${name}`}
              icon={<Ellipsis aria-hidden size={16} />}
            />
          }
          items={[
            ...items,
            {
              kind: "item",
              label: "Delete",
              isDestructive: true,
              disabled: deletion.isDisabled ?? false,
              onSelect: () => askToDelete(deletion),
            },
          ]}
        />
      )}
      {dialog}
    </>
  );
};

/** Switches an item on or off. */
export const toToggleItem = (isOn: boolean, onToggle: () => void): MenuItem => ({
  kind: "item",
  label: isOn ? "Switch off" : "Switch on",
  onSelect: onToggle,
});

type TestOutcomeProps = {
  ok: boolean;
  message: string;
  detail?: string | undefined;
  duration_ms: number;
  /** A button that may help where it failed. */
  action?: ReactNode;
  children?: ReactNode;
};

/** Says how a test has ended. */
export const TestOutcome = (props: TestOutcomeProps) => {
  const { ok, message, detail, duration_ms, action, children } = props;
  return (
    <Alert
      tone={ok ? "success" : "danger"}
      announce="status"
      title={message}
      action={ok ? undefined : action}
    >
      {ok ? (
        `After ${formatDuration(duration_ms)}.`
      ) : (
        <span className="whitespace-pre-line">{detail}</span>
      )}
      {children}
    </Alert>
  );
};
