/** A stand-in GitHub with one thread, and a report to hand off. */
import { expect } from "bun:test";
import { OPERATOR, REPO } from "../github/rig.ts";
import { type HubRig, hubRig } from "./hub-rig.ts";

export const NAME = "hub_2026-07-25_100000_thing.md";
export const REPORT = `/n/reports/${NAME}`;
export const SUMMARY = "The thing was built and measured. It holds.";

export function reportText(summary = SUMMARY): string {
	return `---
project: hub
date: 2026-07-25
session-id: 123
status: completed
---

# The thing

## Summary

${summary}

## What Was Done

${"Much was done. ".repeat(40)}

## Current State

Good.

## What Remains

Nothing.

## How to Resume

Read this.
`;
}

const open: HubRig[] = [];
export function wrapUpRig(...args: Parameters<typeof hubRig>) {
	const rig = hubRig(...args);
	open.push(rig);
	const { acts } = rig.standIn;
	acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	acts.commitFile(REPO, "README.md", "hi");
	rig.doors.files.seed(REPORT, reportText());
	const trigger = acts.comment(REPO, 1, OPERATOR, "Build the thing.");
	return {
		...rig,
		trigger: String(trigger.id),
		triggerComment: trigger,
		/** The bot's comments on the issue. */
		said: () =>
			(rig.standIn.place.state.repos[0]?.comments ?? []).filter((c) =>
				c.user.endsWith("[bot]"),
			),
		wrapUps: () => rig.events().filter((e) => e.event === "wrap-up"),
		posts: () =>
			rig.writes().filter((l) => l === `POST /repos/${REPO}/issues/1/comments`),
		rewrite: (summary: string) =>
			rig.doors.files.seed(REPORT, reportText(summary)),
	};
}

/** At the end of each test: GitHub was asked for nothing that it does not know. */
export async function closeRigs(): Promise<void> {
	for (const rig of open.splice(0)) {
		expect(rig.standIn.problems).toEqual([]);
		await rig.close();
	}
}
