/** The shell that both kinds of agent act with in a soak. What GitHub refuses is tried again, as an agent would. */
import { programPath } from "../../monitor/_sys/names.ts";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";

const path = (name: Parameters<typeof programPath>[0]) =>
	shellQuote(programPath(name));

const SECTIONS = [
	"Summary",
	"What Was Done",
	"Current State",
	"What Remains",
	"How to Resume",
]
	.map(
		(title) =>
			`## ${title}\n\n${"It was measured again, and held. ".repeat(8)}\n`,
	)
	.join("\n");

/** Commands of an agent's own, in front of each of its scripts. */
export const FUNCTIONS = `
ng() { ${path("ng")} "$@"; }
again() { n=0; until "$@"; do n=$((n+1)); [ $n -lt 8 ] || return 1; sleep 3; done; }
hand() {
  mkdir -p "$NEXUS_ROOT/work/$1"
  mkdir "$NEXUS_ROOT/work/handed-$2" 2>/dev/null || return 0
  text="Errand $3 of comment $2."
  if ${path("tmuxWindow")} id "$1" >/dev/null
  then ${path("pasteFollowup")} "$1" --message "$text"
  else echo "$text" > "$NEXUS_ROOT/work/$1.task"; ${path("spawnWorker")} -n "$1" -c "$NEXUS_ROOT/work/$1" -p "$NEXUS_ROOT/work/$1.task"
  fi || { rmdir "$NEXUS_ROOT/work/handed-$2"; return 1; }
}
handagain() { rmdir "$NEXUS_ROOT/work/handed-$2" 2>/dev/null; again hand "$1" "$2" report; }
revive() { ng respawn "$1" --replace && handagain "$1" "$2"; }
refuse() {
  tmux send-keys -t "$(${path("tmuxWindow")} id "$1")" Escape
  sleep 1
  ng decision-ack "$1" "$2" --reason refused
}
retire() { ng retire-window "$1" --reason 'wrapped up'; }
ask() { ng request file --origin "$1" --slug "of-$2" --kind question --reply required --message "May $1 go on with $2?"; }
report() {
  # Not "path": zsh takes that for PATH.
  written=$(again ng report-init "$1-$2" --issue "$3" --comment-id "$2") || return 1
  { sed -e 's/^status: .*/status: completed/' -e '/^# /q' "$written"; printf '\\n%s\\n' ${shellQuote(SECTIONS)}; } > "$2.md"
  mv "$2.md" "$written"
  again ng wrap-up "$3" "$written" --trigger-comment "$2" --skeptic-decision no --skeptic-rationale 'it only measured'
}`;
