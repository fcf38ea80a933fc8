/** Pushes to the operator; each secret is a file of its own (contract 07 §11.2). */
import { bool, integer, path, unset } from "../leaves.ts";

export const notifications = {
	"notifications.pushover.user_key_path": path(
		"~/.claude/.nexus-pushover-user-key",
		{
			env: "NEXUS_PUSHOVER_USER_KEY_FILE",
			doc: "File with the Pushover user key.",
		},
	),
	"notifications.pushover.app_token_path": path(
		"~/.claude/.nexus-pushover-app-token",
		{
			env: "NEXUS_PUSHOVER_APP_TOKEN_FILE",
			doc: "File with the Pushover application token.",
		},
	),
	"notifications.ntfy.topic_url_path": path("~/.claude/.nexus-notify-token", {
		env: "NEXUS_NOTIFY_TOKEN",
		doc: "File with the ntfy topic URL.",
	}),
	"notifications.desktop.enabled": bool(false, {
		env: "NEXUS_NOTIFY_DESKTOP",
		doc: "Show a notice on this machine's desktop (notify-send) and ring the sandbox's bell, too.",
	}),
	"notifications.max_per_hour": integer(12, {
		env: "NEXUS_NOTIFY_MAX_PER_HOUR",
		doc: "Routine notices in an hour; 0 is no limit. The same text goes out once in five minutes.",
	}),
	"notifications.email.address": unset("string", {
		env: "NEXUS_EMAIL_TO",
		doc: "Who gets emergencies by mail; unset sends none.",
		template: "",
	}),
	"notifications.email.smtp_host": unset("string", {
		env: "NEXUS_SMTP_HOST",
		doc: "Relay that asks for no password; unset sends no mail. Needs curl.",
		template: "",
	}),
	"notifications.email.smtp_port": integer(25, {
		min: 1,
		max: 65535,
		env: "NEXUS_SMTP_PORT",
		doc: "Port of that relay.",
	}),
	"notifications.email.probe_address": unset("string", {
		doc: "Address to try the relay with.",
		unread: "nothing tries the relay",
		template: "",
	}),
};
