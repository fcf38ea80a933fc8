/**
 * The validator of a file, built from the rows (contract 07 §6.1). Only this module needs zod, and
 * it is loaded only when a file is validated.
 */
import { z } from "zod";
import { expected, type Reading, readFileValue } from "./leaf-values.ts";
import type { Leaf } from "./leaves.ts";
import { FILE_KEYS } from "./schema.ts";

/** A section of the file: its keys and the sections below it. */
interface Section {
	readonly leaves: Map<string, Leaf<unknown>>;
	readonly sections: Map<string, Section>;
}

/** Every level loose (unknown keys are warnings, not errors), every key optional and nullable. */
export function fileSchema(): z.ZodType {
	const root = newSection();
	for (const [key, row] of Object.entries<Leaf<unknown>>(FILE_KEYS)) {
		const names = key.split(".");
		const last = names.pop() ?? key;
		const home = names.reduce(openSection, root);
		home.leaves.set(last, row);
	}
	return mapping(root);
}

function newSection(): Section {
	return { leaves: new Map(), sections: new Map() };
}

function openSection(parent: Section, name: string): Section {
	const section = parent.sections.get(name) ?? newSection();
	parent.sections.set(name, section);
	return section;
}

function mapping(section: Section): z.ZodType {
	const shape: Record<string, z.ZodType> = {};
	for (const [name, row] of section.leaves) shape[name] = leafSchema(row);
	for (const [name, below] of section.sections) {
		// `<rt>` stands for any name.
		const open = below.sections.get("<rt>");
		shape[name] = open
			? z.record(z.string(), mapping(open)).nullish()
			: mapping(below);
	}
	return z.looseObject(shape).nullish();
}

function leafSchema(row: Leaf<unknown>): z.ZodType {
	return z
		.unknown()
		.superRefine((raw, ctx) => {
			const reading = readLeaf(row, raw);
			if (reading.kind === "ok") return;
			ctx.addIssue({
				code: "custom",
				message: expected(row),
				path: reading.at === undefined ? [] : [reading.at],
			});
		})
		.nullish()
		.meta({ default: row.default, env: row.env, description: row.doc });
}

function readLeaf(row: Leaf<unknown>, raw: unknown): Reading {
	if (row.type !== "commands") return readFileValue(row, raw);
	// In the file each name of the open map has a command line of its own.
	return typeof raw === "string"
		? { kind: "ok", value: raw }
		: { kind: "bad", got: raw };
}
