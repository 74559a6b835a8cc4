import * as z from "zod";
import { File, Folder, FolderOpen, Link } from "lucide-react";
import { formatBytes } from "@/lib/format";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { ScrollArea } from "@/components/tool-cards/scroll-area";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows the entries of a directory. */
export const ListDirectoryCard = ({ part, output, ...rest }: OutputCardProps<string>) => {
  const page = output === undefined ? undefined : parsePage(output);
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={FolderOpen}
      label="List directory"
      detail={getTextArg(parseCallArgs(part), "path") ?? "."}
    >
      {page === undefined ? (
        <Outcome part={part} />
      ) : (
        <>
          <ScrollArea label="Entries">
            <ul className="flex flex-col gap-1">
              {page.entries.map((entry) => (
                <Entry key={entry.name} {...entry} />
              ))}
            </ul>
          </ScrollArea>
          {page.note !== undefined && <p className="text-note text-muted">{page.note}</p>}
        </>
      )}
    </ToolCard>
  );
};

export default withOutput(z.string(), ListDirectoryCard);

type EntryProps = { name: string; type: "directory" | "file" | "link" | "other"; size: number };

const ICON = { directory: Folder, file: File, link: Link, other: File } as const;

const Entry = ({ name, type, size }: EntryProps) => {
  const Icon = ICON[type];
  return (
    <li className="flex min-w-0 items-baseline gap-2">
      <Icon aria-hidden size={14} className="shrink-0 translate-y-0.5 text-muted" />
      <span translate="no" className="min-w-0 font-mono text-xs wrap-anywhere">
        {name}
      </span>
      {type === "file" && (
        <span className="ml-auto shrink-0 text-xs text-muted">{formatBytes(size)}</span>
      )}
    </li>
  );
};

/** The note at the end of a page, such as "(Entries 1 to 500 of 900; go on with offset 501.)". */
const NOTE = /\n\n\((Entries \d+ to \d+ of \d+)(?!\d)[^\n]*\)$/;
const ENTRY = /^(.+?)(?:(\/)| \((\d+) bytes\)| \((link|other)\))$/;

/** @returns undefined for a sentence, and for a text that was cut. */
const parsePage = (
  output: string,
): { entries: EntryProps[]; note: string | undefined } | undefined => {
  const note = NOTE.exec(output);
  const lines = (note === null ? output : output.slice(0, note.index)).split("\n");
  const entries = lines.flatMap((line): EntryProps[] => {
    const [, name, isDirectory, size, other] = ENTRY.exec(line) ?? [];
    if (name === undefined) return [];
    if (isDirectory !== undefined) return [{ name: `${name}/`, type: "directory", size: 0 }];
    if (size !== undefined) return [{ name, type: "file", size: Number(size) }];
    return [{ name, type: other === "link" ? "link" : "other", size: 0 }];
  });
  return entries.length < lines.length ? undefined : { entries, note: note?.[1] };
};
