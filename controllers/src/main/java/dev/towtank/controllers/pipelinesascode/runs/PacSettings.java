package dev.towtank.controllers.pipelinesascode.runs;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the ConfigMap `pipelines-as-code` says.
public record PacSettings(Map<String, String> data) {

    private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*([a-zA-Z0-9_-]+)\\s*}}");

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

    /// Whether the platform's configuration has switched it off.
    public boolean isOff() {
        return flag("towtank-disabled", false);
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

    /// Lines of a failed step's log that are shown; none where that is switched off.
    public int snippetLines() {
        int lines = number(get("error-log-snippet-number-of-lines", "3"));
        return flag("error-log-snippet", true) ? lines : 0;
    }

    /// Lines of a failed step's log in which complaints about files are looked for; none where that is switched off.
    public int detectionLines() {
        int lines = number(get("error-detection-max-number-of-lines", "50"));
        return flag("error-detection-from-container-logs", true) ? lines : 0;
    }

    public String detectionExpression() {
        return get(
                "error-detection-simple-regexp",
                "^(?P<filename>[^:]*):(?P<line>[0-9]+):(?P<column>[0-9]+)?([ ]*)?(?P<error>.*)");
    }

    /// With their owners, those that the token of every run may read too.
    public List<String> moreRepositories() {
        return Stream.of(get("secret-github-app-scope-extra-repos", "").split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    public boolean skipsPushesOfPullRequests() {
        return flag("skip-push-event-for-pr-commits", true);
    }

    public boolean remembersApprovals() {
        return flag("remember-ok-to-test", false);
    }

    /// Whether an approval must say which commit it is about.
    public boolean wantsApprovedCommit() {
        return flag("require-ok-to-test-sha", false);
    }

    /// @param name of the catalog there
    public record Hub(String url, String name) {}

    /// A hub by the name that tasks are written with; the usual one is called default.
    public Optional<Hub> hub(String catalog) {
        if (catalog.equals("default")) {
            return Optional.of(new Hub(trimmed(get("hub-url", "https://artifacthub.io")), get("hub-catalog-name", "")));
        }
        for (int i = 1; data.containsKey("catalog-" + i + "-id"); i++) {
            if (get("catalog-" + i + "-id", "").equals(catalog)) {
                return Optional.of(
                        new Hub(trimmed(get("catalog-" + i + "-url", "")), get("catalog-" + i + "-name", "")));
            }
        }
        return Optional.empty();
    }

    private static String trimmed(String url) {
        return url.replaceFirst("(/api/v1)?/*$", "");
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
    ///
    /// @param params of the Repository, which an address may name
    public String console(String namespace, String run, Map<String, String> params) {
        return console("custom-console-url-pr-details", namespace, Map.of("pr", run), params)
                .orElseGet(() -> dashboard(namespace, "/pipelineruns/" + run));
    }

    public String consoleOfNamespace(String namespace) {
        return console("custom-console-url-namespace", namespace, Map.of(), Map.of())
                .orElseGet(() -> dashboard(namespace, "/pipelineruns"));
    }

    /// @param step that failed first, or empty
    public String consoleOfTask(String namespace, String run, String task, String pod, String step) {
        return console(
                        "custom-console-url-pr-tasklog",
                        namespace,
                        Map.of("pr", run, "task", task, "pod", pod, "firstFailedStep", step),
                        Map.of())
                .orElseGet(() -> dashboard(namespace, "/pipelineruns/" + run + "?pipelineTask=" + task));
    }

    private Optional<String> console(
            String key, String namespace, Map<String, String> values, Map<String, String> params) {
        var base = data.getOrDefault("custom-console-url", "");
        if (base.isEmpty()) {
            return Optional.empty();
        }
        var pattern = data.getOrDefault(key, "");
        if (pattern.isEmpty()) {
            return Optional.of("https://url.setting." + key + ".is.not.configured");
        }
        var known = new LinkedHashMap<>(params);
        known.putAll(values);
        known.put("namespace", namespace);
        var filled = PLACE.matcher(pattern)
                .replaceAll(found -> Matcher.quoteReplacement(known.getOrDefault(found.group(1), found.group())));
        return Optional.of(filled.contains("{{") ? base : filled);
    }

    private String dashboard(String namespace, String path) {
        var dashboard = data.getOrDefault("tekton-dashboard-url", "");
        return dashboard.isEmpty() ? "" : dashboard + "/#/namespaces/" + namespace + path;
    }
}
