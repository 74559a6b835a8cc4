import { Download, Upload } from "lucide-react";
import { useId, useRef } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DetailList, DetailRow } from "@/components/ui/detail-list";
import { Disclosure } from "@/components/ui/disclosure";
import { FailureAlert } from "@/components/ui/failure-alert";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { PageSection } from "@/components/ui/page-section";
import type { Import, ImportProblem } from "@/contract/import";
import { formatBytes, formatDate } from "@/lib/format";

export type DataSettingsProps = {
  imports: Loadable<readonly Import[]>;
  onReload: () => void;
  /** How much of the archive that is being sent has arrived, 0 to 1; undefined when none is sent. */
  sent: number | undefined;
  onSend: (file: File) => void;
  onCancel: () => void;
  /** The import whose report is read, and its rows once they are there. */
  report: { importId: string; rows: readonly ImportProblem[] } | undefined;
  onReadReport: (importId: string) => void;
  onDelete: (importId: string) => void;
  deletingId: string | undefined;
  onExport: () => void;
  /** Why the last archive was not taken, or an import not deleted, as a sentence. */
  problem: string | undefined;
};

/** What a person takes out of Parley, and brings into it. */
export const DataSettings = (props: DataSettingsProps) => {
  const { imports, onReload, onExport, problem } = props;
  return (
    <PageSection
      isPage
      title="Data"
      lead="Take your chats with you, or bring those of another program."
    >
      <PageSection
        title="Export"
        lead="All chats, archived ones too, and their files as a ZIP archive. It can be imported again."
      >
        <div>
          <Button icon={<Download aria-hidden size={16} />} onClick={onExport}>
            Export all chats
          </Button>
        </div>
      </PageSection>
      <PageSection
        title="Import"
        lead="The ZIP archive that ChatGPT, Claude or Parley has exported. What was imported before is not imported again."
      >
        <FailureAlert title="That did not work" detail={problem} />
        <SendArchive {...props} />
        <Loaded loadable={imports} what="imports" onReload={onReload}>
          {(rows) =>
            rows.length > 0 && (
              <DetailList>
                {rows.map((row) => (
                  <ImportRow key={row.id} row={row} {...props} />
                ))}
              </DetailList>
            )
          }
        </Loaded>
      </PageSection>
    </PageSection>
  );
};

const PERCENT = 100;

const SendArchive = ({ imports, sent, onSend, onCancel }: DataSettingsProps) => {
  const input = useRef<HTMLInputElement>(null);
  const isBusy = imports.state === "ready" && imports.value.some(isActive);
  if (sent !== undefined) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Progress label="Sending the archive" share={sent} />
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept=".zip,.json,application/zip,application/json"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onSend(file);
          // So that the same file can be chosen again.
          target.value = "";
        }}
      />
      <Button
        variant="primary"
        icon={<Upload aria-hidden size={16} />}
        disabled={isBusy}
        onClick={() => input.current?.click()}
      >
        Choose an archive
      </Button>
    </div>
  );
};

const Progress = ({ label, share }: { label: string; share: number }) => {
  const percent = Math.round(share * PERCENT);
  return (
    <span className="flex min-w-0 flex-1 basis-56 items-center gap-3 text-sm text-muted">
      <progress aria-label={label} max={PERCENT} value={percent} className="h-1.5 min-w-0 flex-1" />
      <span className="tabular-nums">{percent} %</span>
    </span>
  );
};

const isActive = ({ state }: Import): boolean => state !== "completed" && state !== "failed";

const SOURCES = { parley: "Parley", chatgpt: "ChatGPT", claude: "Claude" } as const;

const STATES = {
  receiving: { text: "Sending", tone: "neutral" },
  queued: { text: "Waiting", tone: "neutral" },
  running: { text: "Importing", tone: "accent" },
  completed: { text: "Done", tone: "neutral" },
  failed: { text: "Failed", tone: "danger" },
} as const;

const count = (number: number, one: string, several = `${one}s`): string[] =>
  number === 0 ? [] : [`${number.toLocaleString("en")} ${number === 1 ? one : several}`];

const listFacts = (row: Import): string[] => [
  ...(row.source ? [`From ${SOURCES[row.source]}`] : []),
  formatBytes(row.size),
  formatDate(row.created_at),
  ...(row.chats === 0 && !isActive(row) ? ["No new chats"] : count(row.chats, "chat")),
  ...count(row.messages, "message"),
  ...count(row.files, "file"),
  ...(row.known === 0 ? [] : [`${row.known.toLocaleString("en")} imported before`]),
];

type ImportRowProps = { row: Import } & Pick<
  DataSettingsProps,
  "report" | "onReadReport" | "onDelete" | "deletingId"
>;

const ImportRow = ({ row, report, onReadReport, onDelete, deletingId }: ImportRowProps) => {
  const active = isActive(row);
  return (
    <DetailRow
      title={row.name}
      badges={<Badge {...STATES[row.state]} />}
      facts={listFacts(row)}
      action={
        <ConfirmButton
          size="sm"
          aria-label={`${active ? "Stop" : "Remove"} ${row.name}`}
          isBusy={deletingId === row.id}
          title={active ? "Stop this import?" : "Remove this import from the list?"}
          message="The chats that it has made stay."
          confirmLabel={active ? "Stop" : "Remove"}
          onConfirm={() => onDelete(row.id)}
        >
          {active ? "Stop" : "Remove"}
        </ConfirmButton>
      }
    >
      {active && (
        <Progress
          label={`Importing ${row.name}`}
          share={row.read_bytes / Math.max(1, row.total_bytes)}
        />
      )}
      <FailureAlert title="The import has failed" detail={row.error ?? undefined} />
      {row.problems > 0 && !active && (
        <Report row={row} report={report} onReadReport={onReadReport} />
      )}
    </DetailRow>
  );
};

const Report = ({
  row,
  report,
  onReadReport,
}: Pick<ImportRowProps, "row" | "report" | "onReadReport">) => {
  const labelId = useId();
  const rows = report?.importId === row.id ? report.rows : undefined;
  const summary = count(row.problems, "thing was", "things were").join("");
  return (
    <Disclosure
      summary={<span id={labelId}>{summary} not imported as in the archive</span>}
      onOpen={() => onReadReport(row.id)}
    >
      <ul
        aria-labelledby={labelId}
        tabIndex={0}
        className="grid max-h-80 gap-2 overflow-y-auto rounded-md bg-surface p-3 text-sm"
      >
        {rows?.map(({ title, reason }, index) => (
          <li key={index} className="wrap-anywhere">
            <span className="font-medium">{title}</span>
            <span className="block text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
};
