import { type ComponentProps, useState } from "react";
import { Playground } from "@/components/playground/playground";
import { readToolDraft } from "@/components/playground/tool-draft";

/** Stores and reads the draft, as the page does. */
export const PlaygroundWithDraft = (props: ComponentProps<typeof Playground>) => {
  const [value, setValue] = useState(props.draft);
  const result = readToolDraft(value);
  return (
    <Playground
      {...props}
      draft={value}
      onChange={setValue}
      trial={"trial" in result ? result.trial : undefined}
      errors={"errors" in result ? result.errors : {}}
    />
  );
};
