# Draws a bar for each line of a CSV file as a GIF: sh chart.sh data.csv chart.gif
set -eu
numbers=$(while IFS=$(printf ',. \r') read -r _ number _ || [ -n "$number" ]; do
  if [ "$number" -ge 0 ] 2>/dev/null; then echo "$number"; fi
done < "$1")
most=1 bars=0
for number in $numbers; do
  bars=$((bars + 1))
  if [ "$number" -gt "$most" ]; then most=$number; fi
done

bytes() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256)))"; }

repeat() {
  times=$1
  while [ "$times" -gt 0 ]; do printf "$2"; times=$((times - 1)); done
}

# Pixels are codes of their own; each 126 of them begin with a code that clears the table.
row() {
  x=0 pixels=
  while [ "$x" -lt 504 ]; do
    if [ $((x % 126)) -eq 0 ]; then pixels="$pixels\\177\\200"; fi
    if [ "$x" -lt "$1" ]; then pixels="$pixels\\001"; else pixels="$pixels\\000"; fi
    x=$((x + 1))
  done
  repeat "$2" "$pixels"
}

{
  printf GIF89a; bytes 504; bytes $((bars * 38 + 10)); printf '\366\000\000'
  printf '\377\377\377\045\143\353'; repeat 378 '\000'
  printf ',\000\000\000\000'; bytes 504; bytes $((bars * 38 + 10)); printf '\000\007'
  row 0 10
  for number in $numbers; do row $((number * 504 / most)) 28; row 0 10; done
  printf '\001\201\000;'
} > "$2"
echo "drew $bars bars, the longest is $most"
