# Reads the output of go test -v and prints a line for each test that ran or was skipped:
#
#   ran<TAB>package test
#   skipped<TAB>package test<TAB>reason
#
# A package's tests come before its name. A skipped test prints its reason last.

/^=== (RUN|NAME|CONT) / { test = $3 }
/^ +[A-Za-z0-9_]+\.go:[0-9]+: / { reason[test] = $0; sub(/^ +[^ ]+ /, "", reason[test]) }
/^ *--- PASS: / { lines[++count] = "ran\t%s " $3 }
/^ *--- SKIP: / { lines[++count] = "skipped\t%s " $3 "\t" ($3 in reason ? reason[$3] : "no reason") }
/^ok / {
	for (i = 1; i <= count; i++) { sub(/%s/, $2, lines[i]); print lines[i] }
	count = 0
	split("", reason)
}
