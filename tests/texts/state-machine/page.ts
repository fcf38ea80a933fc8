/** `monitor/docs/agent-state-machine.md`: what agents can be, and what each of it leads to, as the product decides it. */
import { absence, liveness } from "./orchestrator.ts";
import { requestLife } from "./requests.ts";
import {
	heartbeatLife,
	paneGates,
	paneLadder,
	workerLife,
	workerRows,
} from "./worker.ts";

export const PAGE = "monitor/docs/agent-state-machine.md";

export async function renderPage(): Promise<string> {
	return `# What an agent can be

<!-- Made by tests/texts/state-machine/write.ts from the product's own decisions. Change those, then make it anew. -->

Tables and diagrams of this page are answers: each decision was asked what it makes of each situation.

## A pane

What is seen of a pane is judged from the top down. Claude Code's own session file outranks the hooks' heartbeat, and that
outranks the screen; \`monitor/pane-state.ts <window> --explain\` shows all of it for one pane.

${paneLadder()}

What the verdict allows. What nobody has heard of is never closed, and its questions are told.

${paneGates()}

## A worker's heartbeat

What the hooks write, event by event. A busy heartbeat ends by its age, for Esc fires no hook.

${heartbeatLife()}

## A worker's life

${workerLife()}

${workerRows()}

## The orchestrator's life

Its window is not there. A look every two seconds:

${absence()}

It is there and a report was delivered. Without a sign of life since then (a hook, its transcript, a tool's result):

${liveness()}

## A request's life

${await requestLife()}
`;
}
