# Reads the output of go test -json and prints a line for each test that ran or was skipped, and for
# each figure that a test printed:
#
#   ran<TAB>package test
#   skipped<TAB>package test<TAB>reason
#   figure<TAB>text
#
# A skipped test prints its reason last.

# member returns the text of a member of the line, without its quotes.
function member(name,   text) {
	if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
	text = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
	sub(/\\n$/, "", text)
	gsub(/\\u003c/, "<", text); gsub(/\\u003e/, ">", text); gsub(/\\u0026/, "\\&", text)
	gsub(/\\t/, " ", text); gsub(/\\"/, "\"", text); gsub(/\\\\/, "\\", text)
	return text
}

{
	test = member("Test")
	if (test == "") next
	key = member("Package") " " test
	action = member("Action")
}
action == "output" {
	text = member("Output")
	if (text !~ /^ +[A-Za-z0-9_]+\.go:[0-9]+: /) next
	sub(/^ +[^ ]+ /, "", text)
	reason[key] = text
	if (text ~ /^figure: /) print "figure\t" substr(text, 9)
}
action == "pass" { print "ran\t" key }
action == "skip" { print "skipped\t" key "\t" (key in reason ? reason[key] : "no reason") }
