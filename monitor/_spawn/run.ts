/** `spawn-worker`: from its command line to its exit code (contract 08 §8). */
import { parseSpawnArgs, USAGE } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import { spawnFresh } from "./fresh.ts";
import { spawnResume } from "./resume.ts";

/** `open` reads the configuration; a refused command line does not pay for it. Null: it cannot be used. */
export async function runSpawn(
	argv: readonly string[],
	say: Pick<SpawnContext, "out" | "err">,
	open: () => Promise<SpawnContext | null>,
): Promise<number> {
	const request = parseSpawnArgs(argv);
	if (request.kind === "help") {
		for (const line of USAGE) say.out(line);
		return 0;
	}
	if (request.kind === "refused") {
		warn(say, request.message);
		for (const line of USAGE) say.err(line);
		return request.rc;
	}
	const ctx = await open();
	if (ctx === null) return 1;
	return request.kind === "fresh"
		? spawnFresh(request, ctx)
		: spawnResume(request, ctx);
}
