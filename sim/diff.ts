/** `diff -u` of two files on the simulated disk, as far as the watcher reads it: lines that only one side has. */
import type { ExecResult } from "../monitor/_sys/doors.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";

export function lineDiff(
	{ files, clock }: Pick<FakeDoors, "files" | "clock">,
	from: string,
	to: string,
): ExecResult {
	const linesOf = (path: string) => files.text(path).split("\n");
	const old = linesOf(from);
	const now = linesOf(to);
	const gone = old.filter((line) => !now.includes(line)).map((l) => `-${l}`);
	const come = now.filter((line) => !old.includes(line)).map((l) => `+${l}`);
	const same = gone.length + come.length === 0;
	const head = [`--- ${from}\t${clock.iso()}`, `+++ ${to}\t${clock.iso()}`];
	const text = [...head, "@@ -1 +1 @@", ...gone, ...come, ""].join("\n");
	return {
		kind: "exited",
		rc: same ? 0 : 1,
		stdout: same ? "" : text,
		stderr: "",
	};
}
