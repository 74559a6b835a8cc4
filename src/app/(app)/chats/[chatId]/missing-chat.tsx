"use client";
import { useRouter } from "next/navigation";
import { useShell } from "@/app/(app)/shell-context";
import type { Problem } from "@/contract/problem";
import { Button } from "@/components/ui/button";

/** Explains why a chat cannot be shown and offers ways to continue. */
export const MissingChat = ({ problem }: { problem: Problem }) => {
  const router = useRouter();
  const { openSidebar } = useShell();
  const isNotFound = problem.code === "not_found";
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 px-4 text-center">
      <title>{`${isNotFound ? "Chat not found" : "Something went wrong"} · Parley`}</title>
      <div>
        <h1 className="text-lg font-semibold">
          {isNotFound ? "This chat does not exist" : "This chat cannot be shown"}
        </h1>
        <p className="mt-1 text-muted">
          {isNotFound ? "It may have been deleted, or the address is wrong." : problem.detail}
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => router.push("/")}>
          New chat
        </Button>
        {!isNotFound && <Button onClick={() => window.location.reload()}>Try again</Button>}
        <span className="md:hidden">
          <Button onClick={openSidebar}>Open chat list</Button>
        </span>
      </div>
    </div>
  );
};
