import { FoundLines } from "@/contract/found-lines";
import { Search } from "lucide-react";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { NumberedLines } from "@/components/tool-cards/numbered-lines";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the lines that were found, by file. */
export const SearchFilesCard = ({ part, output, ...rest }: OutputCardProps<FoundLines>) => {
  const args = parseCallArgs(part);
  const scope = [getTextArg(args, "path"), getTextArg(args, "glob")].filter(Boolean).join(" ");
  const pattern = getTextArg(args, "pattern");
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Search}
      label="Search files"
      detail={pattern !== undefined && scope !== "" ? `${pattern} in ${scope}` : pattern}
    >
      {output === undefined ? <Outcome part={part} /> : <Found {...output} />}
    </ToolCard>
  );
};

export default withOutput(FoundLines, SearchFilesCard);

const Found = ({ files, note }: FoundLines) => (
  <>
    {files.length > 0 && <p className="text-note text-muted">{countMatches(files)}</p>}
    {files.map(({ path, matches, has_more: hasMore }) => (
      <div key={path} className="min-w-0">
        <NumberedLines
          label={path}
          lines={matches.map(({ line, text }) => ({ number: line, text }))}
        />
        {hasMore && <p className="mt-1 text-note text-muted">More lines of this file match.</p>}
      </div>
    ))}
    {note !== undefined && <p className="wrap-anywhere whitespace-pre-wrap text-muted">{note}</p>}
  </>
);

const countMatches = (files: FoundLines["files"]): string => {
  const matches = files.reduce((sum, file) => sum + file.matches.length, 0);
  return `${matches} ${matches === 1 ? "line" : "lines"} in ${files.length} ${files.length === 1 ? "file" : "files"}`;
};
