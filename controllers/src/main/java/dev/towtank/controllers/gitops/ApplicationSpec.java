package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What an Application wants.
record ApplicationSpec(String application, Json.Obj json) {

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
            problems.addAll(problems(source));
        }
        SyncOptions.problems(json.array("syncPolicy", "syncOptions").strings())
                .forEach(problem -> problems.add("spec.syncPolicy.syncOptions: " + problem));
        problems.addAll(new Differences(json.objects("ignoreDifferences")).problems());
        return problems;
    }

    private static List<String> problems(Json.Obj source) {
        var problems = new ArrayList<String>();
        if (source.has("plugin")) {
            problems.add("spec.source.plugin is not served");
        }
        if (source.has("chart") && source.has("path")) {
            problems.add("spec.source has a chart and a path; it may have one of them");
        }
        if (source.string("repoURL").isEmpty() && source.size() > 0) {
            problems.add("spec.source.repoURL is required");
        }
        return problems;
    }
}
