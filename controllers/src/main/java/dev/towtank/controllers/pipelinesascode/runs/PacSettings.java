package dev.towtank.controllers.pipelinesascode.runs;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// What the ConfigMap `pipelines-as-code` says.
public record PacSettings(Map<String, String> data) {

    private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*([a-zA-Z_-]+)\\s*}}");

    public PacSettings {
        data = Map.copyOf(data);
    }

    public static PacSettings of(Optional<Resource> map) {
        var data = new LinkedHashMap<String, String>();
        map.ifPresent(found -> found.json().object("data").forEach((key, value) -> {
            if (value instanceof Json.Str(var text)) {
                data.put(key, text.strip());
            }
        }));
        return new PacSettings(data);
    }

    private String get(String key, String otherwise) {
        var value = data.getOrDefault(key, "");
        return value.isEmpty() ? otherwise : value;
    }

    private boolean flag(String key, boolean otherwise) {
        return Boolean.parseBoolean(get(key, String.valueOf(otherwise)));
    }

    public String applicationName() {
        return get("application-name", "Pipelines as Code CI");
    }

    public boolean createsSecrets() {
        return flag("secret-auto-create", true);
    }

    public boolean readsRemoteTasks() {
        return flag("remote-tasks", true);
    }

    /// 200 without a word in place of 401, as upstream answers.
    public boolean hidesWrongSecrets() {
        return flag("towtank-incoming-compatibility", false);
    }

    public boolean cancelsInProgress(boolean isPullRequest) {
        return flag(
                isPullRequest ? "enable-cancel-in-progress-on-pull-requests" : "enable-cancel-in-progress-on-push",
                false);
    }

    /// How many finished runs of a name are kept; absent for all of them.
    public OptionalInt kept(String annotation) {
        int upper = number(get("max-keep-run-upper-limit", ""));
        int wanted = number(annotation.isEmpty() ? get("default-max-keep-runs", "") : annotation);
        int kept = upper > 0 && (wanted == 0 || wanted > upper) ? upper : wanted;
        return kept > 0 ? OptionalInt.of(kept) : OptionalInt.empty();
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
    }

    /// Where people look at a run; empty where nobody has said that.
    public String console(String namespace, String run) {
        var base = data.getOrDefault("custom-console-url", "");
        if (!base.isEmpty()) {
            var details = data.getOrDefault("custom-console-url-pr-details", "");
            if (details.isEmpty()) {
                return "https://url.setting.custom-console-url-pr-details.is.not.configured";
            }
            var values = Map.of("namespace", namespace, "pr", run);
            var filled = PLACE.matcher(details).replaceAll(found -> values.getOrDefault(found.group(1), found.group()));
            return filled.contains("{{") ? base : filled;
        }
        var dashboard = data.getOrDefault("tekton-dashboard-url", "");
        return dashboard.isEmpty() ? "" : dashboard + "/#/namespaces/" + namespace + "/pipelineruns/" + run;
    }
}
