import type { ComponentType } from "react";
import type * as z from "zod";
import type { JsonValue } from "@/contract/json";
import { toCardState } from "./card-state";
import type { OutputCardProps, ToolCardProps } from "./tool-card";

/** Creates the card of a tool whose output has this schema, from a component that gets the output. */
export const withOutput = <Output,>(
  schema: z.ZodType<Output>,
  Card: ComponentType<OutputCardProps<Output>>,
) => {
  const CardWithOutput = (props: ToolCardProps) => (
    <Card {...props} output={parseOutput(schema, props.part)} />
  );
  return CardWithOutput;
};

/** @returns a completed call's output, or undefined when it does not match the schema. */
const parseOutput = <Output,>(
  schema: z.ZodType<Output>,
  part: ToolCardProps["part"],
): Output | undefined => {
  if (toCardState(part) !== "completed") return undefined;
  const { output } = part;
  return schema.safeParse(output).data ?? schema.safeParse(parseJsonText(output)).data;
};

/** Parses an output that is stored as the text of its JSON. */
const parseJsonText = (output: JsonValue | undefined): JsonValue | undefined => {
  if (typeof output !== "string") return undefined;
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    return undefined;
  }
};
