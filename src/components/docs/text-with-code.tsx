/** A sentence in which words between backticks are code. */
export const TextWithCode = ({ text }: { text: string }) =>
  text.split("`").map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <code
        key={index}
        translate="no"
        className="rounded-sm bg-hover px-1 font-mono text-[0.9em] wrap-anywhere"
      >
        {piece}
      </code>
    ),
  );
