/** Proofs that a usage limit is over: another account logged in, or a pane that works again (contract 04 §8.6). */
import {
	credentialFiles,
	credentialGate,
	credentialSignature,
	readCredentialMemory,
	writeCredentialMemory,
} from "../../_state/credential-identity.ts";
import {
	readLimitReset,
	writeLimitReset,
} from "../../_state/ratelimit-episode.ts";
import {
	raiseResetEvent,
	takeResetEvent,
} from "../../_state/ratelimit-reset-event.ts";
import { note, type UnstickPass } from "./pass.ts";

/** Pulls all holds to now; the number of rows changed. */
export type Expedite = (source: string) => number;

/** Raises `credential-change` when the account is another one than before. The first sighting only records. */
export function observeCredentials({ run, ctx, now }: UnstickPass): void {
	const { files, proc } = run.doors;
	if (!ctx.config.UNSTICK_CRED_SENSOR) return;
	const paths = credentialFiles(proc.env);
	const gate = credentialGate(files, paths);
	const known = readCredentialMemory(files, ctx.stateDir);
	if (known.gate === gate) return;
	const signature = credentialSignature(files, paths);
	// Logged out, torn or unreadable: nobody else is logged in because of it.
	writeCredentialMemory(files, ctx.stateDir, { gate, signature });
	const before = known.signature;
	if (signature !== null && before !== null && signature !== before)
		raiseResetEvent(files, ctx.stateDir, now, "credential-change");
}

/** The event's source, taken away; null without one. An episode learns of it at once: the pass may end before its panes. */
export function takeEvent(
	pass: UnstickPass,
	expedite: Expedite,
): string | null {
	const { files } = pass.run.doors;
	const { stateDir } = pass.ctx;
	const source = takeResetEvent(files, stateDir);
	if (source === null) return null;
	if (readLimitReset(files, stateDir) !== null)
		writeLimitReset(files, stateDir, { at: pass.now, source: "event" });
	const rows = expedite(source);
	note(pass, {
		window: null,
		case: "B",
		action: "reset-event",
		fields: { source, holds: rows },
	});
	return source;
}
