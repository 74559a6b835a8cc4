import * as z from "zod";
import { FileText } from "lucide-react";
import { parseCallArgs, getNumberArg, getTextArg } from "@/components/tool-cards/call-args";
import { type NumberedLine, NumberedLines } from "@/components/tool-cards/numbered-lines";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the lines that were read. */
export const ReadFileCard = ({ part, output, ...rest }: OutputCardProps<string>) => {
  const args = parseCallArgs(part);
  const path = getTextArg(args, "path");
  const first = getNumberArg(args, "offset");
  const page = output === undefined ? undefined : parsePage(output);
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={FileText}
      label="Read file"
      detail={path !== undefined && first !== undefined ? `${path} from line ${first}` : path}
    >
      {page === undefined ? (
        <Outcome part={part} />
      ) : (
        <>
          <NumberedLines label={path?.split("/").at(-1) ?? "File"} lines={page.lines} />
          {page.note !== undefined && <p className="text-note text-muted">{page.note}</p>}
        </>
      )}
    </ToolCard>
  );
};

export default withOutput(z.string(), ReadFileCard);

/** The note at the end of a page, such as "(Lines 1 to 9 of 20; go on with offset 10.)". */
const NOTE = /\n\n\((Lines \d+ to \d+ of \d+)(?!\d)[^\n]*\)$/;

/** @returns undefined for a sentence, and for a text that was cut. */
const parsePage = (
  output: string,
): { lines: NumberedLine[]; note: string | undefined } | undefined => {
  const note = NOTE.exec(output);
  const page = note === null ? output : output.slice(0, note.index);
  const lines = page.split("\n").flatMap((line) => {
    const [, number, text = ""] = /^(\d+)\t(.*?)\r?$/.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), text }];
  });
  if (lines.length < page.split("\n").length) return undefined;
  return { lines, note: note?.[1] };
};
