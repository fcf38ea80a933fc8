/**
 * The App's delivery log, the first source of comments (contract 02 §6): what happened since the cursor,
 * oldest first, into the queue. The cursor follows each delivery that is done with, so that a run that
 * is killed at any moment neither loses one nor walks the same backlog for ever.
 */
import type { Config } from "../../config/schema.ts";
import { appendQueue } from "../_state/deliveries-queue.ts";
import {
	readDeliveryCursor,
	writeDeliveryCursor,
} from "../_state/delivery-cursor.ts";
import { renderBlock } from "../_state/emit-blocks.ts";
import { isHandled, readProcessed } from "../_state/processed-comments.ts";
import type { Doors } from "../_sys/doors.ts";
import { listDeliveries } from "./delivery-collect.ts";
import { deliveryFailed, listingFailed } from "./delivery-failure.ts";
import type { DeliveryRow } from "./delivery-listing.ts";
import { deliveryToBlock } from "./delivery-payload.ts";
import type { GhClass } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { at } from "./json-look.ts";

/** What one process remembers from poll to poll. */
export interface DeliveriesMemory {
	/** The delivery whose payload could not be had, and for how many polls in a row. */
	failing: { readonly guid: string; readonly polls: number } | null;
	/** When a failure of a class was last logged, epoch seconds. */
	readonly said: Map<GhClass, number>;
}

/** Empty; it lives as long as the process. */
export function deliveriesMemory(): DeliveriesMemory {
	return { failing: null, said: new Map() };
}

export interface DeliveriesContext {
	readonly doors: Pick<Doors, "clock" | "files" | "locks" | "log">;
	readonly gitHub: Pick<GitHub, "app" | "appGet">;
	readonly stateDir: string;
	readonly config: Config;
	readonly memory: DeliveriesMemory;
	readonly signal: AbortSignal;
}

export interface Polled {
	/** The blocks that were queued. */
	readonly text: string;
	/** 75: GitHub asked for a pause. */
	readonly rc: 0 | 75;
}

/** GUID of nobody's delivery: an empty log has no newest, and what comes first after it is no backlog. */
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** One poll. `text` is what it found, as blocks; on the very first run the backlog may be skipped, as configured. */
export async function snapshotDeliveries(
	ctx: DeliveriesContext,
): Promise<Polled> {
	const { doors, stateDir, config } = ctx;
	const started = doors.clock.monoMs();
	const cursor = readDeliveryCursor(doors, stateDir);
	const seeds =
		cursor.kind === "first-run" &&
		config["monitor.deliveries.seed_on_first_run"];
	const listed = await listDeliveries(ctx, {
		until: cursor.kind === "at" ? cursor.guid : null,
		maxPages: seeds ? 1 : config.DELIVERIES_MAX_PAGES,
	});
	if (listed.kind === "failed") return listingFailed(ctx, listed.failure);
	const { newest } = listed;
	if (seeds) {
		writeDeliveryCursor(doors.files, stateDir, newest ?? BEFORE_ALL);
		doors.log.info("deliveries: first run, the backlog is skipped");
		return { text: "", rc: 0 };
	}
	if (listed.capped && cursor.kind === "at")
		doors.log.warn(
			`deliveries: page cap (${config.DELIVERIES_MAX_PAGES}) hit before reaching cursor; older events are left to the backstop search`,
		);
	const worked = await workOff(ctx, listed.eligible, started);
	const isNews = cursor.kind !== "at" || cursor.guid !== newest;
	if (worked.all && newest !== null && isNews)
		writeDeliveryCursor(doors.files, stateDir, newest);
	return { text: worked.text, rc: worked.rc };
}

/** `all`: every delivery is done with, and the cursor may go to the newest. */
async function workOff(
	ctx: DeliveriesContext,
	newestFirst: readonly DeliveryRow[],
	started: number,
): Promise<Polled & { readonly all: boolean }> {
	const { doors, stateDir, config, signal } = ctx;
	const most = config["monitor.deliveries.max_fetch_per_cycle"];
	const budgetMs = config["monitor.deliveries.cycle_budget_seconds"] * 1000;
	const processed = readProcessed(doors.files, stateDir);
	let text = "";
	for (const [n, row] of [...newestFirst].reverse().entries()) {
		if (signal.aborted) return { text, rc: 0, all: false };
		if (n >= most || doors.clock.monoMs() - started >= budgetMs) {
			doors.log.info(
				`deliveries: per-cycle fetch cap (${most}) reached; the rest comes next cycle`,
			);
			return { text, rc: 0, all: false };
		}
		const done = await workOne(ctx, row, processed);
		if (done.kind === "stop") return { text, rc: done.rc, all: false };
		text += done.text;
		const wrote = writeDeliveryCursor(doors.files, stateDir, row.guid);
		if (wrote.kind === "failed") {
			doors.log.warn(`deliveries: no cursor written: ${wrote.reason}`);
			return { text, rc: 0, all: false };
		}
	}
	return { text, rc: 0, all: true };
}

type Worked =
	| { readonly kind: "finished"; readonly text: string }
	| { readonly kind: "stop"; readonly rc: 0 | 75 };

async function workOne(
	ctx: DeliveriesContext,
	row: DeliveryRow,
	processed: ReadonlySet<string>,
): Promise<Worked> {
	const { doors, stateDir, config } = ctx;
	const answer = await ctx.gitHub.appGet(`app/hook/deliveries/${row.id}`, {
		deadlineMs: config["monitor.deliveries.max_time_seconds"] * 1000,
		signal: ctx.signal,
		read: readDelivery,
	});
	if (answer.kind === "failed") return deliveryFailed(ctx, row, answer.failure);
	ctx.memory.failing = null;
	const block = deliveryToBlock(row.event, answer.value.payload, {
		repo: config["github.repo"],
		botLogin: config["github.bot_login"],
		home: config["monitor.deliveries.asset_enabled"],
		elsewhere: config["monitor.deliveries.bot_mention_enabled"],
	});
	if (block === null || isHandled(block, processed))
		return { kind: "finished", text: "" };
	const text = renderBlock(block);
	const queued = await appendQueue(doors, stateDir, text);
	if (queued.kind === "ok") return { kind: "finished", text };
	doors.log.warn(
		`deliveries: ${row.guid} could not be queued: ${queued.reason}`,
	);
	return { kind: "stop", rc: 0 };
}

/** An object; what it holds is judged by the event. */
function readDelivery(data: unknown): { readonly payload: unknown } | null {
	if (typeof data !== "object" || data === null || Array.isArray(data))
		return null;
	return { payload: at(data, "request", "payload") };
}
