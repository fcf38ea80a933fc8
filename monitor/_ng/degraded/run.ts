/** `ng degraded status|probe`: can the nexus still write (contract 05 §14.3)? Always a fresh open: a descriptor from before a remount would report health. */
import { isAbsolute, join } from "node:path";
import { asyncRunsDir } from "../../_state/async-run.ts";
import { reportsDirOf } from "../../_state/report-corpus.ts";
import { requestsDir } from "../../_state/requests-dir.ts";
import { readSettings } from "../../_state/settings.ts";
import { skepticPendingDir } from "../../_state/skeptic.ts";
import { stateDirOf } from "../../_state/state-dir.ts";
import { parseCli } from "../../_sys/cli.ts";
import { excerpt } from "../../_sys/excerpt.ts";
import { fsStatusPath, readFsStatus } from "../../_sys/fs-status.ts";
import { programArgv } from "../../_sys/names.ts";
import type { NgContext, NgVerb } from "../verb.ts";
import { surfaceLine, verdictOf } from "./verdict.ts";

type Surface = readonly [name: string, path: string];

const USAGE = 2;
const COULD_NOT_PROBE = 3;

/** 0 all is well, 1 it is not, 2 usage, 3 could not probe, 64 a value is missing. */
export const probe: NgVerb = async (args, ctx) => run(args, ctx, false);
/** As `probe`, with what the watcher says of itself above it; the two may disagree. */
export const status: NgVerb = async (args, ctx) => run(args, ctx, true);

async function run(
	args: readonly string[],
	ctx: NgContext,
	withWatcher: boolean,
): Promise<number> {
	const { doors, codeRoot, out, err } = ctx;
	const cli = parseCli(args, {
		flags: { "--surface": "list", "--timeout": "value" },
	});
	if (cli.kind === "help") return 0;
	if (cli.kind === "refused") {
		err(cli.message);
		return cli.rc === 64 ? 64 : USAGE;
	}
	const timeout = cli.value("--timeout") ?? "10";
	if (!/^[1-9]\d{0,3}$/.test(timeout)) {
		err("--timeout wants seconds");
		return USAGE;
	}
	const given = cli.list("--surface").map(namedSurface);
	const bad = given.find(([, path]) => !isAbsolute(path) || /^\/+$/.test(path));
	if (bad !== undefined) {
		err(
			`--surface wants NAME=/absolute/folder, got '${excerpt(bad.join("="))}'`,
		);
		return USAGE;
	}
	const { config, home, problems } = await readSettings(doors, codeRoot, true);
	// A configuration on a disk that fails must not keep this verb from saying so.
	for (const line of problems) err(line);
	const { root, stateDir } = home;
	let isWell = true;
	if (withWatcher) {
		const { env, uid } = doors.proc;
		const said = readFsStatus(doors.files, fsStatusPath(env, uid, root), uid);
		isWell = said?.mode !== "degraded";
		out(
			said === null
				? "watcher: no status (it has never seen its disk fail)"
				: `watcher: mode=${said.mode} updated=${doors.clock.iso(said.updated)} reason=${said.reason}`,
		);
		out("");
	}
	const inbox = requestsDir({
		env: doors.proc.env.NEXUS_REQUESTS_DIR || null,
		configured: config["monitor.requests.dir"] ?? null,
		home: doors.proc.env.HOME ?? "/",
		stateDir,
		liveStateDir: stateDirOf(root),
	});
	const surfaces: readonly Surface[] =
		given.length > 0
			? given
			: [
					["state", stateDir],
					...(inbox.kind === "ok" ? [["requests", inbox.dir] as const] : []),
					["skeptic/pending", skepticPendingDir(stateDir)],
					["longjob", asyncRunsDir(stateDir)],
					["reports", reportsDirOf(root)],
					["work", join(root, "work")],
				];
	const probed = await Promise.all(
		surfaces.map(([name, path]) => probeOne(name, path, Number(timeout), ctx)),
	);
	for (const { line } of probed) out(line);
	const bads = probed.filter(({ verdict }) => verdict !== "OK").length;
	out(`summary: ${probed.length} surface(s), ${bads} not OK`);
	if (probed.some(({ didRun }) => !didRun)) return COULD_NOT_PROBE;
	return isWell && bads === 0 ? 0 : 1;
}

/** In a process of its own: a call that blocks in the kernel cannot be aborted from inside. */
async function probeOne(
	name: string,
	path: string,
	seconds: number,
	{ doors, codeRoot }: NgContext,
) {
	const { proc, files } = doors;
	const argv = programArgv(proc.execPath, "writeProbe", [path], codeRoot);
	const ran = await proc.exec(argv, { timeoutMs: seconds * 1000 });
	const probed = verdictOf(ran, () => {
		const found = files.stat(path);
		return found.kind !== "absent";
	});
	return {
		line: surfaceLine(name, path, probed),
		verdict: probed.verdict,
		didRun: ran.kind === "exited" || ran.kind === "timeout",
	};
}

function namedSurface(word: string): Surface {
	const at = word.indexOf("=");
	return at <= 0 ? ["", word] : [word.slice(0, at), word.slice(at + 1)];
}
