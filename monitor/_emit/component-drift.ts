/** The `--- component drift (restart needed) ---` section (contract 06 §9.5): what asks for a hand, each change of it once. */
import {
	type ComponentDrift,
	listDrifts,
	readDrift,
	readDriftSurfaced,
	writeDriftSurfaced,
} from "../_state/component-drift.ts";
import { type DriftGround, driftBlock } from "./component-drift-blocks.ts";
import type { EmitPlace } from "./place.ts";
import type { SectionProvider } from "./providers.ts";

/** Commits what it told, unless that drift has changed meanwhile: then the change is told next. */
export function componentDriftSection({
	codeRoot,
	stateDir,
	panesThisTick,
}: Pick<
	EmitPlace,
	"codeRoot" | "stateDir" | "panesThisTick"
>): SectionProvider {
	return {
		id: "drift",
		render: async ({ doors: { files } }) => {
			const told = listDrifts(files, stateDir).filter(
				(d) => readDriftSurfaced(files, stateDir, d.component) !== d.new,
			);
			const ground: DriftGround = {
				codeRoot,
				stateDir,
				tmuxServer: await serverNow(told, panesThisTick),
			};
			return {
				text: told
					.map((drift) => `${driftBlock(drift, ground).join("\n")}\n`)
					.join("\n"),
				commit: () => {
					for (const { component, new: word } of told)
						if (readDrift(files, stateDir, component)?.new === word)
							writeDriftSurfaced(files, stateDir, component, word);
				},
			};
		},
	};
}

/** Asked only when a stored id has to be judged. */
async function serverNow(
	drifts: readonly ComponentDrift[],
	panesThisTick: EmitPlace["panesThisTick"],
): Promise<string | null> {
	if (drifts.every(({ windowId }) => windowId === "")) return null;
	const panes = await panesThisTick();
	const server = panes.kind === "ok" ? panes.rows[0]?.server : undefined;
	return server === undefined ? null : `${server.pid}:${server.startTime}`;
}
