/** Keys and text into an agent's pane (contract 09 §6.5). Typed text is sacred: every key goes out through `_delivery/`. */
import type { PaneRow } from "../../_sys/doors.ts";
import type { Fleet, Member, SendVerdict } from "../fleet.ts";
import { badKey } from "../keys.ts";
import { keysVerdict, textVerdict, verdict } from "../verdict.ts";
import type { LocalContext } from "./context.ts";
import { locate } from "./team.ts";

/** Exit code 2 for a key we do not know; all else as `_delivery/` saw it end. */
export function localInput(
	ctx: LocalContext,
): Pick<Fleet, "sendKeys" | "sendText"> {
	return {
		sendKeys: async (agent, keys) => {
			const bad = badKey(keys);
			if (bad !== undefined || keys.length === 0)
				return verdict(2, `no key: ${bad ?? "none given"}`);
			const to = await livePane(ctx, agent);
			if (to.kind === "refused") return to.verdict;
			const { pane, runtime } = to;
			const window = pane.windowName;
			return keysVerdict(
				await ctx.hands.press({ pane, window, keys, runtime }),
			);
		},
		sendText: async (agent, text, o = {}) => {
			const to = await livePane(ctx, agent);
			if (to.kind === "refused") return to.verdict;
			const { pane, runtime } = to;
			const window = pane.windowName;
			const command = o.command ?? false;
			return textVerdict(
				await ctx.hands.deliver({ pane, window, text, command, runtime }),
			);
		},
	};
}

type Address =
	| {
			readonly kind: "pane";
			readonly pane: PaneRow;
			readonly runtime: string;
			readonly member: Member;
	  }
	| { readonly kind: "refused"; readonly verdict: SendVerdict };

/** Unknown agent or dead pane: 1; could not look: 4. */
export async function livePane(
	ctx: LocalContext,
	agent: string,
): Promise<Address> {
	const refused = (code: 1 | 4, why: string): Address => ({
		kind: "refused",
		verdict: verdict(code, why),
	});
	const found = await locate(ctx, agent);
	if (found.kind === "unreachable")
		return refused(4, `could not look: ${found.stderr} (nothing sent)`);
	if (found.kind !== "ok") return refused(1, found.stderr);
	if (found.value === null) return refused(1, `unknown agent: @${agent}`);
	const { member, pane } = found.value;
	if (member.tmuxState === "unknown")
		return refused(4, `could not look at @${agent} (nothing sent)`);
	if (pane === null || member.tmuxState === "dead")
		return refused(1, `@${agent} has no live pane`);
	return { kind: "pane", pane, runtime: member.runtime ?? "claude", member };
}
