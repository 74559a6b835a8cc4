import { Select } from "@/components/ui/select";
import { TextField } from "@/components/ui/text-field";
import { findToolGuide } from "@/contract/builtin-tools";
import type { Tool } from "@/contract/tool";
import { humanize } from "@/lib/humanize";

type ToolFilter = { search: string; area: string; risk: string };

/** The filter that every tool matches. */
export const ALL_TOOLS: ToolFilter = { search: "", area: "", risk: "" };

export const matchesFilter = (tool: Tool, { search, area, risk }: ToolFilter): boolean => {
  const guide = findToolGuide(tool);
  const texts = [tool.name, humanize(tool.name), guide.text, tool.description, guide.area];
  const words = search.toLowerCase().split(/\s+/);
  const all = texts.join(" ").toLowerCase();
  return (
    words.every((word) => all.includes(word)) &&
    (area === "" || guide.area === area) &&
    (risk === "" || guide.isChanging === (risk === CHANGES))
  );
};

const CHANGES = "changes";

const RISKS = [
  { value: "", label: "All" },
  { value: CHANGES, label: "Changes something" },
  { value: "reads", label: "Only reads" },
];

type ToolFilterBarProps = {
  list: readonly Tool[];
  filter: ToolFilter;
  onChange: (filter: ToolFilter) => void;
};

export const ToolFilterBar = ({ list, filter, onChange }: ToolFilterBarProps) => {
  const areas = [...new Set(list.map((tool) => findToolGuide(tool).area))].toSorted();
  return (
    <div role="search" aria-label="Tools" className="grid gap-3 sm:grid-cols-[2fr_1fr_1fr]">
      <TextField
        label="Search"
        type="search"
        value={filter.search}
        onChange={({ target }) => onChange({ ...filter, search: target.value })}
      />
      <Select
        label="Area"
        options={[
          { value: "", label: "All" },
          ...areas.map((area) => ({ value: area, label: area })),
        ]}
        value={filter.area}
        onChange={({ target }) => onChange({ ...filter, area: target.value })}
      />
      <Select
        label="Risk"
        options={RISKS}
        value={filter.risk}
        onChange={({ target }) => onChange({ ...filter, risk: target.value })}
      />
    </div>
  );
};
