import { type ReactNode, useRef } from "react";
import type { JsonValue } from "@/contract/json";
import { Button } from "@/components/ui/button";
import { focusFirstControl } from "@/components/ui/form-item-focus";
import { getOwn } from "./field-value";

/** A form with more fields is divided into sections. */
export const MAX_UNDIVIDED_FIELDS = 15;
const FIELDS_PER_SECTION = 10;

type FormSectionsProps = {
  names: readonly string[];
  value: JsonValue | undefined;
  required: readonly JsonValue[];
  children: (name: string) => ReactNode;
};

/** Many fields in sections that open one after the other, with what is filled in of each. */
export const FormSections = ({ names, value, required, children }: FormSectionsProps) => {
  const list = useRef<HTMLDivElement>(null);
  const isFilled = (name: string) => getOwn(value, name) !== undefined;
  const count = Math.ceil(names.length / FIELDS_PER_SECTION);
  const sections = Array.from({ length: count }, (_, index) =>
    names.slice(index * FIELDS_PER_SECTION, (index + 1) * FIELDS_PER_SECTION),
  );
  const filled = names.filter(isFilled).length;
  const missing = names.filter((name) => required.includes(name) && !isFilled(name)).length;
  const open = (index: number) => {
    const section = list.current?.children[index];
    if (!(section instanceof HTMLDetailsElement)) return;
    section.open = true;
    focusFirstControl(section.lastElementChild);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="grid gap-1">
        <progress
          aria-label="Filled in"
          value={filled}
          max={names.length}
          className="h-1.5 w-full"
        />
        <p className="text-note text-muted">
          {filled} of {names.length} filled in
          {missing > 0 && `, ${missing} required ${missing === 1 ? "is" : "are"} missing`}
        </p>
      </div>
      <div ref={list} className="grid grid-cols-1 gap-2">
        {sections.map((section, index) => (
          <details key={index} open={index === 0} className="rounded-md border bg-bg">
            <summary className="cursor-pointer px-3 py-2 font-medium">
              Part {index + 1} of {count}
              <span className="pl-2 text-xs font-normal text-muted">
                {section.filter(isFilled).length} of {section.length}
              </span>
            </summary>
            <div className="grid grid-cols-1 gap-4 p-3 pt-1">
              {section.map(children)}
              {index < count - 1 && (
                <div>
                  <Button size="sm" onClick={() => open(index + 1)}>
                    Go to part {index + 2}
                  </Button>
                </div>
              )}
            </div>
          </details>
        ))}
      </div>
    </div>
  );
};
