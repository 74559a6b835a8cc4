import { Globe } from "lucide-react";
import { PopupTrigger } from "@/components/ui/popup-trigger";
import type { ProviderName } from "@/contract/model";
import type { ProviderToolName } from "@/contract/provider-tool";
import { PROVIDER_TOOLS, PROVIDERS } from "@/contract/providers";
import { importPart } from "@/lib/import-part";
import { PICKER_BUTTON } from "./picker-button";

type ProviderToolsProps = {
  provider: ProviderName;
  /** Those of the model. */
  tools: readonly ProviderToolName[];
  /** Those that are on, also of another model; null for all. */
  value: readonly ProviderToolName[] | null;
  onChange: (names: ProviderToolName[] | null) => void;
  disabled?: boolean | undefined;
};

const loadMenu = () => importPart(() => import("@/components/ui/open-menu"));

/** A button that says which tools of the provider are on, and a menu that switches each. */
const ProviderTools = (props: ProviderToolsProps) => {
  const { provider, tools, value, onChange, disabled } = props;
  const on = tools.filter((name) => value?.includes(name) !== false);
  const toggle = (name: ProviderToolName, isOn: boolean): void => {
    const next = tools.filter((other) => (other === name ? isOn : on.includes(other)));
    onChange(next.length === tools.length ? null : next);
  };
  const trigger = createTrigger(describe(on, tools), disabled);
  return (
    <PopupTrigger
      kind="menu"
      trigger={trigger}
      load={loadMenu}
      popupProps={{
        trigger,
        side: "top",
        items: [
          { kind: "heading", label: `Run by ${PROVIDERS[provider].title}` },
          ...tools.map((name) => ({
            kind: "switch" as const,
            label: PROVIDER_TOOLS[name],
            checked: on.includes(name),
            onChange: (isOn: boolean) => toggle(name, isOn),
          })),
        ],
      }}
    />
  );
};
export default ProviderTools;

const describe = (on: readonly ProviderToolName[], tools: readonly ProviderToolName[]): string => {
  const [first] = on;
  if (first === undefined) return "off";
  return on.length === 1 ? PROVIDER_TOOLS[first].toLowerCase() : `${on.length} of ${tools.length}`;
};

const createTrigger = (state: string, disabled = false) => (
  <button
    type="button"
    aria-label={`Tools of the provider: ${state}`}
    disabled={disabled}
    className={PICKER_BUTTON}
  >
    <Globe aria-hidden size={16} className="shrink-0" />
    <span className="max-sm:hidden">{state}</span>
  </button>
);
