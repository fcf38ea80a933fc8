/** The orchestrator asks in plain text (contract 08 §2.12): a modal would take the watcher's pastes for keys. */
import type { HookAnswer } from "./_io.ts";

/** The text goes to the model. */
export function refuseQuestion(): HookAnswer {
	return {
		refuse: true,
		stderr: `BLOCKED: AskUserQuestion is not for the orchestrator. Its modal would intercept the watcher's paste channel, and every report after it.
Ask in plain text, then end your turn and idle: the answer arrives as a message.
Nobody at the keyboard? Ask on the tracking issue of the matter, not on the overview issue; operators who are away answer there.
Urgent? \`sandbox-notify\` rings the operator.`,
	};
}
