import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import type { MenuItem } from "@/components/ui/open-menu";
import type { Model, ModelTestResult } from "@/contract/model";
import { formatDuration, formatTokens } from "@/lib/format";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";
import { SettingsRow } from "./settings-list";

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
  return (
    <SettingsRow
      title={name}
      badges={
        <>
          {isDefault && <Badge tone="accent" text="Default" />}
          {!enabled && <Badge text="Disabled" />}
          {access?.source === "environment" && <Badge text="Environment" />}
        </>
      }
      facts={listFacts(model)}
      trial={{
        label: "Test",
        accessibleName: `Test ${name}`,
        isBusy: test !== undefined && test.result === undefined,
        onClick: actions.onTest,
      }}
      editing={{
        name,
        onEdit: actions.onEdit,
        items: listMenuItems(model, actions),
        deletion: {
          ...DELETION,
          isDisabled: isDefault || access?.source === "environment",
          onDelete: actions.onDelete,
        },
      }}
    >
      <ModelHealth model={model} test={test} />
    </SettingsRow>
  );
};

const DELETION = {
  message:
    "Its key is deleted, too. Chats that use it continue with the default model. You cannot undo this.",
  confirmLabel: "Delete model",
};

const listMenuItems = (
  { enabled, is_default: isDefault }: Model,
  { onMakeDefault, onToggle }: Pick<ModelRowActions, "onMakeDefault" | "onToggle">,
): MenuItem[] => [
  {
    kind: "item",
    label: "Make default",
    disabled: isDefault || !enabled,
    onSelect: onMakeDefault,
  },
  {
    kind: "item",
    label: enabled ? "Disable" : "Enable",
    disabled: isDefault && enabled,
    onSelect: onToggle,
  },
];

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
    describeOrigin(PROVIDERS[provider].label, id),
    describeKey(model),
    access?.base_url ?? undefined,
    context_limit === null ? undefined : `${formatTokens(context_limit)} tokens of context`,
    prices && `${formatDollars(prices.input)} / ${formatDollars(prices.output)} per million tokens`,
  ].filter((fact) => fact !== undefined);
};

/** Says where the key of a model comes from. */
const describeKey = ({ provider, access }: Model): string | undefined => {
  if (PROVIDERS[provider].needs === "nothing") return "Needs no key";
  if (access?.from_environment && access.problem === undefined) {
    return `Key and address from ${findNeededVariable(provider)}`;
  }
  switch (access?.key) {
    case "settings":
      return "Key stored";
    case "none":
      return "No key";
    case "unreadable":
      return "Key cannot be read";
    case "environment":
    case undefined:
      return undefined;
  }
};

/** The id of a model may repeat the name of its provider. */
const describeOrigin = (provider: string, id: string): string =>
  provider.toLowerCase() === id.toLowerCase() ? provider : `${provider} ${id}`;

const DOLLARS = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 6,
});

const formatDollars = (micros: number): string => DOLLARS.format(micros / 1_000_000);
