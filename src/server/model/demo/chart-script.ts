/**
 * A script that draws a bar chart as a GIF with nothing but a shell, as a sandbox may have no other language. The
 * format is simple to write when its compression is not used.
 */
export const CHART_SCRIPT = `# Draws a bar for each line of a CSV file as a GIF: sh chart.sh data.csv chart.gif
set -eu
table=$1 picture=$2 width=504 bar=28 gap=10

if [ ! -r "$table" ]; then
  echo "cannot read $table" >&2
  exit 1
fi

numbers() {
  while IFS=, read -r _ number || [ -n "$number" ]; do
    number=\${number%%[!0-9]*}
    if [ -n "$number" ]; then echo "$number"; fi
  done < "$table"
}

# Pixels are codes of their own; each 126 of them begin with a code that clears the table.
row() {
  x=0 pixels=
  while [ "$x" -lt "$width" ]; do
    if [ $((x % 126)) -eq 0 ]; then pixels="$pixels\\\\177\\\\200"; fi
    if [ "$x" -lt "$1" ]; then pixels="$pixels\\\\001"; else pixels="$pixels\\\\000"; fi
    x=$((x + 1))
  done
}

repeat() {
  times=$1
  while [ "$times" -gt 0 ]; do printf "$2"; times=$((times - 1)); done
}

bytes() { printf "\\\\$(printf %03o $(($1 % 256)))\\\\$(printf %03o $(($1 / 256)))"; }

most=1 bars=0
for number in $(numbers); do
  bars=$((bars + 1))
  if [ "$number" -gt "$most" ]; then most=$number; fi
done
height=$((bars * (bar + gap) + gap))

{
  printf GIF89a; bytes $width; bytes $height; printf '\\366\\000\\000'
  printf '\\377\\377\\377\\045\\143\\353'; repeat 378 '\\000'
  printf ',\\000\\000\\000\\000'; bytes $width; bytes $height; printf '\\000\\007'
  row 0; blank=$pixels
  repeat $gap "$blank"
  for number in $(numbers); do
    row $((number * width / most)); repeat $bar "$pixels"
    repeat $gap "$blank"
  done
  printf '\\001\\201\\000;'
} > "$picture"
echo "drew $bars bars, the longest is $most"
`;

/** Data for a person who has none yet. */
export const SAMPLE_DATA = "month,visitors\nJanuary,120\nFebruary,185\nMarch,90\nApril,240\n";
