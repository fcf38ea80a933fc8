/** `ng report-init <slug>`: a new report, ready to be filled in (contract 05 §7.1). */
import { join } from "node:path";
import { callerSession } from "../_pane/caller-session.ts";
import { reportName, reportSkeleton } from "../_state/report-skeleton.ts";
import { callerWindow } from "../_sys/caller-window.ts";
import { parseCli } from "../_sys/cli.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { projectOf } from "./report-init/project.ts";
import { callerFolder, findReportsDir } from "./reports-dir.ts";
import type { NgVerb } from "./verb.ts";

const SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const { files, proc, clock, tmux } = doors;
	const cli = parseCli(args, {
		flags: {
			"--project": "value",
			"--issue": "value",
			"--comment-id": "value",
			"--reports-dir": "value",
			"--repo": "value",
		},
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	if (cli.value("--repo") !== undefined) {
		err(
			"reports have no repository: they all lie in the reports folder of the primary root, where the watcher and ng wrap-up look for them; drop --repo",
		);
		return 1;
	}
	const [slug = ""] = cli.positionals;
	if (!SLUG.test(slug)) {
		err(
			slug === ""
				? "report-init needs a slug"
				: `not a slug: '${excerpt(slug)}' (letters, digits, '.', '_' and '-', beginning with a letter or digit)`,
		);
		return 1;
	}
	// The trigger's line is read by people and tools, and one with a line break in it would be a field of its own.
	for (const flag of ["--issue", "--comment-id"]) {
		const given = cli.value(flag);
		if (given === undefined || /^[1-9]\d*$/.test(given)) continue;
		err(`${flag} wants a positive number, got '${excerpt(given)}'`);
		return 1;
	}
	const project = projectOf({
		given: cli.value("--project") ?? null,
		cwd: callerFolder(doors),
		window: proc.env.NEXUS_WORKER_WINDOW ?? "",
	});
	if (project.kind === "refused") {
		err(project.message);
		return 1;
	}
	const place = await findReportsDir(ctx, cli.value("--reports-dir") ?? null);
	if (place === null) return 1;
	if (!place.isCorpus)
		err(
			`${place.dir} is not the reports folder of this nexus (${place.corpus}): the wrap-up, the idle probe and a resume will not see what lies there`,
		);
	const head = {
		project: project.name,
		slug,
		iso: clock.iso(),
		sessionId: callerSession(doors),
		window: await callerWindow(tmux, proc.env),
		issue: cli.value("--issue") ?? null,
		comment: cli.value("--comment-id") ?? null,
	};
	files.mkdir(place.dir);
	const path = join(place.dir, reportName(head));
	const made = files.writeNew(path, reportSkeleton(head));
	if (made.kind === "failed") {
		err(
			made.code === "EEXIST"
				? `${path} exists already`
				: `the report could not be written: ${made.reason}`,
		);
		return 1;
	}
	out(path);
	return 0;
};
