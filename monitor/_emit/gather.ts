/** What a report may carry besides the local change: bells, comments, staged rows, further sections. A source that fails costs only itself. */
import { type Bell, renderBells } from "./bells.ts";
import { standsIn } from "./dedup.ts";
import type {
	CommentsView,
	EmitProviders,
	EmitSection,
	ProviderRun,
	SectionProvider,
	StagedRows,
	StagedSection,
} from "./providers.ts";
import type { SectionTexts } from "./sections.ts";
import type { Lesson } from "./settle.ts";

export interface Gathered {
	readonly bells: readonly Bell[];
	readonly sections: SectionTexts;
	/** What these sections learn from the delivery of `body`. */
	readonly lessons: (body: string) => readonly Lesson[];
	/** What they learn from an earlier report with this body: only what stands in it. */
	readonly lessonsOfPast: (body: string) => readonly Lesson[];
	/** Puts the comments back, unless a delivery committed them. To be called in any case. */
	readonly release: () => Promise<void>;
}

export interface GatherFrom {
	readonly bells: readonly Bell[];
	/** Names of the windows there are; null: could not look. */
	readonly live: ReadonlySet<string> | null;
	/** What a source has staged, or stages now. */
	readonly stagedOf: (rows: StagedRows) => Promise<string>;
	/** After a source's rows were committed. */
	readonly afterCommit: (rows: StagedRows) => void;
}

/** Never fails. The comments are drained for it, so `release` is to be called in any case. */
export async function gather(
	run: ProviderRun,
	providers: EmitProviders,
	from: GatherFrom,
): Promise<Gathered> {
	const comments = await commentsOf(run, providers);
	const staged = await stagedSections(run, providers.staged, from);
	const rendered = await renderedOf(run, providers.sections);
	return {
		bells: from.bells,
		sections: {
			gh: comments.text,
			bells: renderBells(from.bells),
			...Object.fromEntries(
				staged.map(({ rows, made }) => [rows.id, made.text]),
			),
			...Object.fromEntries(
				rendered.map(({ source, made }) => [source.id, made.text]),
			),
		},
		lessons: (body) => [
			{ when: "seen", commit: comments.commit },
			...staged.map((source) => learnRows(source, body, from)),
			...rendered.map(({ source, made }) => learnSection(source, made)),
		],
		lessonsOfPast: (body) => [
			{ when: "seen", commit: () => comments.commitTold(body) },
			...staged.map(({ rows, made }) => {
				const { commitTold = made.commit } = made;
				const told: StagedSource = {
					rows,
					made: { ...made, commit: commitTold },
				};
				return learnRows(told, body, from);
			}),
			...rendered
				.filter(({ made }) => standsIn(body, made.text))
				.map(({ source, made }) => learnSection(source, made)),
		],
		release: comments.release,
	};
}

interface StagedSource {
	readonly rows: StagedRows;
	readonly made: StagedSection;
}

/** Rows learn from the body that carried them; a source that had none learns nothing. */
function learnRows(
	{ rows, made }: StagedSource,
	body: string,
	{ afterCommit }: GatherFrom,
): Lesson {
	return {
		when: "seen",
		commit: async () => {
			await made.commit(body);
			afterCommit(rows);
		},
	};
}

function learnSection(source: SectionProvider, made: EmitSection): Lesson {
	return {
		when: source.oneShot ? "delivered" : "seen",
		commit: () => made.commit(),
	};
}

async function stagedSections(
	run: ProviderRun,
	sources: readonly StagedRows[],
	{ stagedOf, live }: GatherFrom,
): Promise<readonly StagedSource[]> {
	const all: StagedSource[] = [];
	for (const rows of sources) {
		const made = await guarded(run, `rows of ${rows.task}`, async () =>
			rows.section(run, await stagedOf(rows), live),
		);
		if (made && made.text !== "") all.push({ rows, made });
	}
	return all;
}

async function renderedOf(
	run: ProviderRun,
	sources: readonly SectionProvider[],
) {
	const all: {
		readonly source: SectionProvider;
		readonly made: EmitSection;
	}[] = [];
	for (const source of sources) {
		const made = await guarded(run, `section ${source.id}`, async () =>
			source.render(run),
		);
		if (made && made.text !== "") all.push({ source, made });
	}
	return all;
}

/** A view of which exactly one of commit and release is called. */
async function commentsOf(run: ProviderRun, { composeGhNow }: EmitProviders) {
	const view: CommentsView | null =
		composeGhNow === undefined
			? null
			: await guarded(run, "the comments", () => composeGhNow(run));
	let ended = false;
	const once = async (end: () => void | Promise<void>): Promise<void> => {
		if (ended) return;
		ended = true;
		await end();
	};
	return {
		text: view?.text ?? "",
		commit: () => once(() => view?.commit()),
		commitTold: (body: string) => once(() => view?.commitTold(body)),
		release: () => once(() => view?.release()),
	};
}

async function guarded<T>(
	{ doors }: ProviderRun,
	what: string,
	ask: () => Promise<T>,
): Promise<T | null> {
	try {
		return await ask();
	} catch (error) {
		doors.log.warn(`emit: ${what} failed: ${String(error)}`);
		return null;
	}
}
