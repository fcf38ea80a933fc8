/** Programs that are not ours and must be there: tmux, git and the like. */
import type { Doors } from "../_sys/doors.ts";
import { definedEnv } from "./environment.ts";

export interface Tool {
	readonly program: string;
	/** Debian's package. */
	readonly package: string;
}

export const TMUX: Tool = { program: "tmux", package: "tmux" };
export const GIT: Tool = { program: "git", package: "git" };
export const DIFF: Tool = { program: "diff", package: "diffutils" };
export const JQ: Tool = { program: "jq", package: "jq" };

export type ToolPlan =
	| { readonly kind: "complete" }
	| { readonly kind: "install"; readonly packages: readonly string[] }
	| { readonly kind: "tell"; readonly line: string };

/** What to do about the tools that are missing. */
export function planTools(
	missing: readonly Tool[],
	can: { readonly root: boolean; readonly aptGet: boolean },
): ToolPlan {
	if (missing.length === 0) return { kind: "complete" };
	const packages = missing.map((tool) => tool.package);
	if (can.root && can.aptGet) return { kind: "install", packages };
	const names = missing.map((tool) => tool.program).join(", ");
	const how = can.aptGet
		? `run as root: apt-get update && apt-get install ${packages.join(" ")}`
		: `install them with this system's package manager (Debian's names: ${packages.join(" ")})`;
	return { kind: "tell", line: `missing: ${names}. ${how}` };
}

/** Installs what is missing where it may; resolves to null, or to a line saying what a person must do. */
export async function ensureTools(
	doors: Pick<Doors, "proc">,
	tools: readonly Tool[],
	print: (line: string) => void,
): Promise<string | null> {
	const { proc } = doors;
	const absent = () => tools.filter((t) => proc.which(t.program) === null);
	const plan = planTools(absent(), {
		root: proc.uid === 0,
		aptGet: proc.which("apt-get") !== null,
	});
	if (plan.kind === "complete") return null;
	if (plan.kind === "tell") return plan.line;
	print(`installing ${plan.packages.join(", ")} (apt-get)`);
	// A fresh machine's package lists are empty or old; a failed update may still leave good ones.
	await aptGet(doors, ["update"]);
	const install = ["install", "-y", "--no-install-recommends"];
	const failure = await aptGet(doors, [...install, ...plan.packages]);
	const left = absent().map((tool) => tool.package);
	if (left.length === 0) return null;
	const byHand = `install them by hand (apt-get update && apt-get install ${left.join(" ")}), then run this again`;
	return `apt-get could not install ${left.join(", ")}: ${failure ?? "no reason given"}; ${byHand}`;
}

/** The first complaint, which names the cause, without addresses: which mirror a machine uses is its owner's business. Or null. */
async function aptGet(
	{ proc }: Pick<Doors, "proc">,
	args: readonly string[],
): Promise<string | null> {
	const ran = await proc.exec(["apt-get", "-q", ...args], {
		timeoutMs: 10 * 60_000,
		env: { ...definedEnv(proc.env), DEBIAN_FRONTEND: "noninteractive" },
	});
	if (ran.kind !== "exited") return ran.kind;
	if (ran.rc === 0) return null;
	const lines = ran.stderr.trim().split("\n");
	const line = lines.find((one) => one.startsWith("E: ")) ?? lines.at(-1);
	return (line ?? "").replaceAll(/[a-z]+:\/\/\S+/g, "<mirror>");
}
