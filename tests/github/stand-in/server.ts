/**
 * A GitHub on 127.0.0.1 that real code talks to over HTTP. Requests and answers are held to GitHub's
 * published descriptions; what a client sends amiss, and what this server itself gets wrong, is kept
 * in `problems`, which a test expects to be empty.
 */
import * as acts from "./acts.ts";
import { answerRequest, type Exchange } from "./answer.ts";
import { openStorage } from "./attachments.ts";
import { type Budgets, budgetsOf } from "./budget.ts";
import { type Faults, faultTable } from "./faults.ts";
import type { Place } from "./place.ts";
import { openStore } from "./store.ts";
import type { App } from "./world.ts";

/** A stand-in without a server: whoever has no network hands it the requests. */
export interface BareStandIn {
	/** For `github.api_url`. */
	readonly url: string;
	readonly place: Place;
	readonly acts: BoundActs;
	readonly faults: Faults;
	readonly budgets: Budgets;
	/** Every request so far, oldest first. */
	readonly requests: readonly Exchange[];
	readonly problems: readonly string[];
	/** Every installation token is void from now on. */
	revokeTokens(): void;
	/** GitHub's clock runs so many seconds ahead of ours. */
	skewClock(seconds: number): void;
	/** After a change by hand to `place.state`: writes the file. */
	save(): void;
}
export interface StandIn extends BareStandIn {
	stop(): Promise<void>;
}

export interface StandInOptions {
	readonly app: App;
	/** Epoch seconds. Default: the machine's clock. */
	readonly now?: () => number;
	/** The world is kept in this file, and continued from it. */
	readonly file?: string;
	/** Default: a free one. */
	readonly port?: number;
	/** `/api/v3`, as at an Enterprise Server. Default: none. */
	readonly prefix?: string;
}

export function startStandIn(opts: StandInOptions): StandIn {
	const storageProblems: string[] = [];
	const storage = openStorage(storageProblems);
	// The port is known once it listens, and the world needs it.
	let bare: ReturnType<typeof openStandIn> | null = null;
	const listener = Bun.serve({
		hostname: "127.0.0.1",
		port: opts.port ?? 0,
		idleTimeout: 0,
		fetch: (request) =>
			bare === null
				? new Response("starting", { status: 503 })
				: (storage.answer(request, bare.standIn.place) ?? bare.answer(request)),
	});
	bare = openStandIn(opts, `http://127.0.0.1:${listener.port}`);
	const { standIn } = bare;
	return {
		...standIn,
		get problems() {
			return [...standIn.problems, ...storageProblems];
		},
		stop: async () => {
			await storage.stop();
			await listener.stop(true);
		},
	};
}

/** `origin`: what its links begin with. */
export function openStandIn(
	opts: StandInOptions,
	origin: string,
): {
	readonly standIn: BareStandIn;
	readonly answer: (request: Request) => Promise<Response>;
} {
	const store = openStore(opts.app, opts.file ?? null);
	const ownNow = opts.now ?? (() => Math.floor(Date.now() / 1000));
	const prefix = opts.prefix ?? "";
	const faults = faultTable();
	const requests: Exchange[] = [];
	const problems: string[] = [];
	let skew = 0;
	const now = () => ownNow() + skew;
	const budgets = budgetsOf({ now });
	const place: Place = {
		state: store.state,
		now,
		apiBase: origin + prefix,
		webBase: origin,
	};
	const serving = { place, prefix, faults, budgets, requests, problems };
	return {
		standIn: {
			url: place.apiBase,
			place,
			acts: bindActs(place, store.save),
			faults,
			budgets,
			requests,
			problems,
			revokeTokens: () => {
				store.state.installationTokens = [];
			},
			skewClock: (seconds) => {
				skew = seconds;
			},
			save: store.save,
		},
		answer: (request) =>
			answerRequest(request, { ...serving, save: store.save }),
	};
}

type Acts = typeof acts;
type Rest<F> = F extends (place: Place, ...rest: infer A) => infer R
	? (...rest: A) => R
	: never;
/** The acts of `acts.ts`, each in this server's world and saved. */
export type BoundActs = { readonly [K in keyof Acts]: Rest<Acts[K]> };

function bindActs(place: Place, save: () => void): BoundActs {
	const bind =
		<A extends unknown[], R>(act: (place: Place, ...rest: A) => R) =>
		(...rest: A): R => {
			const result = act(place, ...rest);
			save();
			return result;
		};
	return {
		createRepo: bind(acts.createRepo),
		openIssue: bind(acts.openIssue),
		openPull: bind(acts.openPull),
		comment: bind(acts.comment),
		reviewComment: bind(acts.reviewComment),
		submitReview: bind(acts.submitReview),
		react: bind(acts.react),
		editComment: bind(acts.editComment),
		setIssueState: bind(acts.setIssueState),
		attach: bind(acts.attach),
		commitFile: bind(acts.commitFile),
	};
}
