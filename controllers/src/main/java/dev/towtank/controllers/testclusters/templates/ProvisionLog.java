package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// What is told to a tenant about a cluster that could not be made where the tenant sees nothing.
final class ProvisionLog {

    private static final int LONGEST = 128 << 10;

    private ProvisionLog() {}

    static String of(Progress progress, InstanceFacts facts) {
        var text = new StringBuilder(progress.json().string("phase") + ": " + progress.failure() + "\n");
        facts.sets().values().forEach(set -> conditions(text, set));
        facts.applications().values().forEach(application -> {
            conditions(text, application);
            application.status().objects("resources").forEach(each -> resource(text, each));
            line(text, "  operation", application.status().object("operationState"));
        });
        for (var each : facts.provided()) {
            conditions(text, each.object());
            text.append(each.log());
        }
        text.append(facts.jobs().text());
        return text.toString();
    }

    private static void conditions(StringBuilder text, Resource object) {
        text.append(object.kind()).append(' ').append(object.name()).append('\n');
        for (var each : object.status().objects("conditions")) {
            text.append("  %s=%s %s: %s%n"
                    .formatted(
                            each.string("type"), each.string("status"), each.string("reason"), each.string("message")));
        }
    }

    private static void resource(StringBuilder text, Json.Obj entry) {
        text.append("  %s %s/%s %s %s %s%n"
                .formatted(
                        entry.string("kind"),
                        entry.string("namespace"),
                        entry.string("name"),
                        entry.string("status"),
                        entry.string("health", "status"),
                        entry.string("health", "message")));
    }

    private static void line(StringBuilder text, String what, Json.Obj state) {
        if (!state.string("message").isEmpty()) {
            text.append("%s %s: %s%n".formatted(what, state.string("phase"), state.string("message")));
        }
    }

    /// The end of a log says most.
    static String end(String text) {
        return text.length() <= LONGEST ? text : "…" + text.substring(text.length() - LONGEST);
    }
}
