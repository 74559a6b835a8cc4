/** A time of today, as `12:03`; the whole of it in its title. */
export const TimeOfDay = ({ at }: { at: string }) => (
  <time dateTime={at} title={toFullTime(at)}>
    {new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}
  </time>
);

const toFullTime = (iso: string): string =>
  new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
