/**
 * A reader that went away (`| head -1`, a closed terminal) or a full disk behind our output: without a listener the
 * stream's error would end the program in the middle of its work, with an exit code that is no verdict.
 */

let isBorne = false;

/** From now on what cannot be printed is lost, and nothing else. */
export function bearBrokenPipe(): void {
	if (isBorne) return;
	isBorne = true;
	for (const stream of [process.stdout, process.stderr])
		stream.on("error", () => {});
}
