import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Import } from "@/contract/import";
import { toProblem } from "./to-problem";
import { useTRPC, useTRPCClient } from "./trpc";
import { uploadArchive } from "./upload-file";
import { CHAT_LIST_KEY } from "./use-chat-list";
import { useProblem } from "./use-connection";

/** How often a running import is looked at. */
const POLL_MS = 1_000;

const isActive = ({ state }: Import): boolean => state !== "completed" && state !== "failed";

/** Sends archives, and shows how far they are imported. */
export const useImports = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const query = useQuery(
    trpc.imports.list.queryOptions(
      {},
      {
        select: (list) => list.data,
        // What others than this page have changed is seen when it is opened.
        staleTime: 0,
        refetchInterval: ({ state }) => (state.data?.data.some(isActive) ? POLL_MS : false),
      },
    ),
  );
  const reload = () => queryClient.invalidateQueries({ queryKey: trpc.imports.list.queryKey({}) });
  const upload = useUpload(reload);
  const removal = useMutation({
    mutationFn: (id: string) =>
      client.imports.delete.mutate({ import_id: id }).catch((error: unknown) => {
        if (toProblem(error).code !== "not_found") throw error;
      }),
    onSettled: reload,
  });
  const [reportId, setReportId] = useState<string>();
  const report = useQuery(
    trpc.imports.get.queryOptions(
      { import_id: reportId ?? "" },
      { enabled: reportId !== undefined, select: (found) => found.report },
    ),
  );
  useListReload(query.data);
  const problem = useProblem(removal.error);
  return {
    query,
    ...upload,
    report: reportId === undefined ? undefined : { importId: reportId, rows: report.data ?? [] },
    onReadReport: setReportId,
    onDelete: removal.mutate,
    deletingId: removal.isPending ? removal.variables : undefined,
    problem: upload.problem ?? problem?.detail,
  };
};

/** Nobody is notified of imported chats: the list is loaded again when an import has ended. */
const useListReload = (imports: readonly Import[] | undefined): void => {
  const queryClient = useQueryClient();
  const active = imports?.filter(isActive).length ?? 0;
  const before = useRef(0);
  useEffect(() => {
    if (active < before.current) {
      queryClient.invalidateQueries({ queryKey: [CHAT_LIST_KEY] }).catch(reportError);
    }
    before.current = active;
  }, [active, queryClient]);
};

/** One archive at a time. */
const useUpload = (onSent: () => Promise<unknown>) => {
  const [sent, setSent] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const controller = useRef<AbortController>(undefined);
  const send = async (file: File): Promise<void> => {
    const { signal } = (controller.current = new AbortController());
    setProblem(undefined);
    setSent(0);
    try {
      await uploadArchive({ file, signal, onProgress: setSent });
    } catch (error) {
      if (!signal.aborted) setProblem(toProblem(error).detail);
    }
    await onSent();
    setSent(undefined);
  };
  // A page that is left sends no more: nobody could stop it.
  useEffect(() => () => controller.current?.abort(), []);
  return {
    sent,
    problem,
    onSend: (file: File): void => {
      send(file).catch(reportError);
    },
    onCancel: (): void => controller.current?.abort(),
  };
};
