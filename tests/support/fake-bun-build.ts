/** A checkout of hooks below `/code`, and a bun that bundles them. */
import { HOOKS, PROGRAMS } from "../../monitor/_sys/names.ts";
import type { FakeDoors } from "../fakes/doors.ts";

export const HOOK_ENTRIES: readonly string[] = [
	...HOOKS,
	PROGRAMS.workerHeartbeat,
];

export interface FakeBuilds {
	/** How many were asked for: each writes its number into its bundles. */
	readonly count: () => number;
}

/** `makes`: the hooks of which it makes bundles. */
export function fakeBunBuild(
	{ files, proc }: Pick<FakeDoors, "files" | "proc">,
	makes = HOOK_ENTRIES,
): FakeBuilds {
	let count = 0;
	for (const entry of HOOK_ENTRIES)
		files.seed(`/code/${entry}`, 'import "../shared.ts";');
	for (const path of ["/code/monitor/shared.ts", "/code/shared.ts"])
		files.seed(path, "");
	proc.answer(/ build --target=bun /, (argv) => {
		count += 1;
		const out = argv.flatMap((word) => /^--outdir=(.+)$/.exec(word)?.[1] ?? []);
		for (const entry of makes) {
			const bundle = `${out[0]}/${entry.replace(/^.*\/|\.ts$/g, "")}.js`;
			files.seed(bundle, `build ${count}`);
			files.seed(`${bundle}.jsc`, "bytecode");
		}
		return { kind: "exited", rc: 0, stdout: "", stderr: "" };
	});
	return { count: () => count };
}
