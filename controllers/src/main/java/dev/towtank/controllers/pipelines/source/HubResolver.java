package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Fetches a definition from Artifact Hub or a Tekton Hub.
public final class HubResolver implements Resolver {

    private static final String ARTIFACT = "artifact";
    private static final String TEKTON = "tekton";
    private static final List<String> KINDS = List.of("task", "pipeline", "stepaction");
    private static final String PUBLIC = "https://artifacthub.io";

    /// What the request means, with the settings where it says nothing.
    private record Wanted(String type, String kind, String catalog, String name, String version) {

        boolean isOfArtifactHub() {
            return type.equals(ARTIFACT);
        }

        Wanted at(String other) {
            return new Wanted(type, kind, catalog, name, other);
        }

        String allVersions() {
            return isOfArtifactHub()
                    ? "api/v1/packages/tekton-%s/%s/%s".formatted(word(kind), word(catalog), word(name))
                    : "v1/resource/%s/%s/%s".formatted(word(catalog), word(kind), word(name));
        }

        String one() {
            return allVersions() + "/" + word(version) + (isOfArtifactHub() ? "" : "/yaml");
        }

        private static String word(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }

        Problem fault(Problem problem) {
            return problem.during("fail to fetch " + (isOfArtifactHub() ? "Artifact" : "Tekton") + " Hub resource");
        }
    }

    @Override
    public Installed installed() {
        return new Installed(
                "Hub",
                "hubresolver-config",
                Map.of(
                        "default-tekton-hub-catalog", "Tekton",
                        "default-artifact-hub-task-catalog", "tekton-catalog-tasks",
                        "default-artifact-hub-pipeline-catalog", "tekton-catalog-pipelines",
                        "default-kind", "task",
                        "default-type", ARTIFACT));
    }

    @Override
    public Answer resolve(Question question) throws Problem, InterruptedException {
        var wanted = wanted(question);
        var hubs = hubs(question, wanted);
        var constraint = HubVersion.Constraint.parse(wanted.version());
        if (constraint.isPresent()) {
            var chosen = chosen(question, wanted, constraint.get(), hubs);
            wanted = wanted.at(chosen.version());
            hubs = List.of(chosen.hub());
        }
        return fetched(question, wanted.at(spelled(wanted)), hubs);
    }

    private static Wanted wanted(Question question) throws Problem {
        try {
            var type = orSetting(question, "type", "default type");
            var kind = orSetting(question, "kind", "default resource kind");
            var catalog = catalog(question, type, kind);
            return new Wanted(
                    type,
                    kind,
                    catalog,
                    question.params().getOrDefault("name", ""),
                    question.params().getOrDefault("version", ""));
        } catch (Problem e) {
            throw Problem.invalid("failed to populate default params: " + e.text());
        }
    }

    private static String orSetting(Question question, String name, String what) throws Problem {
        var given = Optional.ofNullable(question.params().get(name))
                .or(() -> Optional.ofNullable(question.settings().get("default-" + name)));
        return given.orElseThrow(() -> new Problem(what + " was not set during installation of the hub resolver"));
    }

    private static String catalog(Question question, String type, String kind) throws Problem {
        var given = question.params().get("catalog");
        if (given != null) {
            return given;
        }
        var settings = question.settings();
        if (type.equals(TEKTON)) {
            return settings.getOrDefault("default-tekton-hub-catalog", "");
        }
        if (!type.equals(ARTIFACT)) {
            throw new Problem("failed to resolve catalog name with type: " + type);
        }
        return switch (kind) {
            case "task", "pipeline" -> settings.getOrDefault("default-artifact-hub-" + kind + "-catalog", "");
            default -> throw new Problem("failed to resolve catalog name with kind: " + kind);
        };
    }

    /// Where to ask, in order: by the param, by the settings, or the public one.
    private static List<String> hubs(Question question, Wanted wanted) throws Problem {
        var missing = new ArrayList<String>();
        for (var name : List.of("name", "version")) {
            if (!question.params().containsKey(name)) {
                missing.add(name);
            }
        }
        if (!KINDS.contains(wanted.kind())) {
            throw invalid("kind param must be one of: " + String.join(", ", KINDS));
        }
        var own = question.optional("url");
        if (own.isPresent()) {
            checkAddress(own.get());
        }
        if (!wanted.isOfArtifactHub() && !wanted.type().equals(TEKTON)) {
            throw invalid("type param must be artifact or tekton");
        }
        var configured = configured(question, wanted.type() + "-hub-urls");
        if (own.isEmpty() && configured.isEmpty() && !wanted.isOfArtifactHub()) {
            throw invalid("please configure TEKTON_HUB_API env variable to use tekton type");
        }
        if (!missing.isEmpty()) {
            throw invalid("missing required hub resolver params: " + String.join(", ", missing));
        }
        return own.map(url -> List.of(trimmed(url)))
                .orElseGet(() -> configured.isEmpty() ? List.of(PUBLIC) : configured);
    }

    private static Problem invalid(String message) {
        return Problem.invalid("failed to validate params: " + message);
    }

    private static void checkAddress(String url) throws Problem {
        try {
            var uri = URI.create(url);
            if (uri.getScheme() == null || uri.getHost() == null) {
                throw invalid("invalid url param: url must be a valid absolute URL: " + url);
            }
            if (!uri.getScheme().equals("http") && !uri.getScheme().equals("https")) {
                throw invalid("invalid url param: url must use http or https scheme: " + url);
            }
        } catch (IllegalArgumentException e) {
            throw invalid("invalid url param: url must be a valid absolute URL: " + url);
        }
    }

    private static List<String> configured(Question question, String setting) {
        try {
            return YamlText.parse(question.setting(setting).orElse("")) instanceof Json.Arr list
                    ? list.strings().stream().map(HubResolver::trimmed).toList()
                    : List.of();
        } catch (JsonText.Malformed e) {
            return List.of();
        }
    }

    private static String trimmed(String url) {
        return url.strip().replaceFirst("/+$", "");
    }

    private record Chosen(String version, String hub) {}

    /// A hub that answers but has no such version is not made up for by another.
    private static Chosen chosen(Question question, Wanted wanted, HubVersion.Constraint constraint, List<String> hubs)
            throws Problem, InterruptedException {
        var problems = new ArrayList<Problem>();
        for (var hub : hubs) {
            Json.Obj answer;
            try {
                answer = json(question, hub + "/" + wanted.allVersions());
            } catch (Problem e) {
                problems.add(wanted.fault(e));
                continue;
            }
            return newest(answer, wanted, constraint)
                    .map(version -> new Chosen(version.toString(), hub))
                    .orElseThrow(() -> new Problem("no version found for constraint " + wanted.version()));
        }
        throw all("failed to resolve version constraint from any configured hub URL", problems);
    }

    private static Optional<HubVersion> newest(Json.Obj answer, Wanted wanted, HubVersion.Constraint constraint) {
        var versions =
                wanted.isOfArtifactHub() ? answer.objects("available_versions") : answer.objects("data", "versions");
        return versions.stream()
                .filter(version -> !version.flag("prerelease"))
                .flatMap(version -> HubVersion.parse(version.string("version")).stream())
                .filter(constraint::allows)
                .max(HubVersion::compareTo);
    }

    /// Artifact Hub wants three numbers, a Tekton Hub has two.
    private static String spelled(Wanted wanted) {
        var parts = wanted.version().split("\\.", -1);
        if (wanted.isOfArtifactHub()) {
            return parts.length == 2 ? wanted.version() + ".0" : wanted.version();
        }
        return parts.length > 2 ? parts[0] + "." + parts[1] : wanted.version();
    }

    private static Answer fetched(Question question, Wanted wanted, List<String> hubs)
            throws Problem, InterruptedException {
        var problems = new ArrayList<Problem>();
        for (var hub : hubs) {
            var url = hub + "/" + wanted.one();
            try {
                var answer = json(question, url);
                var text = answer.string("data", wanted.isOfArtifactHub() ? "manifestRaw" : "yaml");
                var digest = Json.Obj.of("sha256", Json.of(ChildNames.digest("SHA-256", text)));
                return new Answer(text, Json.Obj.of("uri", Json.of(url), "digest", digest));
            } catch (Problem e) {
                problems.add(wanted.fault(e));
            }
        }
        throw all("failed to fetch resource from any configured hub URL", problems);
    }

    private static Problem all(String what, List<Problem> problems) {
        return problems.size() == 1
                ? problems.getFirst()
                : new Problem(what + ": "
                        + String.join("\n", problems.stream().map(Problem::text).toList()));
    }

    private static Json.Obj json(Question question, String url) throws Problem, InterruptedException {
        var page = page(question, url);
        if (!page.isGood()) {
            throw new Problem("requested resource '%s' not found on hub".formatted(url));
        }
        try {
            return JsonText.parseObject(page.text());
        } catch (JsonText.Malformed e) {
            throw new Problem("error unmarshalling json response: " + e.getMessage());
        }
    }

    private static Fetch.Page page(Question question, String url) throws Problem, InterruptedException {
        try {
            // The definition is a text within a text, which makes it larger.
            return new Fetch(question.limit(), 3 * LARGEST)
                    .get(URI.create(question.rewrites().of(url)), Map.of());
        } catch (Problem e) {
            throw e.during("requesting resource from Hub");
        }
    }
}
