/** `file`: a worker asks something of the orchestrator (contract 08 §6.2). Prints the id alone. */
import { join } from "node:path";
import { fromRaw, renderRequest, toRaw } from "../_state/request-document.ts";
import { requestFileName } from "../_state/requests.ts";
import { repliesDir, reservationDir } from "../_state/requests-dir.ts";
import { parseCli } from "../_sys/cli.ts";
import type { Doors } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isBlank, requestBody } from "./body.ts";
import { openInbox } from "./inbox.ts";
import type { RequestVerb } from "./verb.ts";

const MOST_TRIES = 999;

export const run: RequestVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = parseCli(args, {
		flags: {
			"--origin": "value",
			"--slug": "value",
			"--kind": "value",
			"--priority": "value",
			"--reply": "value",
			"--no-publish": "switch",
			"--message": "text",
			"--file": "value",
		},
		maxPositionals: 1,
	});
	if (cli.kind === "help") return 0;
	const refuse = (why: string) => {
		err(`file: ${why}`);
		return 1;
	};
	if (cli.kind === "refused") return refuse(cli.message);
	const origin = cli.value("--origin") ?? "";
	const kind = cli.value("--kind") ?? "question";
	const priority = cli.value("--priority") ?? "normal";
	const reply = cli.value("--reply") ?? "optional";
	const slug = (cli.value("--slug") ?? "").replace(/[^A-Za-z0-9_-]/g, "_");
	if (!/^[A-Za-z0-9_-]+$/.test(origin))
		return refuse(
			`--origin wants letters, digits, '_' and '-', got '${excerpt(origin)}'`,
		);
	if (slug === "") return refuse("--slug is required");
	if (!/^[a-z][a-z0-9-]*$/.test(kind))
		return refuse(`not a kind: '${excerpt(kind)}'`);
	if (!["normal", "high"].includes(priority))
		return refuse("--priority is normal or high");
	if (!["required", "optional", "none"].includes(reply))
		return refuse("--reply is required, optional or none");
	const [dash] = cli.positionals;
	if (dash !== undefined && dash !== "-")
		return refuse(`unexpected argument '${excerpt(dash)}'`);
	const body = await requestBody(
		{
			message: cli.value("--message"),
			file: cli.value("--file"),
			stdin: dash === "-",
		},
		ctx,
	);
	if (body.kind !== "ok")
		return refuse(
			body.kind === "none" ? "no text: --message, --file or -" : body.why,
		);
	if (isBlank(body.bytes)) return refuse("the text is blank");
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return 1;
	const stem = `${stampOf(doors.clock.nowMs())}-${origin}-${slug}`;
	const id = reserve(doors, inbox.dir, stem);
	if (id === null) return refuse("no id could be reserved");
	const text = renderRequest({
		...{ id, origin, kind, priority, body: toRaw(body.bytes) },
		isReplyRequired: reply === "required",
		created: doors.clock.iso(),
		publish: !cli.on("--no-publish"),
	});
	doors.files.mkdir(repliesDir(inbox.dir, id));
	const path = join(inbox.dir, requestFileName({ id, state: "new" }));
	const wrote = doors.files.writeAtomic(path, fromRaw(text), { fsync: true });
	if (wrote.kind === "failed") {
		doors.files.removeTree(repliesDir(inbox.dir, id));
		doors.files.removeTree(reservationDir(inbox.dir, id));
		return refuse(wrote.reason);
	}
	out(id);
	return 0;
};

/** Making a folder succeeds for one of two alone. */
function reserve(
	{ files }: Pick<Doors, "files">,
	dir: string,
	stem: string,
): string | null {
	files.mkdir(join(dir, ".ids"));
	for (let n = 0; n <= MOST_TRIES; n++) {
		const id = n === 0 ? stem : `${stem}-${String(n).padStart(2, "0")}`;
		const made = files.mkdirNew(reservationDir(dir, id));
		if (made.kind === "ok") return id;
		if (made.code !== "EEXIST") return null;
	}
	return null;
}

function stampOf(ms: number): string {
	return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "");
}
