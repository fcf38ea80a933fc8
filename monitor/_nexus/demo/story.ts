/** The story that the demo tells, step by step. */

import { awaitQuestion, ringBell } from "./changes.ts";
import { awaitEmits, isGood, readOutcome } from "./emits.ts";
import { ask, awaitEnd, type Errand, isSettled, readEnd } from "./errand.ts";
import {
	furnish,
	openFleet,
	orchestratorSession,
	startModel,
} from "./fleet.ts";
import { type DemoGitHub, startGitHub } from "./github.ts";
import { describeErrand, describeOutcome } from "./narrate.ts";
import { type FollowedPanes, followPanes, panesCommand } from "./panes.ts";
import { done, failed, type Stage, type Step } from "./stage.ts";
import { baselineTaken, startWatcher } from "./watcher.ts";
import { ASKER, BUILD, REPORTER } from "./world.ts";

/** More than a compose cycle of the demo: a second copy would come with the next one. */
const SECOND_COPY_WAIT_MS = 20_000;

/** Tells it to the end, or says where it broke. Leaves everything running. */
export async function tellStory(stage: Stage): Promise<Step<true>> {
	const opened = await openWorld(stage);
	if (opened.kind === "failed") return opened;
	const { gitHub, panes, target } = opened.value;

	const errand = await ask(stage, gitHub);
	if (errand.kind === "failed") return errand;
	const end = await awaitEnd(stage, gitHub, errand.value, panes);
	if (end.kind === "failed") return end;
	stage.say(`${REPORTER} handed its report over: ${end.value.asset}`);
	ringBell(stage);
	stage.say(`${BUILD} rang its bell`);
	const question = await awaitQuestion(stage, panes);
	if (question.kind === "failed") return question;
	stage.say(`${ASKER} asks for leave; the decision waits: ${question.value}`);

	const report = end.value.report ?? "";
	return prove(stage, gitHub, target, { ...errand.value, report });
}

interface OpenWorld {
	readonly gitHub: DemoGitHub;
	readonly panes: FollowedPanes;
	/** Session id of the orchestrator. */
	readonly target: string;
}

async function openWorld(stage: Stage): Promise<Step<OpenWorld>> {
	const { say } = stage;
	furnish(stage);
	say(`a world of its own: ${stage.world.root}`);
	const model = await startModel(stage);
	if (model.kind === "failed") return model;
	say(`a scripted model API listens on ${model.value}`);
	const gitHub = await startGitHub(stage);
	if (gitHub.kind === "failed") return gitHub;
	say(`a stand-in GitHub listens on ${gitHub.value.url}`);
	const panes = followPanes(stage);
	say(`as ${panesCommand()} sees the panes, from now on at each change:`);
	const fleet = await openFleet(stage, model.value, panes);
	if (fleet.kind === "failed") return fleet;
	const target = await orchestratorSession(stage);
	if (target === null) return failed("the orchestrator has no session");
	const watcher = await startWatcher(stage);
	if (watcher.kind === "failed") return watcher;
	say(`the launcher started the watcher, pid ${watcher.value}`);
	const baseline = await baselineTaken(stage);
	if (baseline.kind === "failed") return baseline;
	say("the watcher knows how things are; now things happen");
	return done({ gitHub: gitHub.value, panes, target });
}

/** Everything has happened; what is still there to see of it must prove that it went right. */
async function prove(
	stage: Stage,
	gitHub: DemoGitHub,
	target: string,
	told: Errand & { readonly report: string },
): Promise<Step<true>> {
	const { say, print } = stage;
	const outcome = await awaitEmits(stage, target, told);
	if (outcome.kind === "failed") return outcome;
	say(
		"all of it was reported; one more cycle, to see that nothing comes twice",
	);
	await stage.doors.clock.sleep(SECOND_COPY_WAIT_MS, stage.signal);
	const final = readOutcome(stage, target);
	const end = await readEnd(stage, gitHub, told);
	for (const line of describeOutcome(final)) print(line);
	for (const line of describeErrand(told, end, final.emits)) print(line);
	if (!isGood(told, final))
		return failed(
			"an emit did not arrive exactly once, whole, as one message; or the comment came twice",
		);
	if (!isSettled(end)) return failed("the comment is not settled");
	print("");
	say(
		`${final.emits.length} emits, each delivered exactly once, whole, as one user message`,
	);
	say("the comment was carried once, answered once, and is settled for good");
	return done(true);
}
