import { clsx } from "clsx";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import { SchemaValueField } from "./schema-value-field";
import { findPart, type FormPart, type SettingField, toControlSchema } from "./setting-fields";
import { type DraftInput, useSettingDraft } from "./use-setting-draft";

type SettingFormProps<Input> = DraftInput<Input> & {
  problemTitle: string;
  submitLabel?: string;
  /** What is edited, in a form of a list. */
  label?: string;
  /** Closes a form in a drawer. A form without it stays, and has nothing to save until something is changed. */
  onCancel?: () => void;
  /** Whether the last save of a form that stays succeeded. */
  isSaved?: boolean;
  /** Whether what is stored is being loaded again. */
  isRefreshing?: boolean;
};

/** Edits a setting, or one of a list, with the fields that its contract has. */
export const SettingForm = <Input,>(props: SettingFormProps<Input>) => {
  const { label, problemTitle, submitLabel = "Save", onCancel, isBusy } = props;
  const { formRef, ...draft } = useSettingDraft(props);
  const isIdle = !onCancel && draft.isClean;
  const saved = props.isSaved === true && isIdle ? "Saved" : "";
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={(event) => (isIdle ? event.preventDefault() : draft.handleSubmit(event))}
      aria-label={label}
      className="grid gap-6"
    >
      <FailureAlert title={problemTitle} detail={draft.problemText} />
      <Parts {...draft} schema={props.schema} parts={draft.parts} />
      {/* In sight however long the form is. */}
      <div
        className={clsx(
          "sticky bottom-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 border-t py-3 short:static",
          onCancel ? "bg-surface" : "bg-bg",
        )}
      >
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={isIdle && !isBusy}>
          {submitLabel}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        {!onCancel && (
          <p role="status" className="text-muted">
            {isBusy ? "" : props.isRefreshing === true ? "Refreshing…" : saved}
          </p>
        )}
      </div>
    </form>
  );
};

type PartsProps = Pick<DraftInput<unknown>, "schema"> &
  Pick<ReturnType<typeof useSettingDraft>, "findError" | "getShown" | "change"> & {
    parts: readonly FormPart[];
  };

const Parts = ({ parts, ...form }: PartsProps) =>
  parts.map((part) => {
    if ("note" in part && !("section" in part)) {
      return (
        <p key={part.note} className="text-muted">
          {part.note}
        </p>
      );
    }
    if ("row" in part) {
      return (
        <div key={part.row[0]?.path} className="grid gap-6 sm:grid-cols-2">
          <Parts {...form} parts={part.row} />
        </div>
      );
    }
    if ("path" in part) return <Control key={part.path} {...form} field={part} />;
    return (
      <details key={part.section} open={part.isOpen ?? false} className="rounded-md border bg-bg">
        <summary className="cursor-pointer px-3 py-2 font-medium">{part.section}</summary>
        <div className="grid gap-4 p-3 pt-1">
          {part.note !== undefined && <p className="text-muted">{part.note}</p>}
          <Parts {...form} parts={part.fields} />
        </div>
      </details>
    );
  });

type ControlProps = Omit<PartsProps, "parts"> & { field: SettingField };

const Control = ({ field, schema, findError, getShown, change }: ControlProps) => {
  const { path, label, names, autoFocus = false, render } = field;
  const error = findError(field);
  const control = {
    value: getShown(field),
    onChange: (value: Parameters<typeof change>[1]) => change(field, value),
  };
  if (render) return render({ ...control, error });
  return (
    <SchemaValueField
      {...control}
      schema={toControlSchema(findPart(schema, path), field)}
      errors={error === undefined ? [] : [{ pointer: "", message: error }]}
      id={`setting/${path}`}
      name={label}
      isUnmarked
      // Of the names, one is always selected.
      isRequired={names !== undefined}
      autoFocus={autoFocus}
      disabled={false}
      Field={SchemaValueField}
    />
  );
};
