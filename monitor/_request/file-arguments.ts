/** What a call of `file` asks for (contract 08 §6.2). Pure. */
import { originOf } from "../_state/review-requests.ts";
import { parseCli } from "../_sys/cli.ts";
import { excerpt } from "../_sys/excerpt.ts";

export interface Asking {
	readonly kind: "ok";
	readonly origin: string;
	/** In the alphabet of ids. */
	readonly slug: string;
	/** Of the request. */
	readonly requestKind: string;
	readonly priority: string;
	readonly isReplyRequired: boolean;
	readonly publish: boolean;
	/** A second call with this origin and slug gets the id of the first. */
	readonly once: boolean;
	/** How long the text must be; null: any. */
	readonly bytes: number | null;
	readonly body: {
		readonly message: string | undefined;
		readonly file: string | undefined;
		readonly stdin: boolean;
	};
}

/** Without `--origin` the worker's own window asks. */
export function fileArguments(
	args: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
):
	| Asking
	| { readonly kind: "help" }
	| { readonly kind: "refused"; readonly why: string } {
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
	if (cli.kind === "help") return cli;
	const refuse = (why: string) => ({ kind: "refused", why }) as const;
	if (cli.kind === "refused") return refuse(cli.message);
	const origin =
		cli.value("--origin") ?? originOf(env.NEXUS_WORKER_WINDOW ?? "");
	const requestKind = cli.value("--kind") ?? "question";
	const priority = cli.value("--priority") ?? "normal";
	const reply = cli.value("--reply") ?? "optional";
	const slug = (cli.value("--slug") ?? "").replace(/[^A-Za-z0-9_-]/g, "_");
	const bytes = cli.value("--bytes");
	if (!/^[A-Za-z0-9_-]+$/.test(origin))
		return refuse(
			`--origin wants letters, digits, '_' and '-', got '${excerpt(origin)}'`,
		);
	if (slug === "") return refuse("--slug is required");
	if (!/^[a-z][a-z0-9-]*$/.test(requestKind))
		return refuse(`not a kind: '${excerpt(requestKind)}'`);
	if (!["normal", "high"].includes(priority))
		return refuse("--priority is normal or high");
	if (!["required", "optional", "none"].includes(reply))
		return refuse("--reply is required, optional or none");
	if (bytes !== undefined && !/^\d{1,15}$/.test(bytes))
		return refuse(`--bytes takes a number, not '${excerpt(bytes)}'`);
	const [dash] = cli.positionals;
	if (dash !== undefined && dash !== "-")
		return refuse(`unexpected argument '${excerpt(dash)}'`);
	return {
		kind: "ok",
		origin,
		slug,
		requestKind,
		priority,
		isReplyRequired: reply === "required",
		publish: !cli.on("--no-publish"),
		once: cli.on("--once"),
		bytes: bytes === undefined ? null : Number(bytes),
		body: {
			message: cli.value("--message"),
			file: cli.value("--file"),
			stdin: dash === "-",
		},
	};
}
