/** `file`: a worker asks something of the orchestrator (contract 08 §6.2). Prints the id alone. Without `--origin` the worker's own window asks. */
import { toRaw } from "../_state/request-document.ts";
import { filedBefore, fileRequest } from "../_state/request-filing.ts";
import { originOf } from "../_state/review-requests.ts";
import { parseCli } from "../_sys/cli.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isBlank, requestBody } from "./body.ts";
import { openInbox } from "./inbox.ts";
import type { RequestVerb } from "./verb.ts";

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
			"--once": "switch",
			"--bytes": "value",
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
	const origin =
		cli.value("--origin") ?? originOf(doors.proc.env.NEXUS_WORKER_WINDOW ?? "");
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
	// A line that breaks half-way looks like the end of the text.
	const bytes = cli.value("--bytes");
	if (bytes !== undefined && bytes !== String(body.bytes.length))
		return refuse(
			`the text has ${body.bytes.length} bytes, not ${excerpt(bytes)}`,
		);
	const inbox = await openInbox(ctx);
	if (inbox.kind === "refused") return 1;
	// Whoever does not know whether an earlier call arrived asks again with the same slug.
	const known = cli.on("--once")
		? filedBefore(doors, inbox.dir, { origin, slug })
		: null;
	if (known !== null) {
		out(known);
		return 0;
	}
	const filed = fileRequest(doors, inbox.dir, {
		...{ origin, slug, kind, priority, body: toRaw(body.bytes) },
		isReplyRequired: reply === "required",
		publish: !cli.on("--no-publish"),
	});
	if (filed.kind === "failed") return refuse(filed.why);
	out(filed.id);
	return 0;
};
