/** Is the bot installed there, and who can change it; for `preflight` and `pr create`. */
import { botInstalled } from "../../_github/installation.ts";
import { type NgHub, sayFailure } from "../hub.ts";
import type { NgContext } from "../verb.ts";

export type Preflight =
	| { readonly kind: "installed" | "absent"; readonly lines: readonly string[] }
	/** Said already. */
	| { readonly kind: "unknown" };

/** `absent` carries what to ask of whom; `unknown` has been said on stderr. */
export async function checkInstalled(
	repo: string,
	{ gitHub, settings }: NgHub,
	ctx: Pick<NgContext, "err">,
): Promise<Preflight> {
	const look = await botInstalled(gitHub, repo);
	if (look.kind === "unknown") {
		sayFailure(
			ctx,
			look.failure,
			"could not list the installation's repositories",
		);
		return { kind: "unknown" };
	}
	const selection = `repository_selection=${look.selection}`;
	if (look.isInstalled)
		return {
			kind: "installed",
			lines: [`bot installed: yes (${repo}) — ${selection}`],
		};
	const { config } = settings;
	const [owner = ""] = repo.split("/");
	const bot =
		config["github.bot_git_name"]?.replace(/\[bot\]$/, "") || "the nexus bot";
	const page = `${gitHub.place.webOrigin}/organizations/${owner}/settings/installations`;
	const id = config["github.bot_installation_id"];
	return {
		kind: "absent",
		lines: [
			`bot installed: NO (${repo}) — ${selection}`,
			`ask the org admin of ${owner} to add ${repo} to ${bot}'s installation:`,
			// An id that belongs to another owner would lead to a 404.
			look.isOwnersOwn && id ? `${page}/${id}` : page,
		],
	};
}
