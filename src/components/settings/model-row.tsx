import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { Model, ModelTestResult } from "@/contract/model";
import { formatDuration, formatTokens } from "@/lib/format";
import { describeKey, PROVIDER_LABEL } from "./model-access";

/** A test of a model; its result is undefined while it runs. */
export type ModelTest = {
  result: ModelTestResult | undefined;
  /** Whether the model becomes the default when it answers. */
  makesDefault?: boolean;
};

/** What can be done with one model. */
export type ModelRowActions = {
  onTest: () => void;
  onEdit: () => void;
  onMakeDefault: () => void;
  onToggle: () => void;
  onDelete: () => void;
};

type ModelRowProps = ModelRowActions & {
  model: Model;
  test: ModelTest | undefined;
};

export const ModelRow = ({ model, test, ...actions }: ModelRowProps) => {
  const { name, access, enabled, is_default: isDefault } = model;
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
            {isDefault && <Badge tone="accent" text="Default" />}
            {!enabled && <Badge text="Disabled" />}
            {access?.source === "environment" && <Badge text="Environment" />}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
            {listFacts(model).map((fact) => (
              <span key={fact} className="wrap-anywhere">
                {fact}
              </span>
            ))}
          </p>
        </div>
        <RowActions
          {...actions}
          model={model}
          isTesting={test !== undefined && test.result === undefined}
          onDelete={() => setAsking(true)}
        />
      </div>
      <ModelHealth model={model} test={test} />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete “${name}”?`}
        message="Its key is deleted, too. Chats that use it go on with the default model. You cannot undo this."
        confirmLabel="Delete model"
        onConfirm={actions.onDelete}
      />
    </li>
  );
};

type RowActionsProps = ModelRowActions & { model: Model; isTesting: boolean };

const RowActions = ({ model, isTesting, ...actions }: RowActionsProps) => {
  const { name, access, enabled, is_default: isDefault } = model;
  return (
    <div className="flex items-center gap-2">
      <Button size="sm" aria-label={`Test ${name}`} isBusy={isTesting} onClick={actions.onTest}>
        Test
      </Button>
      <Button size="sm" aria-label={`Edit ${name}`} onClick={actions.onEdit}>
        Edit
      </Button>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`More for ${name}`}
            icon={<Ellipsis aria-hidden size={16} />}
          />
        }
        items={[
          {
            kind: "item",
            label: "Make default",
            disabled: isDefault || !enabled,
            onSelect: actions.onMakeDefault,
          },
          {
            kind: "item",
            label: enabled ? "Disable" : "Enable",
            disabled: isDefault && enabled,
            onSelect: actions.onToggle,
          },
          {
            kind: "item",
            label: "Delete",
            isDestructive: true,
            disabled: isDefault || access?.source === "environment",
            onSelect: actions.onDelete,
          },
        ]}
      />
    </div>
  );
};

const DEFAULT_FAILS = "New chats use this model. Correct it, or make another one the default.";
const NOT_DEFAULT =
  "It has not become the default model. Correct it, then make it the default in its menu.";

/** The result of the last test; without one, why the model cannot be called. */
const ModelHealth = ({ model, test }: Pick<ModelRowProps, "model" | "test">) => {
  if (test?.result) {
    const { ok, message, detail, duration_ms } = test.result;
    return (
      <Alert tone={ok ? "success" : "danger"} announce="status" title={message}>
        {ok ? `After ${formatDuration(duration_ms)}.` : detail}
        {!ok && model.is_default && <p>{DEFAULT_FAILS}</p>}
        {!ok && !model.is_default && test.makesDefault && <p>{NOT_DEFAULT}</p>}
      </Alert>
    );
  }
  const problem = model.access?.problem;
  return problem === undefined ? null : <Alert tone="warning">{problem}</Alert>;
};

const listFacts = (model: Model): string[] => {
  const { provider, model: id, context_limit, prices, access } = model;
  return [
    `${PROVIDER_LABEL[provider]} ${id}`,
    describeKey(model),
    access?.base_url ?? undefined,
    context_limit === null ? undefined : `${formatTokens(context_limit)} tokens of context`,
    prices && `${formatDollars(prices.input)} / ${formatDollars(prices.output)} per million tokens`,
  ].filter((fact) => fact !== undefined);
};

const DOLLARS = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 6,
});

const formatDollars = (micros: number): string => DOLLARS.format(micros / 1_000_000);
