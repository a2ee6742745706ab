package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Resource;
import java.util.HashSet;
import java.util.Set;

/// Where we do something else than Tekton Triggers, for safety; a listener can have upstream's ways back, one by one.
///
/// @param off those that the listener does not want
public record Deviations(Set<String> off) {

    /// On an EventListener: names from below, with commas between them; `all` for all.
    public static final String ANNOTATION = "towtank.dev/as-upstream";

    public static final Deviations ALL = new Deviations(Set.of());

    /// The signature of Slack is verified; upstream looks whether there is one.
    public static final String SLACK = "slack-signature";

    /// The namespace in `compareSecret` counts; upstream ignores it.
    public static final String SECRET_NAMESPACE = "secret-namespace";

    /// Owners are asked for when changed files are, too; upstream forgets them then.
    public static final String OWNERS = "owners-with-files";

    /// Params that an interceptor does not have are refused; upstream ignores them.
    public static final String PARAMS = "unknown-params";

    /// What was delivered before is not worked on again; upstream works on it.
    public static final String REPLAYS = "replays";

    public Deviations {
        off = Set.copyOf(off);
    }

    public static Deviations of(Resource listener) {
        var names = new HashSet<String>();
        for (var name : listener.annotations().getOrDefault(ANNOTATION, "").split(",", -1)) {
            names.add(name.strip());
        }
        return new Deviations(names);
    }

    boolean has(String name) {
        return !off.contains(name) && !off.contains("all");
    }

    public boolean refusesReplays() {
        return has(REPLAYS);
    }
}
