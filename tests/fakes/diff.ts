/** `diff -u` of two files on the fake disk. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { ExecResult } from "../../monitor/_sys/doors.ts";
import type { FakeDoors } from "./doors.ts";

export function fakeDiff(
	{ files, clock }: Pick<FakeDoors, "files" | "clock">,
	from: string,
	to: string,
): ExecResult {
	const [old, now] = [files.text(from), files.text(to)];
	const iso = clock.iso();
	const patch = () =>
		createTwoFilesPatch(from, to, old, now, iso, iso, {
			context: 3,
			headerOptions: FILE_HEADERS_ONLY,
		});
	return {
		kind: "exited",
		rc: old === now ? 0 : 1,
		stdout: old === now ? "" : patch(),
		stderr: "",
	};
}
