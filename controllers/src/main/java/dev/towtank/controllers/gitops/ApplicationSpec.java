package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What an Application wants.
record ApplicationSpec(String application, Json.Obj json) {

    static final String SERVER = "https://kubernetes.default.svc";
    static final String NAME = "in-cluster";

    private static final List<String> REFUSED_OPTIONS = List.of(
            "Replace=true",
            "Force=true",
            "RespectIgnoreDifferences=true",
            "FailOnSharedResource=true",
            "Prune=confirm");

    static ApplicationSpec of(Resource application) {
        return new ApplicationSpec(application.name(), application.spec());
    }

    String project() {
        return json.string("project").isEmpty() ? "default" : json.string("project");
    }

    String namespace() {
        return json.string("destination", "namespace");
    }

    boolean hasManySources() {
        return !json.objects("sources").isEmpty();
    }

    List<Json.Obj> sources() {
        return hasManySources() ? json.objects("sources") : List.of(json.object("source"));
    }

    List<SourceQuestion> questions() {
        return sources().stream()
                .map(source -> new SourceQuestion(source, application, namespace()))
                .toList();
    }

    /// @param revisions in the place of those that the sources name, where they are not empty
    List<SourceQuestion> questions(List<String> revisions) {
        var questions = new ArrayList<SourceQuestion>();
        var all = sources();
        for (int i = 0; i < all.size(); i++) {
            var revision = i < revisions.size() ? revisions.get(i) : "";
            var source = revision.isEmpty() ? all.get(i) : all.get(i).with("targetRevision", Json.of(revision));
            questions.add(new SourceQuestion(source, application, namespace()));
        }
        return questions;
    }

    Set<String> options() {
        return new HashSet<>(json.array("syncPolicy", "syncOptions").strings());
    }

    Json.Obj automated() {
        return json.object("syncPolicy", "automated");
    }

    boolean isAutomated() {
        return json.object("syncPolicy").has("automated")
                && !(automated().get("enabled") instanceof Json.Bool(var enabled) && !enabled);
    }

    /// What is wrong, or not served; for people.
    List<String> problems() {
        var problems = new ArrayList<String>();
        if (json.has("sourceHydrator")) {
            problems.add("spec.sourceHydrator is not served");
        }
        if (!json.has("source") && !hasManySources()) {
            problems.add("spec.source.repoURL and either spec.source.path or spec.source.chart are required");
        }
        for (var source : sources()) {
            for (var field : List.of("chart", "plugin", "ref")) {
                if (source.has(field)) {
                    problems.add("spec.source." + field + " is not served");
                }
            }
        }
        var server = json.string("destination", "server");
        var name = json.string("destination", "name");
        if (server.isEmpty() == name.isEmpty()) {
            problems.add(
                    server.isEmpty()
                            ? "Destination server missing from app spec"
                            : "application destination can't have both name and server defined: " + name + " "
                                    + server);
        } else if (!server.isEmpty() && !server.equals(SERVER)) {
            problems.add(
                    "spec.destination.server: clusters other than " + SERVER + " are not served, and it is " + server);
        } else if (!name.isEmpty() && !name.equals(NAME)) {
            problems.add("spec.destination.name: clusters other than " + NAME + " are not served, and it is " + name);
        }
        options().stream()
                .filter(REFUSED_OPTIONS::contains)
                .forEach(option -> problems.add("spec.syncPolicy.syncOptions: " + option + " is not served"));
        problems.addAll(new Differences(json.objects("ignoreDifferences")).problems());
        return problems;
    }
}
