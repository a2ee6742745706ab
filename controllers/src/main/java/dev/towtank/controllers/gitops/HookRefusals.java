package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.MissingRight;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Hooks whose accounts may not do what they try: who is refused what, and the rule that would help. Some of them try
/// for ever.
final class HookRefusals {

    private static final String TYPE = "SyncWarning";

    private HookRefusals() {}

    static List<Condition> of(Json.Obj state) {
        return messages(state).values().stream()
                .map(text -> new Condition(TYPE, text))
                .toList();
    }

    private static Map<ResourceKey, String> messages(Json.Obj state) {
        var found = new LinkedHashMap<ResourceKey, String>();
        for (var entry : state.objects("syncResult", "resources")) {
            if (!entry.string("hookType").isEmpty()) {
                var key = Comparison.key(entry);
                MissingRight.in(entry.string("message"))
                        .ifPresent(right -> found.put(key, "hook " + name(key) + ": " + right.told()));
            }
        }
        return found;
    }

    private static String name(ResourceKey key) {
        return key.group() + "/" + key.kind() + "/" + key.namespace() + "/" + key.name();
    }

    /// About the hooks themselves, where they live beside their Application; each once.
    static Plan events(Resource application, Json.Obj state, Compared compared) {
        var destination = application.spec().object("destination");
        boolean isHere = destination.string("server").equals(Destinations.SERVER)
                || destination.string("name").equals(Destinations.NAME);
        var plan = Plan.NONE;
        for (var hook : isHere ? compared.hooks() : List.<Managed>of()) {
            var text = messages(state).getOrDefault(hook.key(), "");
            boolean isTold = application.status().objects("conditions").stream()
                    .anyMatch(each -> each.string("type").equals(TYPE)
                            && each.string("message").equals(text));
            if (!text.isEmpty() && !isTold) {
                plan = plan.then(Change.Event.warning(application.with(hook.object()), "Forbidden", text));
            }
        }
        return plan;
    }
}
