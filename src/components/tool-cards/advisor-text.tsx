import { Markdown } from "@/components/ui/markdown";
import { useFollowEnd } from "@/components/ui/use-follow-end";
import { ScrollArea } from "./scroll-area";

type AdvisorTextProps = {
  text: string;
  /** More text follows; the end stays visible while the reader is there. */
  isStreaming: boolean;
};

/** The advisor's text in an area that scrolls. */
export const AdvisorText = ({ text, isStreaming }: AdvisorTextProps) =>
  isStreaming ? (
    <StreamingText text={text} />
  ) : (
    <div className="min-w-0">
      <p className="mb-1 text-xs text-muted">Advice</p>
      <ScrollArea label="Advice">
        <Markdown text={text} isStreaming={false} />
      </ScrollArea>
    </div>
  );

const StreamingText = ({ text }: { text: string }) => {
  const { scrollRef, contentRef } = useFollowEnd();
  return (
    <ScrollArea label="Advice so far" ref={scrollRef}>
      <div ref={contentRef}>
        <Markdown text={text} isStreaming />
      </div>
    </ScrollArea>
  );
};
