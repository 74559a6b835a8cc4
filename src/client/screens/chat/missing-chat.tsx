"use client";
import { useShell } from "@/client/screens/shell/shell-context";
import { reloadPage, useNavigate } from "@/client/use-navigate";
import type { Problem } from "@/contract/problem";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** Explains why a chat cannot be shown and offers ways to continue. */
export const MissingChat = ({ problem }: { problem: Problem }) => {
  const navigate = useNavigate();
  const { openSidebar } = useShell();
  const { pageTitle, ...state } = describe(problem);
  return (
    <>
      <title>{`${pageTitle} · Parley`}</title>
      <EmptyState {...state} size="page" announce="status">
        {problem.code !== "not_found" && (
          <Button variant="primary" onClick={reloadPage}>
            Try again
          </Button>
        )}
        <Button
          variant={problem.code === "not_found" ? "primary" : "secondary"}
          onClick={() => navigate("/")}
        >
          New chat
        </Button>
        <span className="md:hidden">
          <Button onClick={openSidebar}>Open chat list</Button>
        </span>
      </EmptyState>
    </>
  );
};

const describe = ({ code, detail }: Problem) => {
  switch (code) {
    case "not_found":
      return {
        kind: "missing" as const,
        pageTitle: "Chat not found",
        title: "This chat does not exist",
        text: "It may have been deleted, or the address is wrong.",
      };
    case "unavailable":
      return {
        kind: "unreachable" as const,
        pageTitle: "Server away",
        title: "The server does not answer",
        text: `${detail} What was sent is stored and not lost.`,
      };
    default:
      return {
        kind: "failed" as const,
        pageTitle: "Something went wrong",
        title: "This chat cannot be shown",
        text: detail,
      };
  }
};
