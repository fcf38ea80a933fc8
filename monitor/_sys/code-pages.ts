/**
 * A small process that sleeps for weeks need not keep bun's 30 MB of program resident. Only clean pages of read-only
 * file mappings are given back: they are the file's own bytes, and the kernel reads them again when they are needed.
 */

import { dlopen, FFIType } from "bun:ffi";
import { readFileSync } from "node:fs";

const MADV_DONTNEED = 4;

const SYMBOLS = {
	madvise: {
		args: [FFIType.u64, FFIType.u64, FFIType.i32],
		returns: FFIType.i32,
	},
} as const;

let libc: ReturnType<typeof dlopen<typeof SYMBOLS>> | null = null;

/** Best effort: without /proc or glibc nothing is given back. Costs some hundred minor faults at the next work. */
export function releaseCodePages(): void {
	try {
		libc ??= dlopen("libc.so.6", SYMBOLS);
		for (const { from, to } of cleanRanges(
			readFileSync("/proc/self/smaps", "latin1"),
		))
			libc.symbols.madvise(from, to - from, MADV_DONTNEED);
	} catch {
		return;
	}
}

/**
 * `[from, to)` of the mappings of files in a /proc/<pid>/smaps that nobody can write and nobody has written: what the
 * loader relocated before it was made read-only is dirty, and would be lost.
 */
export function cleanRanges(
	smaps: string,
): readonly { readonly from: bigint; readonly to: bigint }[] {
	return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((mapping) => {
		const [, from, to] =
			/^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ \S+ +\//.exec(mapping) ?? [];
		if (from === undefined || to === undefined) return [];
		if (!/^Private_Dirty: +0 kB$/m.test(mapping)) return [];
		return [{ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`) }];
	});
}
