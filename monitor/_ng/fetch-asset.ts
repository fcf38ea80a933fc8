/**
 * `ng fetch-asset <url>`: an attachment of a comment, as the operator sees it (contract 05 §12). The bot is answered
 * 404 there, and an agent that opens such an address itself loses the reading of images for the rest of its session.
 */
import { resolve } from "node:path";
import { resolveApi } from "../_github/api-url.ts";
import { fetchedAssetPath, writeFetched } from "../_state/assets.ts";
import { readSettings } from "../_state/settings.ts";
import { withDeadline } from "../_sys/deadline.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { readArguments } from "./arguments.ts";
import { type Fetched, fetchAttachment } from "./fetch-asset/fetch.ts";
import { fetchedName, isAttachment } from "./fetch-asset/name.ts";
import { ghToken } from "./operator-pat.ts";
import { callerFolder } from "./reports-dir.ts";
import type { NgVerb } from "./verb.ts";

const LIMIT_MS = 120_000;

/** 0 fetched, 1 usage, 2 the operator's token is missing or refused, 3 not to be had, 4 no image. */
export const run: NgVerb = async (args, ctx) => {
	const { doors, codeRoot, out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: { "--out": "value", "--image-only": "switch" },
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const { config, home, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	if (problems.length > 0) return 1;
	const { webOrigin } = resolveApi(config["github.api_url"]);
	const [url] = cli.positionals;
	if (url === undefined || !isAttachment(url, webOrigin)) {
		err(
			`fetch-asset wants ${webOrigin}/user-attachments/assets/… or …/files/…, got '${excerpt(url ?? "")}'`,
		);
		return 1;
	}
	const pat = await ghToken(doors, new URL(webOrigin).host);
	if (pat === null) {
		err("no token of the operator: log in with gh auth login");
		return 2;
	}
	const got = await withDeadline(doors.clock, LIMIT_MS, undefined, (signal) =>
		fetchAttachment(doors.net, url, pat, signal),
	);
	const fetched: Fetched =
		got.kind === "ok"
			? got.value
			: { kind: "failed", rc: 3, lines: ["no answer"] };
	if (fetched.kind === "failed") {
		for (const line of fetched.lines) err(`fetch-asset: ${line}`);
		return fetched.rc;
	}
	const { type, bytes, location } = fetched;
	if (cli.on("--image-only") && !type.startsWith("image/")) {
		err(`fetch-asset: not an image: ${excerpt(type)}`);
		return 4;
	}
	const asked = cli.value("--out");
	const path =
		asked === undefined
			? fetchedAssetPath(home.stateDir, fetchedName(url, location))
			: resolve(callerFolder(doors), asked);
	const wrote = writeFetched(doors.files, path, bytes);
	if (wrote.kind === "failed") {
		err(`fetch-asset: ${wrote.reason}`);
		return 3;
	}
	out(`path=${path}`);
	out(`content_type=${type}`);
	out(`bytes=${bytes.length}`);
	return 0;
};
